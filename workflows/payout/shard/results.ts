import type { LineOutcome, LineResult } from '../../../src/orders/payout';
import { isOver, type Stage } from '../../write/machine/writeState';
import { hasForgotten } from '../../write/reset';
import type { Line } from './payments';
import { besideOf, heldUntilMs, type Shard } from './shard';

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
  const batched = shard.payments.batchByLine();
  const isLate = areLookedUpLater(shard);
  const skippedAlone = new Set(shard.carried.skippedAlone);
  return shard.lines.map((line) => {
    const { item: lineId, to, amount, wallet, token } = line;
    const { generation, goesOnAs, isProven, proof } = shard.writes.stateOf(line);
    const batch = batched.get(lineId);
    const state = shard.writes.stateOf(batch ?? line);
    const { stage, record, why, tries, isCancelled } = state;
    // The next attempt waits for the proof of the one before, whose transaction is not its own. A
    // person who is asked about that one sees it.
    const isNext = goesOnAs !== undefined && (stage === 'accepted' || stage === 'disputed');
    const transactionId = isNext && stage === 'accepted' ? undefined : state.transactionId;
    const batchItem = batch?.item ?? shard.carried.batchOf?.[lineId];
    const gasSaved = shard.carried.gasSaved?.[batchItem ?? ''];
    const { txHash } = record ?? {};
    const { networkFee, updateDate: settledAt } = (isOver(state) ? record : undefined) ?? {};
    const grounds = shard.carried.grounds?.[lineId];
    const place = shard.carried.places?.[lineId];
    const isOpen = stage === 'unseen' || stage === 'ready' || isNext;
    const isLeft = stage === 'stopped' && batchItem === undefined && transactionId === undefined;
    const isHeld = (isOpen || isLeft) && isLate(line);
    const isUnsent = (isOpen || isLeft) && tries === 'clean' && !isHeld;
    const isSkippedAlone = skippedAlone.has(lineId);
    return {
      lineId,
      to,
      amount,
      token: token.name,
      outcome: lineOutcome[stage],
      walletAddress: wallet.address,
      generation: isNext ? goesOnAs : generation,
      ...besideOf(line),
      ...(transactionId === undefined ? {} : { transactionId }),
      ...(txHash === undefined ? {} : { txHash }),
      ...(shard.carried.paidFrom?.[lineId]?.wallet === wallet ? { walletId: wallet.walletId } : {}),
      ...(networkFee === undefined ? {} : { networkFee }),
      ...(settledAt === undefined ? {} : { settledAt }),
      ...(batchItem === undefined ? {} : { batch: batchItem }),
      ...(gasSaved === undefined ? {} : { gasSaved }),
      ...(grounds === undefined ? {} : { grounds }),
      ...(place === undefined ? {} : { place }),
      ...(why === undefined || stage === 'completed' ? {} : { reason: why }),
      ...(stage === 'givenUp' ? { givenUp: true } : {}),
      ...(isUnsent ? { isUnsent } : {}),
      ...(isHeld ? { isHeld } : {}),
      ...(isSkippedAlone ? { isSkippedAlone } : {}),
      ...(isCancelled && !isOver(state) ? { isCancelled } : {}),
      // A record has to prove it once more in the next run.
      ...(isProven && !proof && !isOver(state) ? { isProven } : {}),
    };
  });
}

/**
 * Tells the lines whose look-up would prove nothing yet. A run that was reset, and has done nothing
 * since, does not know what it has sent.
 */
function areLookedUpLater(shard: Shard): (line: Line) => boolean {
  if (hasForgotten(shard) || heldUntilMs(shard) > Date.now()) return () => true;
  const { untilMs = 0, items = [] } = shard.carried.heldBack ?? {};
  const held = new Set(untilMs > Date.now() ? items : []);
  return ({ item }) => held.has(item);
}
