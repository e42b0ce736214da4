import type { LineOutcome, LineResult } from '../../../src/orders/payout';
import { troubleDelayMs } from '../../write/delays';
import { stateOf, target } from '../../write/happened';
import { isOver, type Stage } from '../../write/writeState';
import { batchByLine, paymentsOf } from './payments';
import { lookUpNow } from './reading';
import type { Line, Shard } from './shard';

/** Outcomes of lines, by the stages of their writes. */
export const lineOutcome: Readonly<Record<Stage, LineOutcome>> = {
  unseen: 'waiting',
  ready: 'waiting',
  sending: 'waiting',
  doubt: 'waiting',
  accepted: 'waiting',
  unknown: 'unknown',
  disputed: 'unknown',
  givenUp: 'unknown',
  completed: 'paid',
  failed: 'failed',
  refused: 'failed',
  stopped: 'skipped',
};

/** Every line and its outcome so far. */
export function resultsOf(shard: Shard): LineResult[] {
  const batched = batchByLine(shard);
  return shard.lines.map((line) => {
    const { item: lineId, to, amount, wallet, token, reference } = line;
    const { generation, isProven } = stateOf(shard, line);
    const batch = batched.get(lineId);
    const state = stateOf(shard, batch ?? line);
    const { stage, transactionId, record, why, tries, isCancelled } = state;
    const batchItem = batch?.item ?? shard.carried.batchOf?.[lineId];
    const gasSaved = shard.carried.gasSaved?.[batchItem ?? ''];
    const { txHash } = record ?? {};
    const grounds = shard.carried.grounds?.[lineId];
    const isUnsent = (stage === 'unseen' || stage === 'ready') && tries === 'clean';
    return {
      lineId,
      to,
      amount,
      token: token.name,
      outcome: lineOutcome[stage],
      walletAddress: wallet.address,
      generation,
      ...(reference === undefined ? {} : { reference }),
      ...(transactionId === undefined ? {} : { transactionId }),
      ...(txHash === undefined ? {} : { txHash }),
      ...(batchItem === undefined ? {} : { batch: batchItem }),
      ...(gasSaved === undefined ? {} : { gasSaved }),
      ...(grounds === undefined ? {} : { grounds }),
      ...(why === undefined || stage === 'completed' ? {} : { reason: why }),
      ...(stage === 'givenUp' ? { givenUp: true } : {}),
      ...(isUnsent ? { isUnsent } : {}),
      ...(isCancelled && !isOver(state) ? { isCancelled } : {}),
      ...(isProven && !isOver(state) ? { isProven } : {}),
    };
  });
}

/**
 * Looks up once more the lines that were skipped or given up, when all others have ended. The list
 * may show by then what was sent before, and the end of a payout tells what was paid. Returns when
 * it is due again.
 */
export function lookAgain(shard: Shard): number {
  const { again, pending, carried } = shard;
  const isEarly = paymentsOf(shard).some((one) => !isOver(stateOf(shard, one)));
  if (isEarly || pending.has('again') || carried.isClosed) return Number.POSITIVE_INFINITY;
  const due = linesToLookAgain(shard);
  if (due.length === 0) return Number.POSITIVE_INFINITY;
  if (again.atMs > Date.now()) return again.atMs;
  pending.add('again');
  void lookOnceMore(shard, due).finally(() => {
    pending.delete('again');
    shard.woken = true;
  });
  return Number.POSITIVE_INFINITY;
}

async function lookOnceMore(shard: Shard, due: readonly Line[]): Promise<void> {
  const { carried, again } = shard;
  const targets = due.map((line) => target(shard, line));
  if (await lookUpNow(shard, due)) {
    carried.lookedAgain = [...(carried.lookedAgain ?? []), ...targets];
    return;
  }
  again.times += 1;
  again.atMs = Date.now() + troubleDelayMs(again.times);
}

/** The lines whose end no record proves, and that were not looked up since. */
export function linesToLookAgain(shard: Shard): Line[] {
  const looked = new Set(shard.carried.lookedAgain);
  return shard.lines.filter((line) => {
    const { stage, record } = stateOf(shard, line);
    const isUnproven = stage === 'givenUp' || (stage === 'stopped' && record === undefined);
    return isUnproven && !looked.has(target(shard, line));
  });
}
