import { existsSync } from 'node:fs';
import { moneysOf } from '../../policy/file/money';
import type { Limit } from '../../policy/file/policy';
import { readPolicyFile } from '../../policy/file/readPolicy';
import { plain } from '../../policy/judge';
import { feeMoney, type Ledger, type Scope } from '../../policy/ledger/ledger';
import { openLedger } from '../../policy/ledger/openLedger';
import type { Call } from '../call';
import { type ExitCode, exitCodes, InputError } from '../exit';
import { explain as explainOrder } from './explain';

const usualBlockchain = 'ARC-TESTNET';

function blockchainOf({ terminal }: Call): string {
  return terminal.env.CUSTODY_BLOCKCHAIN || usualBlockchain;
}

/** Checks a policy. A fault of it ends the command with exit code 2. */
export function check(file: string, call: Call): ExitCode {
  const policy = readPolicyFile(file, { blockchain: blockchainOf(call) });
  const { limits, approvals, denials, version, digest } = policy;
  const rules = { limits: limits.length, approvals: approvals.length, denials: denials.length };
  call.voice.answer({ version, digest, ...rules }, [
    `${file} is a policy of version ${version}, with the digest ${digest}.`,
    ...limits.map((limit) => `  limit ${limit.id}: ${tell(limit, call)}`),
    ...approvals.map(
      ({ id, need, of, above }) => `  approval ${id}: above ${plain(above)}, ${need} of @${of}`,
    ),
    ...denials.map(({ id }) => `  deny ${id}`),
  ]);
  return exitCodes.done;
}

function tell(limit: Limit, call: Call): string {
  const { nameOf } = moneysOf(blockchainOf(call));
  const { orders, money, perTransfer, perWindow, to, wallets } = limit;
  const sums = [
    ...(perTransfer === undefined ? [] : [`${plain(perTransfer)} a transfer`]),
    ...(perWindow ? [`${plain(perWindow.amount)} in ${perWindow.hours} hours`] : []),
  ];
  const whom = to === 'anyone' ? 'anyone' : `${to.size} recipients`;
  const moneys = [...money].map(nameOf).join(', ');
  const what = moneys === '' ? 'no money' : `${moneys}, at most ${sums.join(' and ')}, to ${whom}`;
  return `${[...orders].join(', ')} from ${wallets.size} wallets: ${what}`;
}

/** Prints the digest of a policy. */
export function digest(file: string, call: Call): ExitCode {
  const { digest: value } = readPolicyFile(file, { blockchain: blockchainOf(call) });
  call.voice.answer({ digest: value }, [value]);
  return exitCodes.done;
}

/** Judges an order, or a transfer, that is not sent. */
export function explain(file: string, call: Call): ExitCode {
  return explainOrder(file, call, blockchainOf(call));
}

/** Tells the sums of each window of a policy. */
export async function usage(file: string, call: Call): Promise<ExitCode> {
  const policy = readPolicyFile(file, { blockchain: blockchainOf(call) });
  const path = String(call.flags.ledger).replace(/^file:/, '');
  if (!existsSync(path)) throw new InputError(`--ledger: ${path} is not a file that can be found.`);
  const ledger = openLedger(path, { keyLifetimeMs: 0 });
  try {
    const windows = await Promise.all(policy.limits.flatMap((limit) => usagesOf(limit, ledger)));
    const lines = windows.map(({ rule, over, money, hours, max, counted, open, free }) => {
      const sums = `${counted} of ${max} counted, ${open} of it open, ${free} free`;
      return `${rule}, ${over}, ${money} in ${hours} hours: ${sums}`;
    });
    call.voice.answer({ windows }, lines);
    return exitCodes.done;
  } finally {
    ledger.close();
  }
}

function usagesOf(limit: Limit, ledger: Ledger) {
  const moneys = [...limit.money].map((money) => ({ money, window: limit.perWindow }));
  return [...moneys, { money: feeMoney, window: limit.maxFee }].flatMap(({ money, window }) => {
    if (window === undefined) return [];
    const scopes: Scope[] =
      window.over === 'rule'
        ? [{ rule: limit.id }]
        : [...limit.wallets].map((wallet) => ({ wallet }));
    return scopes.map(async (scope) => {
      const { hours, amount } = window;
      const { counted, open } = await ledger.usage({ scope, money, hours });
      const free = counted < amount ? amount - counted : 0n;
      return {
        rule: limit.id,
        over: 'wallet' in scope ? `wallet ${scope.wallet}` : 'the rule',
        money,
        hours,
        max: plain(amount),
        counted: plain(counted),
        open: plain(open),
        free: plain(free),
      };
    });
  });
}
