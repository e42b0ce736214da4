import type { Transaction } from '../../../src/custody/objects/transaction';
import type { Bound, Effect, Hashes } from '../flows/flow';
import { usdc } from '../flows/money';
import type { ChainLogs } from './chainLogs';

/** The kinds of findings. */
export const faults = [
  'duplicate',
  'lost',
  'stuck',
  'passed',
  'disagrees',
  'strayed',
  'unreached',
] as const;
export type Fault = (typeof faults)[number];
export type Complaint = { fault: Fault; evidence: string };

/** The end of an order's workflow, or that it still runs. */
export type End =
  | { status: 'COMPLETED'; receipt: Hashes }
  | { status: 'RUNNING' | 'CANCELLED' | 'ENDED'; why: string };

export type Judged = {
  effects: readonly Effect[];
  never?: readonly Effect[];
  bounds?: readonly Bound[];
  recordCount?: number;
  failsWith?: RegExp;
  isCancelled?: boolean;
  isResubmitted?: boolean;
  /** Words about a workflow that was started twice. */
  startedTwice?: string | undefined;
  /** The hashes that the receipt has for the effects, in the same order. */
  hashes: (receipt: Hashes) => (string | undefined)[];
  end: End;
  logs: ChainLogs;
  /** The service's records that name the order. */
  records: readonly Transaction[];
};

/**
 * Judges an order by the chain: each effect must be logged exactly once, or never if the order was
 * cancelled. Then compares the order's end and the service's records with the chain.
 */
export function judge(judged: Judged): Complaint[] {
  const { effects, end, records, recordCount = effects.length } = judged;
  if (judged.isCancelled && end.status === 'CANCELLED') return judgeCancelled(judged);
  const complaints = [
    ...effects.flatMap((effect, index) => judgeEffect(judged, effect, index)),
    ...judgeNever(judged),
    ...judgeBounds(judged),
    ...judgeStarts(judged),
    ...judgeEnd(judged),
  ];
  const failed = judged.isResubmitted ? records.filter(({ state }) => state === 'FAILED') : [];
  // No failed record is fine, too: a kill can make the sandbox forget that it must fail.
  const counted = failed.length === 1 ? records.filter((one) => one !== failed[0]) : records;
  return [...complaints, ...judgeRecords(counted, 'COMPLETE', recordCount)];
}

/** The order has ended as it must: with a receipt that fits, or with a failure in such words. */
function judgeEnd({ end, failsWith }: Judged): Complaint[] {
  if (end.status === 'RUNNING') {
    return [{ fault: 'stuck', evidence: `The order is not done: ${end.why}` }];
  }
  if (end.status !== 'COMPLETED') {
    if (end.status === 'ENDED' && failsWith?.test(end.why)) return [];
    return [{ fault: 'disagrees', evidence: `The order ended as ${end.status}: ${end.why}` }];
  }
  const { contradiction } = end.receipt;
  const evidence = failsWith ? `The order completed, and must fail: ${failsWith}` : contradiction;
  return evidence === undefined ? [] : [{ fault: 'disagrees', evidence }];
}

function judgeEffect({ hashes, end, logs, records }: Judged, effect: Effect, index: number) {
  const logged = loggedOf(effect, logs);
  const words = `${wordsOf(effect)} was logged ${logged.length} times: ${logged.join(', ')}`;
  const complaints: Complaint[] = [];
  if (logged.length > 1) complaints.push({ fault: 'duplicate', evidence: words });
  if (logged.length === 0 && end.status !== 'RUNNING') {
    complaints.push({ fault: 'lost', evidence: words });
  }
  if (logged.length !== 1) return complaints;
  const told = end.status === 'COMPLETED' ? hashes(end.receipt)[index]?.toLowerCase() : undefined;
  if (told !== undefined && told !== logged[0]) {
    complaints.push({ fault: 'disagrees', evidence: `${words}. The receipt says ${told}` });
  }
  const stray = strayed(effect, logs);
  if (stray !== undefined) complaints.push({ fault: 'disagrees', evidence: `${words}. ${stray}` });
  if (!records.some(({ txHash }) => txHash?.toLowerCase() === logged[0])) {
    complaints.push({ fault: 'disagrees', evidence: `${words}. The service has no record of it` });
  }
  return complaints;
}

