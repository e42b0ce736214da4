import { mineWaiting, readMined } from './block';
import { broadcastQueued, nextNonce, toBroadcast } from './broadcast';
import type { Call } from './chain/estimateCall';
import { signTransaction } from './chain/transaction';
import { feesOf } from './fees';
import { nextStage, type StageEvent } from './lifecycle';
import type { TransactionRow } from './records';
import type { Service } from './service';

/** What moves transactions on: from acceptance to a block, and from there to final. */
export type Engine = {
  /** There is new work; look at once. */
  wake(): void;
  /** Sends calls from the faucet's own account; resolves once they are in a block. */
  sendAsFaucet(calls: readonly Call[], gas: bigint): Promise<void>;
  stop(): Promise<void>;
};

type Parts = Pick<Service, 'store' | 'chain' | 'keys'> & {
  /** From acceptance to COMPLETE. */
  settleMs: number;
};

/** Arc mines about two blocks a second. */
const blockMs = 500;
const retryMs = 1_000;

/** Starts moving what is there, beginning with what a crash has left half-way. */
export function startEngine(parts: Parts): Engine {
  const waiters = new Map<string, () => void>();
  const bell = createBell();
  let stopped = false;

  const tick = async (): Promise<void> => {
    advance(parts, 'INITIATED', 'screened');
    advance(parts, 'CLEARED', 'queued');
    await broadcastQueued(parts);
    const mined = await mineWaiting(parts);
    for (const { id } of mined) {
      waiters.get(id)?.();
      waiters.delete(id);
    }
    settleDue(parts);
  };

  const run = async (): Promise<void> => {
    await readMined(parts);
    while (!stopped) {
      const pauseMs = await tick().then(
        () => nextPauseMs(parts),
        (error: unknown) => {
          if (!stopped) process.stderr.write(`The sandbox could not go on: ${String(error)}\n`);
          return retryMs;
        },
      );
      await bell.wait(pauseMs);
    }
  };

  const running = run();
  return {
    wake: bell.ring,
    sendAsFaucet: createFaucetSender(parts, { waiters, ring: bell.ring }),
    stop: async () => {
      stopped = true;
      bell.ring();
      await running;
    },
  };
}

function advance(parts: Parts, stage: TransactionRow['stage'], event: StageEvent): void {
  const { store } = parts;
  const rows = store.transactions.where('stage', stage);
  if (rows.length === 0) return;
  store.atomically(() => {
    for (const row of rows) {
      store.transactions.update(row.id, {
        stage: nextStage(row.stage, event),
        updatedAtMs: Date.now(),
      });
    }
  });
}

/** CONFIRMED to COMPLETE, once its time has come; the contract it deployed with it. */
function settleDue(parts: Parts): void {
  const { store, settleMs } = parts;
  const now = Date.now();
  const due = store.transactions
    .where('stage', 'CONFIRMED')
    .filter(({ createdAtMs }) => createdAtMs + settleMs <= now);
  if (due.length === 0) return;
  store.atomically(() => {
    for (const row of due) {
      const stage = nextStage(row.stage, 'settled');
      store.transactions.update(row.id, { stage, updatedAtMs: now });
      if (row.contractId === undefined) continue;
      store.contracts.update(row.contractId, { status: 'COMPLETE', updatedAtMs: now });
    }
  });
}

/** Until the next block while something waits for one, until the next is due, or until the bell. */
function nextPauseMs({ store, settleMs }: Parts): number | undefined {
  const waiting =
    store.broadcasts.where('status', 'pending').length +
    ['INITIATED', 'CLEARED', 'QUEUED', 'SENT'].flatMap((stage) =>
      store.transactions.where('stage', stage),
    ).length;
  const dueAtMs = store.transactions
    .where('stage', 'CONFIRMED')
    .map(({ createdAtMs }) => createdAtMs + settleMs - Date.now());
  const pauses = [...dueAtMs, ...(waiting > 0 ? [Math.min(blockMs, settleMs)] : [])];
  return pauses.length === 0 ? undefined : Math.max(1, Math.min(...pauses));
}

function createFaucetSender(
  parts: Parts,
  wake: { waiters: Map<string, () => void>; ring: () => void },
): Engine['sendAsFaucet'] {
  const { store, chain } = parts;
  const { faucet } = chain.operators;
  const fees = feesOf('MEDIUM', chain.baseFeePerGas);
  let last: Promise<unknown> = Promise.resolve();

  const sign = async (calls: readonly Call[], gas: bigint) => {
    const first = await nextNonce(parts, faucet.address);
    const broadcasts = await Promise.all(
      calls.map(async (call, index) => {
        const nonce = first + index;
        const signed = await signTransaction(chain, { account: faucet, call, nonce, gas, fees });
        const cost = call.value + gas * fees.maxFeePerGas;
        return toBroadcast(signed, { sender: faucet.address, nonce, gas, cost });
      }),
    );
    store.atomically(() => {
      for (const broadcast of broadcasts) store.broadcasts.insert(broadcast);
    });
    return broadcasts;
  };

  return async (calls, gas) => {
    // One after the other, since each takes the nonces that follow the last.
    const signing = last.then(() => sign(calls, gas));
    last = signing.catch(() => {});
    const broadcasts = await signing;
    const mined = broadcasts.map(
      ({ id }) => new Promise<void>((resolve) => wake.waiters.set(id, resolve)),
    );
    wake.ring();
    await Promise.all(mined);
  };
}

/** Lets one loop sleep until someone rings, or until the time is up. */
function createBell() {
  let rung = false;
  let awake: () => void = () => {};
  return {
    ring: () => {
      rung = true;
      awake();
    },
    wait: (pauseMs: number | undefined) =>
      new Promise<void>((resolve) => {
        const timer = pauseMs === undefined ? undefined : setTimeout(() => awake(), pauseMs);
        awake = () => {
          clearTimeout(timer);
          rung = false;
          awake = () => {};
          resolve();
        };
        if (rung) awake();
      }),
  };
}
