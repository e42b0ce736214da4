import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ApiError, found } from '../errors/errors';
import { parseInput } from '../errors/fieldFaults';
import type { TransactionRow } from '../store/records/records';
import { pendingStages } from '../store/records/stages';
import type { Store } from '../store/store';

const dayMs = 86_400_000;
const daysMax = 3_650;

const transactionId = z.strictObject({ id: z.string() });
/** The number of days by which a record becomes older. */
const ageing = z.strictObject({ days: z.number().min(0).max(daysMax) });

/** Lets time pass for a transaction, or has the service lose it. */
export function addPast(control: FastifyInstance, current: { use(): Promise<{ store: Store }> }) {
  control.post('/_sandbox/transactions/:id/age', async ({ params, body }) => {
    const { id } = parseInput(transactionId, params);
    const { days } = parseInput(ageing, body);
    ageTransaction((await current.use()).store, id, days);
    return { id, days };
  });
  control.delete('/_sandbox/transactions/:id', async ({ params }, reply) => {
    const { id } = parseInput(transactionId, params);
    loseTransaction((await current.use()).store, id);
    return reply.status(204).send();
  });
}

/**
 * Makes a final transaction that much older, and its idempotency key as well. Its place in lists
 * stays.
 */
function ageTransaction(store: Store, id: string, days: number): void {
  store.atomically(() => {
    const { createdAtMs, updatedAtMs } = finalRow(store, id);
    const byMs = days * dayMs;
    store.transactions.update(id, {
      createdAtMs: createdAtMs - byMs,
      updatedAtMs: updatedAtMs - byMs,
    });
    for (const key of store.keys.naming(id)) {
      const kept = store.keys.get(key);
      if (kept !== undefined) {
        store.keys.insert(key, { ...kept, createdAtMs: kept.createdAtMs - byMs });
      }
    }
  });
}

/**
 * Removes a final transaction and its idempotency key, as a service does that is restored from an
 * older backup. Its effect stays on the chain.
 */
function loseTransaction(store: Store, id: string): void {
  store.atomically(() => {
    finalRow(store, id);
    store.transactions.remove(id);
    for (const key of store.keys.naming(id)) store.keys.remove(key);
  });
}

/** Refuses a transaction that the engine still has to carry out. */
function finalRow(store: Store, id: string): TransactionRow {
  const row = found(store.transactions.get(id), 'noTransaction');
  const isFinal = !pendingStages.includes(row.stage) && row.stage !== 'CONFIRMED';
  if (isFinal) return row;
  const message = `Transaction ${id} is ${row.stage}. Wait until it is final.`;
  throw new ApiError(message, { status: 409, code: 409 });
}
