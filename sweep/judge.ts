import type { Transaction } from '../src/custody/transaction';
import type { ChainLogs } from './chainLogs';
import type { Effect, Hashes } from './flow';

/** What is wrong with an order. */
export const faults = ['duplicate', 'lost', 'stuck', 'disagrees', 'unreached'] as const;
export type Fault = (typeof faults)[number];
export type Complaint = { fault: Fault; evidence: string };

/** How an order's workflow has ended, or that it has not. */
export type End =
  | { status: 'COMPLETED'; receipt: Hashes }
  | { status: 'RUNNING' | 'ENDED'; why: string };

export type Judged = {
  effects: readonly Effect[];
  /** The hashes that the receipt gives for the effects, in their order. */
  hashes: (receipt: Hashes) => (string | undefined)[];
  end: End;
  logs: ChainLogs;
  /** The service's records that name the order. */
  records: readonly Transaction[];
};

/**
 * Judges an order by the chain alone: each effect was logged exactly once. Only then are the
 * receipt and the service's records held against what the chain says.
 */
export function judge({ effects, hashes, end, logs, records }: Judged): Complaint[] {
  const complaints: Complaint[] = [];
  const complain = (fault: Fault, evidence: string): void => {
    complaints.push({ fault, evidence });
  };
  const told = end.status === 'COMPLETED' ? hashes(end.receipt) : [];
  for (const [index, effect] of effects.entries()) {
    const logged = loggedOf(effect, logs);
    const words = `${wordsOf(effect)} was logged ${logged.length} times: ${logged.join(', ')}`;
    if (logged.length > 1) complain('duplicate', words);
    if (logged.length === 0 && end.status !== 'RUNNING') complain('lost', words);
    const hash = told[index]?.toLowerCase();
    if (hash !== undefined && logged.length === 1 && logged[0] !== hash) {
      complain('disagrees', `${words}; the receipt says ${hash}`);
    }
    const complete = records.filter(
      ({ state, txHash }) => state === 'COMPLETE' && logged.includes(txHash?.toLowerCase() ?? ''),
    );
    if (logged.length === 1 && complete.length !== 1) {
      complain('disagrees', `${words}; the service has ${complete.length} complete records of it`);
    }
  }
  if (end.status === 'RUNNING') complain('stuck', `The order is not done: ${end.why}`);
  if (end.status === 'ENDED') complain('disagrees', `The order ended as ${end.why}`);
  const others = records.filter(({ state }) => state !== 'COMPLETE');
  if (records.length !== effects.length || others.length > 0) {
    const states = records.map(({ id, state, refId }) => `${id} (${refId}) ${state}`);
    complain('disagrees', `${effects.length} records were expected; there are ${states}`);
  }
  return complaints;
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

function wordsOf(effect: Effect): string {
  if (effect.what === 'deployment') return `The deployment of ${effect.name}`;
  return `The ${effect.what} of ${effect.value}`;
}
