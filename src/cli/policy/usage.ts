import type { Limit, Policy } from '../../policy/file/policy';
import { plain } from '../../policy/judge';
import { feeMoney, type HeldWrite, type Ledger, type Scope } from '../../policy/ledger/ledger';
import type { Call } from '../call';
import { type ExitCode, exitCodes } from '../exit';

const heldMax = 1_000;

/** Tells the sums of each window of a policy, and the writes of which nobody knows the end. */
export async function tellUsage(policy: Policy, ledger: Ledger, call: Call): Promise<ExitCode> {
  const windows = await Promise.all(windowsOf(policy).map((one) => usageOf(one, ledger)));
  const held = (await ledger.heldWrites(heldMax)).map(heldOf);
  call.voice.answer({ windows, held }, [
    ...windows.map(({ rule, over, money, hours, max, counted, open, free }) => {
      const sums = `${counted} of ${max} counted, ${open} of it open, ${free} free`;
      return `${rule}, ${over}, ${money} in ${hours} hours: ${sums}`;
    }),
    ...held.map(({ order, target, since, amounts }) => {
      const sums = Object.entries(amounts).map(([money, amount]) => `${amount} ${money}`);
      return `unknown since ${since}: ${target} of ${order} holds ${sums.join(' and ')}`;
    }),
  ]);
  return exitCodes.done;
}

function heldOf({ orderId: order, target, firstMs, amounts }: HeldWrite) {
  const held: Record<string, string> = {};
  for (const [money, amount] of amounts) held[money] = plain(amount);
  return { order, target, since: new Date(firstMs).toISOString(), amounts: held };
}

type NamedWindow = { rule: string; scope: Scope; money: string; hours: number; max: bigint };

/** The windows of all limits, and of the approvals over hours. */
function windowsOf({ limits, approvals, tokens }: Policy): NamedWindow[] {
  const moneys = [...new Set(tokens.values())];
  const ofApprovals = approvals.flatMap(({ id: rule, hours, above: max }) =>
    hours === undefined
      ? []
      : moneys.map((money) => ({ rule, scope: { rule }, money, hours, max })),
  );
  return [...limits.flatMap(windowsOfLimit), ...ofApprovals];
}

function windowsOfLimit(limit: Limit): NamedWindow[] {
  const { id: rule } = limit;
  const moneys = [...limit.money].map((money) => ({ money, window: limit.perWindow }));
  return [...moneys, { money: feeMoney, window: limit.maxFee }].flatMap(({ money, window }) => {
    if (window === undefined) return [];
    const { hours, amount: max, over } = window;
    // Sums are kept by the id of a wallet, which only the service knows of an address.
    const ids = [...limit.wallets].filter((wallet) => !wallet.startsWith('0x'));
    const scopes: Scope[] = over === 'rule' ? [{ rule }] : ids.map((wallet) => ({ wallet }));
    return scopes.map((scope) => ({ rule, scope, money, hours, max }));
  });
}

async function usageOf({ rule, scope, money, hours, max }: NamedWindow, ledger: Ledger) {
  const { counted, open } = await ledger.usage({ scope, money, hours });
  return {
    rule,
    over: 'wallet' in scope ? `wallet ${scope.wallet}` : 'the rule',
    money,
    hours,
    max: plain(max),
    counted: plain(counted),
    open: plain(open),
    free: plain(counted < max ? max - counted : 0n),
  };
}
