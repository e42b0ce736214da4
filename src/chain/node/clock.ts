import { setTimeout as sleep } from 'node:timers/promises';

/** A clock that can be waited on. A test gives one that needs no time. */
export type NodeClock = { now(): number; sleep(ms: number): Promise<unknown> };

/** The clock of this machine. It never goes back. */
export const machineClock: NodeClock = { now: () => performance.now(), sleep: (ms) => sleep(ms) };
