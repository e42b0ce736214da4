import { fromStoredOperation } from '../../chain/account/operation';
import { offeredBy } from '../../engine/broadcast/broadcastRow';
import { requireUnderCap } from '../../engine/broadcast/feeCap';
import { isHigh, operationGas, replacementFees } from '../../engine/broadcast/fees';
import { stageAfter } from '../../engine/lifecycle';
import { move, setStage } from '../../engine/stage';
import { fault, found } from '../../errors/errors';
import type { BroadcastRow } from '../../store/records/broadcasts';
import type { TransactionRow } from '../../store/records/records';
import { type TransactionStage, wireState } from '../../store/records/stages';
import type { Store } from '../../store/store';
import type { SandboxApi, Service } from '../service';
import { keyed } from '../wallets/wallets';
import { costFault } from './refuseCost';

/** Cancel and accelerate: the requests that a caller can make for an accepted transaction. */
export function replacementHandlers(service: Service) {
  const { store, engine, idempotent, shown } = service;
  return {
    cancelTransaction: (input, options) =>
      idempotent(keyed('cancelTransaction', input, options), async () => {
        // Its state is known in the commit, and not before.
        const answer = { id: input.id, state: '' };
        const save = () => {
          answer.state = wireState(cancel(store, input.id), shown.vocabulary);
          engine.wake();
        };
        return { answer, save };
      }),

    accelerateTransaction: (input, options) =>
      idempotent(keyed('accelerateTransaction', input, options), async () => {
        const save = () => {
          accelerate(service, input.id);
          engine.wake();
        };
        return { answer: { id: input.id }, save };
      }),
  } satisfies Partial<SandboxApi>;
}

/**
 * Asks for the end of a transaction, and returns its stage from now on. What is not signed ends at
 * once. What is signed and in no block yet is held, until the engine has put an empty transaction
 * in its place. What is in a block already goes on to its end, as the hosted service has it: best
 * effort. Too late from CONFIRMED on.
 */
function cancel(store: Store, id: string): TransactionStage {
  const row = find(store, id);
  if (stageAfter(row.stage, 'cancelled') === undefined) throw notEligible('cancelled');
  const broadcast = store.broadcasts.of(id);
  if (broadcast === undefined) return move(store, row, { event: 'cancelled' }).stage;
  replace(store, broadcast, 'cancel');
  return row.stage;
}

/** Asks for a HIGH fee for what is signed and in no block yet. A second time changes nothing. */
function accelerate(service: Service, id: string): void {
  const { store, chain } = service;
  const row = find(store, id);
  const broadcast = store.broadcasts.of(id);
  const isCancelled = broadcast?.purpose === 'cancel' || broadcast?.wanted === 'cancel';
  if (stageAfter(row.stage, 'accelerated') === undefined || isCancelled) {
    throw notEligible('accelerated');
  }
  // Forced to a later stage than its own: it goes back to its queue.
  if (broadcast === undefined) setStage(store, row, { stage: 'QUEUED' });
  else if (!isHighAlready(broadcast, chain.baseFeePerGas)) {
    requireCheap(service, broadcast);
    replace(store, broadcast, 'carryOut');
  }
}

/** Refuses a replacement that would offer more for gas than a transaction may. */
function requireCheap(service: Service, broadcast: BroadcastRow): void {
  const { operation, gas } = broadcast;
  const charged =
    operation === undefined ? BigInt(gas) : operationGas(fromStoredOperation(operation));
  const fees = replacementFees(offeredBy(broadcast), service.chain.baseFeePerGas);
  try {
    requireUnderCap(service, charged, fees);
  } catch (error) {
    throw costFault(error, 'wallets');
  }
}

/** A better fee cannot bring it into a block any sooner. */
function isHighAlready(broadcast: BroadcastRow, baseFeePerGas: bigint): boolean {
  return broadcast.status === 'pending' && isHigh(offeredBy(broadcast), baseFeePerGas);
}

/**
 * From now on no block takes it, until the engine has signed what takes its place. Where a block
 * has it, only its record may say otherwise, since it was forced to: what the chain says is read.
 */
function replace(
  { broadcasts }: Store,
  { id, status, purpose }: BroadcastRow,
  wanted: BroadcastRow['purpose'],
): void {
  const isCancelling = purpose === 'cancel' && status === 'pending';
  if (status === 'done') broadcasts.update(id, { status: 'assigned' });
  else if (replaceable.includes(status) && !isCancelling) {
    broadcasts.update(id, { status: 'replacing', wanted });
  }
}

/** Statuses of a nonce that is in no block. */
const replaceable: readonly BroadcastRow['status'][] = [
  'pending',
  'underpriced',
  'stuck',
  'replacing',
];

function find({ transactions, wallets }: Store, id: string): TransactionRow {
  const row = found(transactions.get(id), 'noTransaction');
  if (wallets.get(row.walletId)?.frozen) throw fault('walletFrozen');
  return row;
}

function notEligible(what: string) {
  return fault('notEligible', 'wallets', `it cannot be ${what} in its state`);
}
