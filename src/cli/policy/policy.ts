import { existsSync } from 'node:fs';
import { networkNamed } from '../../config';
import { counted } from '../../orders/progress/doing';
import { isPostgres } from '../../store/place';
import { moneysOf, nativeMoney } from '../../writer/file/money';
import type { CheckRule, Limit, Policy } from '../../writer/file/policy';
import { readPolicyFile } from '../../writer/file/readPolicy';
import { usualFeeWords } from '../../writer/file/usualFee';
import { plain } from '../../writer/judge';
import type { Ledger } from '../../writer/ledger/ledger';
import { ledgerAt } from '../../writer/ledger/ledgerAt';
import { listFaults } from '../../writer/screen/listFaults';
import type { Call } from '../call';
import { type ExitCode, exitCodes, InputError } from '../exit';
import { explainOrder } from './explain';
import { releaseWrite } from './release';
import { tellUsage } from './usage';

function blockchainOf({ terminal }: Call): string {
  return networkNamed(terminal.env);
}

function policyIn(file: string, call: Call): Policy {
  return readPolicyFile(file, { blockchain: blockchainOf(call) });
}

/** Checks a policy. A fault of it ends the command with exit code 2. */
export async function check(file: string, call: Call): Promise<ExitCode> {
  const policy = policyIn(file, call);
  const { limits, approvals, denials, screens, checks, creates, version, digest } = policy;
  const rules = {
    limits: limits.length,
    approvals: approvals.length,
    denials: denials.length,
    screens: screens.length,
    checks: checks.length,
  };
  call.voice.answer({ version, digest, ...rules }, [
    `${file} is a policy of version ${version}, with the digest ${digest}.`,
    ...limits.map((limit) => `  limit ${limit.id}: ${tell(limit, call)}`),
    ...approvals.map(({ id, need, of, above, hours }) => {
      const when = hours === undefined ? 'an order' : `in ${hours} hours`;
      return `  approval ${id}: above ${plain(above)} ${when}, ${need} of @${of}`;
    }),
    ...denials.map(({ id }) => `  deny ${id}`),
    `  creates: at most ${creates.walletSets} wallet sets and ${creates.wallets} wallets in ${creates.hours} hours`,
    ...screens.map(({ id, by }) => `  screen ${id}: by ${'url' in by ? by.url : by.kind}`),
    ...checks.map((rule) => `  check ${rule.id}: ${tellChecks(rule)}`),
  ]);
  for (const { id, maxFee } of limits) {
    if (maxFee?.isUsual) call.voice.note(`limit ${id}: ${usualFeeWords(maxFee)}`);
  }
  // The list may be elsewhere than the policy is checked.
  for (const { id, words } of await listFaults(screens)) {
    call.voice.note(`screen ${id}: ${words}. Until then, no payment is sent.`);
  }
  return exitCodes.done;
}

function tell(limit: Limit, call: Call): string {
  const { nameOf } = moneysOf(blockchainOf(call));
  const { orders, money, calls, perTransfer, perWindow, to, wallets } = limit;
  const sums = [
    ...(perTransfer === undefined ? [] : [`${plain(perTransfer)} a transfer`]),
    ...(perWindow ? [`${plain(perWindow.amount)} in ${perWindow.hours} hours`] : []),
  ];
  const whom = to === 'anyone' ? 'anyone' : counted(to.size, 'recipient');
  const moneys = [...money].map(nameOf).join(', ');
  const what = moneys === '' ? 'no money' : `${moneys}, at most ${sums.join(' and ')}, to ${whom}`;
  const called = calls.length === 0 ? '' : `, ${counted(calls.length, 'call')}`;
  const source = `${[...orders].join(', ')} from ${counted(wallets.size, 'wallet')}`;
  return `${source}: ${what}${called}; ${tellFees(limit)}`;
}

/** Tells what a rule of checks does with what they find. */
function tellChecks({ checks, beyond }: CheckRule): string {
  const said = [...checks].map(([id, asks]) => `${id} ${asks ? `asks ${beyond}` : 'is refused'}`);
  return said.join(', ');
}

/** Tells what bounds the fees of a limit. */
function tellFees({ maxFee, perWindow, money }: Limit): string {
  const isCounted = perWindow !== undefined && money.has(nativeMoney);
  const bounds = [
    ...(isCounted ? ['they count in its window'] : []),
    ...(maxFee === undefined ? [] : [`at most ${plain(maxFee.amount)} in ${maxFee.hours} hours`]),
  ];
  return `fees: ${bounds.join(', and ')}`;
}

/** Prints the digest of a policy. */
export function digest(file: string, call: Call): ExitCode {
  const { digest: value } = policyIn(file, call);
  call.voice.answer({ digest: value }, [value]);
  return exitCodes.done;
}

/** Judges an order, or a transfer, that is not sent. */
export async function explain(file: string, call: Call): Promise<ExitCode> {
  const policy = policyIn(file, call);
  const blockchain = blockchainOf(call);
  return withLedger(call, (ledger) => explainOrder(policy, call, { blockchain, ledger }));
}

/** Tells the sums of each window of a policy, and the writes of which nobody knows the end. */
export async function usage(file: string, call: Call): Promise<ExitCode> {
  const policy = policyIn(file, call);
  return withLedger(call, (ledger) => tellUsage(policy, ledger, call));
}

/** Gives back what an unknown write holds, on the signed word of an operator. */
export async function release(file: string, call: Call): Promise<ExitCode> {
  const policy = policyIn(file, call);
  return withLedger(call, (ledger) => releaseWrite(policy, ledger, call));
}

/** The place of an empty ledger. */
const inMemory = ':memory:';

async function withLedger(
  { flags }: Call,
  work: (ledger: Ledger) => Promise<ExitCode>,
): Promise<ExitCode> {
  const place = String(flags.ledger ?? inMemory).replace(/^file:/, '');
  if (place !== inMemory && !isPostgres(place) && !existsSync(place)) {
    throw new InputError(`--ledger: ${place} is not a file that can be found.`);
  }
  const absent = '--ledger: has no ledger yet. The first writer makes it.';
  const ledger = await ledgerAt(place, place === inMemory ? {} : { absent });
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}
