import { createBell } from './bell';
import { finishBlocks, openBlock } from './block';
import { broadcastQueued } from './broadcast';
import { createFaucetSender, type FaucetSender } from './faucetSender';
import { nextStage, type StageEvent } from './lifecycle';
import type { TransactionRow } from './records';
import { report } from './report';
import type { Service } from './service';

/** What moves transactions on: from acceptance to a block, and from there to final. */
export type Engine = {
  /** Begins with what a crash has left half-way. */
  start(): void;
  /** There is new work; look at once. */
  wake(): void;
  /** Sends calls from the faucet's own account; resolves once they are in a block. */
  sendAsFaucet: FaucetSender['send'];
  stop(): Promise<void>;
};

type Parts = Pick<Service, 'store' | 'chain' | 'keys' | 'tokens' | 'settings'>;

const retryMs = 1_000;

export function createEngine(parts: Parts): Engine {
  const bell = createBell();
  const faucet = createFaucetSender(parts, bell);
  let stopped = false;
  let running: Promise<void> | undefined;

  const steps: readonly (() => void | Promise<void>)[] = [
    () => finishBlocks(parts),
    () => advance(parts, 'INITIATED', 'screened'),
    () => advance(parts, 'CLEARED', 'queued'),
    () => broadcastQueued(parts),
    () => openBlock(parts),
    () => finishBlocks(parts),
    () => faucet.tellDone(),
    () => settleDue(parts),
  ];

  /** Takes every step, also after one that failed: what can go on must not wait for what cannot. */
  const turn = async (): Promise<number | undefined> => {
    let failed = false;
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        failed = true;
        if (!stopped) report('The sandbox could not go on, and tries again', error);
      }
    }
    return failed ? retryMs : nextPauseMs(parts);
  };

  const run = async (): Promise<void> => {
    while (!stopped) await bell.wait(await turn());
  };

  return {
    start: () => {
      running ??= run();
    },
    wake: bell.ring,
    sendAsFaucet: faucet.send,
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
  const { store, settings } = parts;
  const now = Date.now();
  const due = store.transactions
    .where('stage', 'CONFIRMED')
    .filter(({ createdAtMs }) => createdAtMs + settings.settleMs <= now);
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
function nextPauseMs({ store, settings }: Parts): number | undefined {
  const waiting =
    store.broadcasts.where('status', 'pending').length +
    ['INITIATED', 'CLEARED', 'QUEUED', 'SENT'].flatMap((stage) =>
      store.transactions.where('stage', stage),
    ).length;
  const dueAtMs = store.transactions
    .where('stage', 'CONFIRMED')
    .map(({ createdAtMs }) => createdAtMs + settings.settleMs - Date.now());
  const pauses = [...dueAtMs, ...(waiting > 0 ? [settings.blockMs] : [])];
  return pauses.length === 0 ? undefined : Math.max(1, Math.min(...pauses));
}
