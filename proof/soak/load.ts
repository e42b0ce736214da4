import { setTimeout as sleep } from 'node:timers/promises';
import { carryOut, type End, type Office } from './carryOut';
import { type Errand, planErrand } from './errand';
import type { SoakOrder } from './order';

export type Running = { order: SoakOrder; startedAtMs: number; end?: End; endedAtMs?: number };

/** An errand, and the state of each of its payments. */
export type RunningErrand = { errand: Errand; payments: readonly Running[] };

export type Load = {
  /** Every payment that was ever ordered, by its id. */
  orders: ReadonlyMap<string, Running>;
  /** Errands that have ended, oldest first. */
  ended(): RunningErrand[];
  /** Errands that are under way. */
  open(): RunningErrand[];
  /** Starts an errand that has ended once more. Its new ends replace the old ones. */
  repeat(running: RunningErrand): void;
  /** Starts no more. Resolves once all have ended, or when none has ended for this long. */
  finish(quietMsMax: number): Promise<void>;
};

type LoadOptions = Office & {
  seed: number;
  /** The number of errands that are open at a time. */
  atOnce: number;
};

const retryMs = 500;
const rampMs = 40;
const updateMsMax = 10_000;

/** Keeps that many errands open: as one ends, the next is started. */
export function startLoad(options: LoadOptions): Load {
  const errands: RunningErrand[] = [];
  const orders = new Map<string, Running>();
  const repeats: Promise<void>[] = [];
  let isOver = false;
  let lastEndMs = Date.now();
  const run = async ({ errand, payments }: RunningErrand): Promise<void> => {
    const ends = await carryOut(options, errand);
    lastEndMs = Date.now();
    for (const [at, end] of ends.entries()) Object.assign(payments[at] ?? {}, { end });
    for (const payment of payments) payment.endedAtMs = lastEndMs;
  };
  const serve = async (place: number): Promise<void> => {
    await sleep(place * rampMs);
    while (!isOver) {
      const errand = planErrand(options.cast, { seed: options.seed, number: errands.length + 1 });
      const startedAtMs = Date.now();
      const payments = errand.orders.map((order): Running => ({ order, startedAtMs }));
      const running = { errand, payments };
      errands.push(running);
      for (const payment of payments) orders.set(payment.order.id, payment);
      void cancelLater(options, errand);
      await run(running);
    }
  };
  const all = Promise.all(Array.from({ length: options.atOnce }, (_, place) => serve(place)));
  // The caller of `finish` receives the error. Until then it is no unhandled rejection.
  all.catch(() => {});
  const repeat = (running: RunningErrand): void => {
    for (const payment of running.payments) delete payment.end;
    const repeated = run(running);
    repeated.catch(() => {});
    repeats.push(repeated);
  };
  return {
    orders,
    ended: () => errands.filter(hasEnded),
    open: () => errands.filter((running) => !hasEnded(running)),
    repeat,
    finish: async (quietMsMax) => {
      isOver = true;
      lastEndMs = Date.now();
      const quiet = async (): Promise<void> => {
        while (Date.now() < lastEndMs + quietMsMax) await sleep(retryMs, undefined, { ref: false });
      };
      const done = all.then(() => {
        // Two triggers start a period. The later one may start it again after a refusal.
        errands.filter(wasRefused).forEach(repeat);
        return Promise.all(repeats);
      });
      await Promise.race([done, quiet()]);
    },
  };
}

function wasRefused({ errand, payments }: RunningErrand): boolean {
  return errand.kind === 'period' && payments.some(({ end }) => end?.outcome === 'refused');
}

function hasEnded({ payments }: RunningErrand): boolean {
  return payments.every(({ end }) => end !== undefined);
}

/** Cancels once. The order decides if the cancellation is in time. */
async function cancelLater({ client }: Office, { id, orders }: Errand): Promise<void> {
  const [{ cancelAfterMs } = {}] = orders;
  if (cancelAfterMs === undefined) return;
  await sleep(cancelAfterMs, undefined, { ref: false });
  const handle = client.workflow.getHandle(id);
  const request = { reason: 'somebody has changed their mind' };
  const ask = () => handle.executeUpdate('cancel', { args: [request] });
  await client.connection.withDeadline(Date.now() + updateMsMax, ask).catch(() => {});
}
