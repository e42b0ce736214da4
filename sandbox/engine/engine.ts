import pLimit from 'p-limit';
import type { Hex } from 'viem';
import { networks, usualNetwork } from '../../src/custody/networks/networks';
import { report } from '../errors/report';
import { createBell } from './bell';
import { broadcastQueued } from './broadcast/broadcast';
import { nextNonce } from './broadcast/broadcastRow';
import { bundleOperations } from './broadcast/bundleOperations';
import { createFaucetSender } from './broadcast/faucetSender';
import { takeOutside } from './broadcast/outside';
import { replaceWanted } from './broadcast/replaceWanted';
import { finishBlocks, goesOn, openBlock } from './confirm/block';
import type { TimedStage } from './lifecycle';
import { moveDue, noticeStuck, signNow } from './moveDue';
import type { EngineParts } from './parts';
import { planTurn, type TurnSchedule } from './schedule';

/** Moves transactions on: from acceptance to a block, and from there to final. */
export type Engine = ReturnType<typeof createEngine>;

type Parts = Pick<EngineParts, 'store' | 'chain' | 'keys' | 'tokens' | 'settings'>;
/** The request of a step: another turn at once, or after a pause. */
type Turn = { schedule: TurnSchedule; again: boolean; failed: boolean };

const retryMs = 1_000;
const { blockMs: emptyBlockMs } = networks[usualNetwork];
/** A chain at rest goes on in such steps while somebody asks for its newest block. */
const idleBlockMs = 2_000;

export function createEngine(parts: Parts) {
  const { store } = parts;
  const bell = createBell();
  const faucet = createFaucetSender(parts, bell);
  const inTurn = pLimit(1);
  let lastBlockAtMs = 0;
  let isWatched = false;
  let stopped = false;
  let running: Promise<void> | undefined;

  const untilBlockMs = ({ blockMs }: TurnSchedule): number | undefined => {
    const [first] = store.broadcasts.includable(1);
    const nowMs = Date.now();
    // A clock that was set back holds up no block.
    lastBlockAtMs = Math.min(lastBlockAtMs, nowMs);
    if (first === undefined) {
      if (goesOn(parts)) return lastBlockAtMs + Math.max(blockMs, emptyBlockMs) - nowMs;
      return isWatched ? lastBlockAtMs + Math.max(blockMs, idleBlockMs) - nowMs : undefined;
    }
    return Math.max(Math.min(first.sentAtMs, nowMs), lastBlockAtMs) + blockMs - nowMs;
  };

  const isBlockDue = (schedule: TurnSchedule): boolean => (untilBlockMs(schedule) ?? 1) <= 0;

  type Step = (turn: Turn) => unknown;
  const steps: readonly Step[] = [
    () => faucet.tellDone(),
    () => signNow(store),
    ({ schedule }) => moveDue(store, schedule),
    async (turn) => {
      if (!(await replaceWanted(parts))) turn.failed = true;
    },
    async (turn) => {
      const { again, failed } = await broadcastQueued(parts, turn.schedule);
      turn.again ||= again;
      turn.failed ||= failed;
    },
    ({ schedule }) => noticeStuck(store, schedule),
    async (turn) => {
      if (!isBlockDue(turn.schedule)) return;
      try {
        await bundleOperations(parts);
      } finally {
        // Mined with the next turn, which begins with that.
        if (await openBlock(parts, { mayBeEmpty: goesOn(parts) || isWatched })) {
          turn.again = true;
          isWatched = false;
          lastBlockAtMs = Date.now();
        }
      }
    },
  ];

  /** Returns false if the step failed. */
  const runStep = async (turn: Turn, step: Step): Promise<boolean> => {
    try {
      await step(turn);
      return true;
    } catch (error) {
      turn.failed = true;
      if (!stopped) report('The sandbox could not go on, and tries again', error);
      return false;
    }
  };

  /**
   * Reads what is mined, since whoever signs without knowing that would count it twice. Then runs
   * every step, also after one that failed: what can go on must not wait for what cannot.
   */
  const turn = async (): Promise<number | undefined> => {
    const current: Turn = { schedule: planTurn(parts.settings), again: false, failed: false };
    if (await runStep(current, () => finishBlocks(parts))) {
      for (const step of steps) await runStep(current, step);
    }
    const dues = [untilBlockMs(current.schedule), ...untilDueMs(parts, current.schedule)];
    return pauseMs(current, dues);
  };

  const run = async (): Promise<void> => {
    while (!stopped) await bell.wait(await turn());
  };

  return {
    /** Begins with what a crash has left half-way. */
    start: (): void => {
      running ??= run();
    },
    /** There is new work, or the settings have changed. Look at once. */
    wake: bell.ring,
    /** Somebody asks for the newest block. A chain at rest makes a new one, if that is old. */
    watch: (): void => {
      const ageMs = Math.abs(Date.now() - lastBlockAtMs);
      if (isWatched || ageMs < idleBlockMs) return;
      isWatched = true;
      bell.ring();
    },
    sendAsFaucet: faucet.send,
    /** Takes what an account that is not the service's has signed. Throws an OutsideRefusal. */
    takeOutside: async (raw: Hex): Promise<Hex> => {
      const hash = await inTurn(() => takeOutside(parts, raw));
      bell.ring();
      return hash;
    },
    /** The nonce after all that is mined or waits. */
    nextNonce: (address: Hex): Promise<number> => nextNonce(parts, address),
    stop: async (): Promise<void> => {
      stopped = true;
      bell.ring();
      await running;
    },
  };
}

const timedStages: readonly TimedStage[] = ['INITIATED', 'CLEARED', 'QUEUED', 'CONFIRMED'];

/** The time until each kind of work is due that was too early for this turn. */
function untilDueMs({ store }: Parts, schedule: TurnSchedule): (number | undefined)[] {
  const underpricedAtMs = store.broadcasts.firstSentAt('underpriced');
  return [
    underpricedAtMs && underpricedAtMs + schedule.blockMs - Date.now(),
    ...timedStages.map((stage) => {
      const atMs = store.transactions.firstAcceptedAfter(stage, schedule.accepted(stage).byMs);
      return atMs && schedule.untilEndMs(stage, atMs);
    }),
  ];
}

/** Until there is work again, or until the bell. What has failed is tried again after a while. */
function pauseMs({ again, failed }: Turn, dues: (number | undefined)[]): number | undefined {
  const known = dues.filter((due) => due !== undefined);
  if (again) return 0;
  if (failed) return Math.min(retryMs, ...known.filter((due) => due > 0));
  return known.length === 0 ? undefined : Math.max(0, Math.min(...known));
}
