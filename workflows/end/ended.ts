import {
  ApplicationFailure,
  CancelledFailure,
  isCancellation,
  upsertMemo,
} from '@temporalio/workflow';
import type { HeardFailures } from '../../activities/guard/earlierRuns';
import { memoryKey } from '../../src/orders/progress/status';
import { starts, stopOf } from '../order/activities';
import { archiveOrder } from '../order/archiveOrder';
import { type LiveOrder, wasAccepted, writeLogOf } from '../order/liveOrder';
import { countEnd } from '../order/meter';
import { show } from '../order/show';
import { wasReset } from '../write/reset';
import { announceEnd } from './announceEnd';

/** The failure of an order that did not complete. Shows it, archives and tells it before. */
export async function ended(live: LiveOrder, error: unknown): Promise<unknown> {
  const isEnd = isCancellation(error) || error instanceof ApplicationFailure;
  if (isEnd && live.carried.settled) await archiveOrder(live);
  if (isCancellation(error)) return cancelledEnd(live, error);
  const stop = stopOf(error);
  const failed = error instanceof ApplicationFailure && error.type === 'Failed' ? error : undefined;
  if (stop?.type !== 'Refused' && failed === undefined) return error;
  // Refused promises that no write was accepted, not just the last one.
  const hasAccepted = Object.values(live.carried.writes).some(wasAccepted);
  const type = failed !== undefined || hasAccepted ? 'Failed' : 'Refused';
  const message = failed?.message ?? stop?.message ?? '';
  if (stop?.facts.searchAttributes === true) live.searchAttributes = true;
  if (stop?.facts.answers === true) live.answers = true;
  const word = type === 'Failed' ? 'failed' : 'refused';
  await announceEnd(live, `order.${word}`, { reason: message });
  show(live, type, `nothing: ${word}. ${message}`);
  countEnd(word);
  const details = [{ ...facts(live), ...asObject(failed?.details?.[0]) }];
  return ApplicationFailure.create({ message, type, nonRetryable: true, details });
}

async function cancelledEnd(live: LiveOrder, error: unknown): Promise<CancelledFailure> {
  await announceEnd(live, 'order.cancelled', {
    reason: 'It was cancelled with nothing under way.',
  });
  show(live, 'Cancelled', 'nothing: cancelled with nothing under way');
  countEnd('cancelled');
  // A cancelled run's end has no place for details, so they go where a later run looks.
  const proof = error instanceof CancelledFailure ? error.details[0] : undefined;
  const { opened } = live.carried;
  if (opened !== undefined) {
    const end = { ...facts(live), ...asObject(proof) };
    upsertMemo({ [memoryKey]: { ...opened.memory, end } });
  }
  // A workflow can close as cancelled only when Temporal has been asked to cancel it.
  if (!live.cancelledByTemporal) await starts('close as cancelled').cancelRun();
  return new CancelledFailure('The order was cancelled.');
}

/** Facts at the end of an order, for later runs of its id and for readers. */
function facts(live: LiveOrder) {
  const { opened, made } = live.carried;
  // If an earlier run left no write log, this one has none either.
  const hasWriteLog = !wasReset(live) && opened?.earlier.others !== 'ambiguous';
  const heard = heardIn(live);
  return { made, ...(hasWriteLog ? { writes: writeLogOf(live) } : {}), ...(heard && { heard }) };
}

/**
 * Since when the service calls operations failed. A later run proves it from then on: on a quiet
 * wallet no other operation may come after its own first reading.
 */
function heardIn({ carried }: LiveOrder): HeardFailures | undefined {
  const heard = Object.entries(carried.writes).flatMap(([path, { generation, record, final }]) => {
    if (!record?.userOpHash || final?.claimsNoEffect !== true) return [];
    const { id, userOpHash } = record;
    return [[`${path}#${generation}`, { id, userOpHash, sinceMs: final.sinceMs }]];
  });
  return heard.length === 0 ? undefined : Object.fromEntries(heard);
}

/** The proof in a failure: the final record and the write it belongs to. */
function asObject(details: unknown): object {
  return typeof details === 'object' && details !== null ? details : {};
}