/** Finds effects of another order under the same id. */
function judgeNever({ never = [], logs }: Judged): Complaint[] {
  return never.flatMap((effect): Complaint[] => {
    const logged = loggedOf(effect, logs);
    if (logged.length === 0) return [];
    const evidence = `${wordsOf(effect)} must never be, and was logged: ${logged.join(', ')}`;
    return [{ fault: 'duplicate', evidence }];
  });
}

/** Adds up what has left the wallets of each bound. */
function judgeBounds({ bounds = [], logs }: Judged): Complaint[] {
  return bounds.flatMap(({ from, max, toBlock }): Complaint[] => {
    const within = logs.transfers.filter(
      (log) =>
        log.token === usdc &&
        from.includes(log.from) &&
        (toBlock === undefined || log.block <= toBlock),
    );
    const sum = within.reduce((all, { value }) => all + value, 0n);
    if (sum <= max) return [];
    const until = toBlock === undefined ? '' : ` up to block ${toBlock}`;
    return [{ fault: 'passed', evidence: `${sum} left ${from.join(', ')}${until}, over ${max}` }];
  });
}

function judgeStarts({ startedTwice: evidence }: Judged): Complaint[] {
  return evidence === undefined ? [] : [{ fault: 'duplicate', evidence }];
}

/** Judges a cancelled order: nothing has moved, and every record says so. */
function judgeCancelled(judged: Judged): Complaint[] {
  const { effects, logs, records } = judged;
  const moved = effects.flatMap((effect): Complaint[] => {
    const logged = loggedOf(effect, logs);
    if (logged.length === 0) return [];
    const evidence = `The order is cancelled, yet ${wordsOf(effect)} was logged: ${logged}`;
    return [{ fault: 'disagrees', evidence }];
  });
  const known = judgeRecords(records, 'CANCELLED', records.length);
  return [...moved, ...judgeNever(judged), ...known];
}

/** There are as many records as expected, in the state that is expected. */
function judgeRecords(records: readonly Transaction[], state: string, count: number): Complaint[] {
  const fitting = records.filter((record) => record.state === state);
  if (records.length === count && fitting.length === count) return [];
  const told = records.map((record) => `${record.id} (${record.refId}) ${record.state}`);
  const evidence = `${count} records were expected as ${state}, and there are ${told.join(', ')}`;
  return [{ fault: 'disagrees', evidence }];
}

/** The hashes of the transactions in which the chain has logged an effect. */
function loggedOf(effect: Effect, { transfers, deployments }: ChainLogs): string[] {
  if (effect.what === 'deployment') {
    return deployments.filter(({ name }) => name === effect.name).map(({ txHash }) => txHash);
  }
  if (effect.what === 'mint') {
    const { to, value } = effect;
    return transfers
      .filter((log) => log.to === to && log.value === value && BigInt(log.from) === 0n)
      .map(({ txHash }) => txHash);
  }
  // By its amount alone, which no other order has: sent from or to a wrong address, it counts too.
  return transfers
    .filter(({ token, value }) => token === effect.token && value === effect.value)
    .map(({ txHash }) => txHash);
}

/** Words about a transfer with a wrong sender or recipient. */
function strayed(effect: Effect, { transfers }: ChainLogs): string | undefined {
  if (effect.what !== 'transfer') return undefined;
  const { token, value, from, to } = effect;
  const log = transfers.find((one) => one.token === token && one.value === value);
  if ((from ?? log?.from) === log?.from && (to ?? log?.to) === log?.to) return undefined;
  return `It went from ${log?.from} to ${log?.to}. The order says from ${from} to ${to}`;
}

function wordsOf(effect: Effect): string {
  if (effect.what === 'deployment') return `The deployment of ${effect.name}`;
  return `The ${effect.what} of ${effect.value}`;
}
