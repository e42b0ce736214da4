import { z } from 'zod';
import { type BroadcastRow, offeredBy } from '../engine/broadcastRow';
import { move, setStage } from '../engine/stage';
import { fault, invalid } from '../errors';
import { isUnderpriced } from '../fees';
import { fieldFault } from '../http/fieldFaults';
import { type Stage, stages } from '../lifecycle';
import type { Service } from '../service';
import { type TransactionRow, transactionType } from '../store/records';

type Parts = Pick<Service, 'store' | 'chain'>;

/** What a record is to show from now on. */
export const forcedState = z.strictObject({
  state: z.enum(stages),
  errorReason: z.string().min(1).max(100).optional(),
});
export type ForcedState = z.output<typeof forcedState>;

/**
 * Sets a record to any stage, whatever is true of it; what is signed goes on all the same. STUCK
 * alone holds what is in no block yet, and any other stage lets that go on. The stages after it
 * follow as ever; from an earlier one than its own a transaction comes back to where the chain has
 * it, and is never sent again. What was never signed is QUEUED where it is to be SENT.
 */
export function forceState(parts: Parts, id: string, forced: ForcedState): TransactionRow {
  const { store } = parts;
  return store.atomically(() => {
    const row = store.transactions.get(id);
    if (row === undefined) throw fault('noTransaction');
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

/** What a wallet has received is in a block: nothing of it can be queued, held or sent. */
const inboundStages: readonly Stage[] = ['CONFIRMED', 'COMPLETE', 'FAILED'];

function requirePossible(row: TransactionRow, forced: ForcedState): void {
  if (transactionType(row) === 'OUTBOUND' || inboundStages.includes(forced.state)) return;
  const message = `An INBOUND transaction is one of ${inboundStages.join(', ')}`;
  throw invalid([fieldFault({ given: forced, path: ['state'], message })]);
}

function holdOrRelease({ store, chain }: Parts, broadcast: BroadcastRow, stage: Stage): void {
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

/** In no block yet; what is wanted in its place is signed once it is let go on. */
const holdable: readonly BroadcastRow['status'][] = ['pending', 'underpriced', 'replacing'];

/** Lets a queued transaction go on that is signed already: what the chain has of it is read. */
export function resume(
  { store }: Pick<Parts, 'store'>,
  row: TransactionRow,
  { id, status }: BroadcastRow,
): void {
  store.atomically(() => {
    move(store, row, { event: 'sent' });
    if (status === 'done') store.broadcasts.update(id, { status: 'assigned' });
  });
}
