import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { BadOrderError, OrderError, type Steadfast } from '../../src/client/client';
import { amountOf, type Cast, planOrder, type SoakOrder } from './order';

/** The end of an order, from its workflow. */
export type End =
  | { outcome: 'completed'; transactionId: string; txHash: string; told: Told }
  | { outcome: OrderError['outcome'] | 'bad'; reason: string };

/** The transfer in a receipt. */
export type Told = { to: string; amount: string };

export type Running = { order: SoakOrder; startedAtMs: number; end?: End; endedAtMs?: number };

export type Load = {
  /** Every order that was ever started, by its id. */
  orders: ReadonlyMap<string, Running>;
  /** Starts no more. Resolves once all have ended, or when none has ended for this long. */
  finish(quietMsMax: number): Promise<void>;
};

export type LoadOptions = {
  client: Client;
  steadfast: Steadfast;
  cast: Cast;
  seed: number;
  /** The number of orders that are open at a time. */
  atOnce: number;
};

const retryMs = 500;
const rampMs = 40;
const updateMsMax = 10_000;

/** Keeps that many orders open: as one ends, the next is started. */
export function startLoad(options: LoadOptions): Load {
  const orders = new Map<string, Running>();
  let isOver = false;
  let lastEndMs = Date.now();
  const serve = async (place: number): Promise<void> => {
    await sleep(place * rampMs);
    while (!isOver) {
      const order = planOrder(options.cast, { seed: options.seed, number: orders.size + 1 });
      const running: Running = { order, startedAtMs: Date.now() };
      orders.set(order.id, running);
      running.end = await carryOut(options, order);
      lastEndMs = Date.now();
      running.endedAtMs = lastEndMs;
    }
  };
  const all = Promise.all(Array.from({ length: options.atOnce }, (_, place) => serve(place)));
  // The caller of `finish` receives the error. Until then it is no unhandled rejection.
  all.catch(() => {});
  return {
    orders,
    finish: async (quietMsMax) => {
      isOver = true;
      lastEndMs = Date.now();
      const quiet = async (): Promise<void> => {
        while (Date.now() < lastEndMs + quietMsMax) await sleep(retryMs, undefined, { ref: false });
      };
      await Promise.race([all, quiet()]);
    },
  };
}

/** As a backend does it: starts until Temporal has the order, and waits however long it takes. */
async function carryOut(options: LoadOptions, order: SoakOrder): Promise<End> {
  void cancelLater(options.client, order);
  for (;;) {
    try {
      return await startAndWait(options, order);
    } catch (error) {
      if (error instanceof OrderError) return { outcome: error.outcome, reason: error.message };
      if (error instanceof BadOrderError) return { outcome: 'bad', reason: error.message };
      // Temporal is away.
      await sleep(retryMs);
    }
  }
}

async function startAndWait({ steadfast, cast }: LoadOptions, order: SoakOrder): Promise<End> {
  const { id, money, from, to } = order;
  const amount = amountOf(order);
  const walletId = from.id;
  const started =
    money === 'minted'
      ? await steadfast.start('mintTokens', id, {
          walletId,
          contractAddress: cast.contract,
          to,
          amount,
        })
      : await steadfast.start('transferStablecoin', id, {
          from: { walletId },
          to,
          amount,
          token: money,
        });
  const told = await started.receipt();
  return {
    outcome: 'completed',
    transactionId: told.transactionId,
    txHash: told.txHash,
    told: { to: told.to, amount: told.amount },
  };
}

/** Cancels once. The order decides if the cancellation is in time. */
async function cancelLater(client: Client, { id, cancelAfterMs }: SoakOrder): Promise<void> {
  if (cancelAfterMs === undefined) return;
  await sleep(cancelAfterMs, undefined, { ref: false });
  const handle = client.workflow.getHandle(id);
  const request = { reason: 'somebody has changed their mind' };
  const ask = () => handle.executeUpdate('cancel', { args: [request] });
  await client.connection.withDeadline(Date.now() + updateMsMax, ask).catch(() => {});
}
