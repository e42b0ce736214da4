import { z } from 'zod';
import { offeredBy } from '../engine/broadcast/broadcastRow';
import { isUnderpriced } from '../engine/broadcast/fees';
import type { EngineParts } from '../engine/parts';
import { setStage } from '../engine/stage';
import { found } from '../errors/errors';
import { invalidField } from '../errors/fieldFaults';
import type { BroadcastRow } from '../store/records/broadcasts';
import { type TransactionRow, transactionType } from '../store/records/records';
import { stages, type TransactionStage } from '../store/records/stages';

type Parts = Pick<EngineParts, 'store' | 'chain'>;

/** The state that a record shows from now on. */
export const forcedState = z.strictObject({
  state: z.enum(stages),
  errorReason: z.string().min(1).max(100).optional(),
});
export type ForcedState = z.output<typeof forcedState>;

/**
 * Sets a record to any stage, whatever is true of it. What is signed goes on all the same. STUCK
 * alone holds what is in no block yet, and any other stage lets that go on. The stages after it
 * follow as ever. From an earlier one than its own a transaction comes back to where the chain has
 * it, and is never sent again. What was never signed is QUEUED where it is to be SENT.
 */
export function forceState(parts: Parts, id: string, forced: ForcedState): TransactionRow {
  const { store } = parts;
  return store.atomically(() => {
    const row = found(store.transactions.get(id), 'noTransaction');
    requirePossible(row, forced);
    const broadcast = store.broadcasts.of(id);
    if (broadcast !== undefined) holdOrRelease(parts, broadcast, forced.state);
    const stage = forced.state === 'SENT' && broadcast === undefined ? 'QUEUED' : forced.state;
    const isFailed = stage === 'FAILED';
    return setStage(store, row, {
      stage,
      errorReason: isFailed ? (forced.errorReason ?? 'INTERNAL_ERROR') : undefined,
      errorDetails: isFailed ? row.errorDetails : undefined,
    });
  });
}

/** A received transaction is in a block. It cannot be queued, held or sent. */
const inboundStages: readonly TransactionStage[] = ['CONFIRMED', 'COMPLETE', 'FAILED'];

function requirePossible(row: TransactionRow, forced: ForcedState): void {
  if (transactionType(row) === 'OUTBOUND' || inboundStages.includes(forced.state)) return;
  const message = `An INBOUND transaction is one of ${inboundStages.join(', ')}`;
  throw invalidField(forced, 'state', message);
}

function holdOrRelease(
  { store, chain }: Parts,
  broadcast: BroadcastRow,
  stage: TransactionStage,
): void {
  const { broadcasts } = store;
  const { id, status, wanted } = broadcast;
  if (stage === 'STUCK') {
    if (holdable.includes(status)) broadcasts.update(id, { status: 'stuck' });
  } else if (status === 'stuck' || status === 'underpriced') {
    const isTooLow = isUnderpriced(offeredBy(broadcast), chain.baseFeePerGas);
    const next = wanted ?? (isTooLow ? 'carryOut' : undefined);
    broadcasts.update(id, { status: next ? 'replacing' : 'pending', wanted: next });
  } else if (status === 'done' && stage === 'SENT') {
    broadcasts.update(id, { status: 'assigned' });
  }
}

/** In no block yet. What is wanted in its place is signed once it is let go on. */
const holdable: readonly BroadcastRow['status'][] = ['pending', 'underpriced', 'replacing'];
