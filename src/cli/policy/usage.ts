import { creationWindow } from '../../writer/call/creations';
import { nativeMoney } from '../../writer/file/money';
import type { Limit, Policy } from '../../writer/file/policy';
import { plain } from '../../writer/judge';
import {
  type Counted,
  feeMoney,
  type HeldWrite,
  type Ledger,
  type Scope,
} from '../../writer/ledger/ledger';
import type { Call } from '../call';
import { type ExitCode, exitCodes } from '../exit';

const heldMax = 1_000;

/**
 * Tells what of each window is reserved, spent, paid by others, and free. Names the writes of which
 * nobody knows the end.
 */
export async function tellUsage(policy: Policy, ledger: Ledger, call: Call): Promise<ExitCode> {
  const creations = await createdIn(policy, ledger);
  const named = [...windowsOf(policy), ...creations];
  const windows = await Promise.all(named.map((one) => usageOf(one, ledger)));
  const held = (await ledger.heldWrites(heldMax)).map(heldOf);
  const none = windows.length === 0 ? ['No rule of this policy has a window.'] : [];
  call.voice.answer({ windows, held }, [
    ...none,
    ...windows.flatMap(({ rule, over, money, hours, max, ...sums }) => {
      const { reserved, spent, outside, free, closed } = sums;
      const parts = `${reserved} reserved, ${spent} spent, ${outside} outside, ${free} free`;
      const row = `${rule}, ${over}, ${money} in ${hours} hours: of ${max}, ${parts}`;
      return closed === undefined ? [row] : [row, `  ${closed}`];
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

type NamedWindow = Counted & { rule: string; max: bigint };

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

/** The windows of creations, once something was created. */
async function createdIn(policy: Policy, ledger: Ledger): Promise<NamedWindow[]> {
  const windows = (['walletSets', 'wallets'] as const).map((what) =>
    creationWindow(policy, { what, count: 0 }),
  );
  const usages = await Promise.all(windows.map((window) => ledger.usage(window)));
  return windows.filter((_, at) => usages[at]?.counted !== 0n);
}

function windowsOfLimit(limit: Limit): NamedWindow[] {
  const { id: rule } = limit;
  const moneys = [...limit.money].map((money) => ({
    counted: { money, withFees: money === nativeMoney },
    window: limit.perWindow,
  }));
  const fees = { counted: { money: feeMoney }, window: limit.maxFee };
  return [...moneys, fees].flatMap(({ counted, window }) => {
    if (window === undefined) return [];
    const { hours, amount: max, over } = window;
    // Sums are kept by the id of a wallet, which only the service knows of an address.
    const ids = [...limit.wallets].filter((wallet) => !wallet.startsWith('0x'));
    const scopes: Scope[] = over === 'rule' ? [{ rule }] : ids.map((wallet) => ({ wallet }));
    return scopes.map((scope) => ({ rule, scope, ...counted, hours, max }));
  });
}

async function usageOf({ rule, max, ...window }: NamedWindow, ledger: Ledger) {
  const { scope, money, hours } = window;
  const all = await ledger.usage(window);
  const others = await ledger.outside(window);
  const reserved = all.open - others.open;
  const isClosed = await ledger.full({ ...window, rule, max, amount: 0n });
  return {
    rule,
    over: 'wallet' in scope ? `wallet ${scope.wallet}` : 'the rule',
    money,
    hours,
    max: plain(max),
    reserved: plain(reserved),
    spent: plain(all.counted - others.counted - reserved),
    outside: plain(others.counted),
    free: plain(isClosed === undefined ? max - all.counted : 0n),
    closed: isClosed?.words,
  };
}
