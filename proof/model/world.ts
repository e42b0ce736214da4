import type { outdatedWords, sendRefusal } from '../../activities/sendRefusal';
import type { refusalOf } from '../../workflows/write/machine/finding';
import type { firstState } from '../../workflows/write/machine/firstState';
import type { next } from '../../workflows/write/machine/machine';
import type * as state from '../../workflows/write/machine/writeState';
import type { WriteState } from '../../workflows/write/machine/writeState';
import type { StepOf } from './explore';

/** The product's own rules, or a copy of them with a planted bug. */
export type Machine = Pick<typeof state, 'wishOf' | 'isOver' | 'isAsking' | 'loggedAs'> & {
  next: typeof next;
  refusalOf: typeof refusalOf;
  sendRefusal: typeof sendRefusal;
  outdatedWords: typeof outdatedWords;
  firstState: typeof firstState;
};

/** The powers of the world in one exploration. */
export type Scope = {
  name: string;
  /** Number of generations that a client can name. */
  generations: number;
  /** Copies of requests that are under way at a time and arrive late. */
  strays: number;
  /** Starts of the id, the first one included. */
  starts: number;
  resets: number;
  /** Times that Temporal's database is restored from a backup. */
  restores: number;
  /** Somebody may cancel. */
  cancels: boolean;
  /** Somebody answers when the write asks, rightly or wrongly. */
  answers: boolean;
  /** The chain's receipts are read, and the service's records may be wrong. */
  lies: boolean;
  /** No chain is read. The service says a wrong word, and corrects it within the grace period. */
  errs: boolean;
  /** The service may lose its first record, and still knows the key. */
  loses: boolean;
  /** The id was used for another amount, and Temporal has forgotten that. */
  usedId: boolean;
};

/** A transaction of the service under the reference of this write. */
export type Transaction = {
  generation: number;
  state: 'PENDING' | 'COMPLETE' | 'FAILED' | 'CANCELLED';
  /** It has moved money. */
  isMoved: boolean;
  /** The chain's node shows that. */
  isShown: boolean;
  isListed: boolean;
  /** The service has lost the record. */
  isLost: boolean;
  /** A late copy of a request made it, and it is not listed yet. */
  isLate: boolean;
  /** The service remembers the key. */
  isKeyKnown: boolean;
  /** Ticks since the service accepted it. */
  age: number;
  /** It moves another amount: the id was used before. */
  isOther: boolean;
  /** Its record names no transaction of the chain, or another one. */
  isUnnamed?: boolean;
  /** The service calls it final, and the chain may include it within a grace period all the same. */
  mayMove?: boolean;
  /** The service corrects its word by the next grace period. */
  isWrong?: boolean;
};

/** All that exists beside the program: service, network, Temporal, and the run. */
export type World = {
  run: 'none' | 'open' | 'closed';
  write: WriteState | undefined;
  /** The run was reset. */
  isDoubtful: boolean;
  /** The pending attempt belongs to the run before the reset. */
  isOfOldRun: boolean;
  /** The point that a reset returns to. */
  kept: WriteState | undefined;
  /** The run as Temporal's backup has it. */
  backup:
    | (Pick<World, 'known' | 'orderGeneration' | 'isMisled'> & { write: WriteState })
    | undefined;
  /** Temporal was restored, so that the run knows less than has happened. */
  isRestored: boolean;
  closedAge: number;
  known: Known;
  orderGeneration: number;
  transactions: readonly Transaction[];
  /** Late copies of requests under way, by generation. */
  strays: readonly number[];
  /** Ticks since the first attempt under a key that may have arrived, by generation. Or -1. */
  keyAges: readonly number[];
  /** Somebody gave an answer that no check can refute, and that was wrong. */
  isMisled: boolean;
  startsLeft: number;
  resetsLeft: number;
  restoresLeft: number;
};

/** Temporal's memory of the id's runs. */
export type Known = {
  /** Ticks since the first run began. */
  age: number;
  isCompleted: boolean;
  /** The highest generation of a run. */
  generation: number;
  /** The order's generation in a cancelled run, or -1. */
  cancelledAt: number;
  /** A run ended without a write log. */
  isLogless: boolean;
  log: readonly ('' | 'clean' | 'ambiguous')[];
};

/** Nobody has to do harm for a step that helps. */
export type Step = StepOf<World>;

/** One tick is one grace period. */
export const graceMs = 600_000;
export const keyLifetimeTicks = 2;
export const keyLifetimeMs = keyLifetimeTicks * graceMs;
/** Present, always: time passes as the past grows older. So there is no last tick. */
export const nowMs = Date.parse('2026-01-02T03:04:05Z');
/** A later moment of a timer. It fires at any time. */
export const laterMs = nowMs + 1_000;
/**
 * For how long the writer has run. Every look-up since it began is of now. The age of a look-up has
 * the wait in Temporal's queue in it.
 */
export const writerWaited = { uptimeMs: 1, queuedMs: 0, lookupGraceMs: 0 };
/** The moment of a look-up that is older than the writer. */
export const beforeWriterMs = 0;

function notBetween(lookedUpAtMs: number): number {
  return lookedUpAtMs === beforeWriterMs ? beforeWriterMs : nowMs;
}

/** An older past makes no difference to anything. */
export const oldTicks = keyLifetimeTicks + 1;

export function firstWorld(scope: Scope): World {
  const { usedId, starts, resets, restores } = scope;
  const generations = Array.from({ length: scope.generations + 1 });
  return {
    run: 'none',
    write: undefined,
    isDoubtful: false,
    isOfOldRun: false,
    kept: undefined,
    backup: undefined,
    isRestored: false,
    closedAge: 0,
    known: unknownToTemporal(generations.length),
    orderGeneration: 0,
    transactions: usedId ? [otherTransaction] : [],
    strays: generations.map(() => 0),
    keyAges: generations.map((_, generation) => (usedId && generation === 0 ? oldTicks : -1)),
    isMisled: false,
    startsLeft: starts,
    resetsLeft: resets,
    restoresLeft: restores,
  };
}

export function unknownToTemporal(generations: number): Known {
  const log = Array.from({ length: generations }, () => '' as const);
  return { age: 0, isCompleted: false, generation: 0, cancelledAt: -1, isLogless: false, log };
}

/** A month old. The service still knows the key, or it does not. */
const otherTransaction: Transaction = {
  generation: 0,
  state: 'COMPLETE',
  isMoved: true,
  isShown: true,
  isListed: true,
  isLost: false,
  isLate: false,
  isKeyKnown: true,
  age: oldTicks,
  isOther: true,
};

/** True once a transaction has no effect and never will have one. */
export function isVoid({ state: word, isMoved, mayMove }: Transaction): boolean {
  return word !== 'PENDING' && !isMoved && mayMove !== true;
}

export function liveOf({ transactions }: World): Transaction[] {
  return transactions.filter((one) => !isVoid(one) && !one.isOther);
}

/**
 * A state as a run hands it to the next one, in JSON. It keeps only what decides: a driver may be
 * woken at any time, so waiting times do not.
 */
export function carried(given: WriteState): WriteState {
  const { evidence, times, notBeforeMs, why, isFound, proof, ...others } = given;
  const { sinceMs, lookedUpAtMs, final, ...rest } = others;
  const timed =
    ['unseen', 'doubt', 'accepted', 'disputed'].includes(given.stage) && sinceMs !== undefined;
  const isToBeSent = given.stage === 'ready' || given.stage === 'sending';
  const { knownAtMs, bornAtMs } = given;
  const kept = {
    ...rest,
    knownAtMs: notOlder(knownAtMs, oldTicks),
    ...(bornAtMs === undefined ? {} : { bornAtMs: notOlder(bornAtMs, oldTicks) }),
    ...(timed ? { sinceMs: notOlder(sinceMs, 1) } : {}),
    ...(final ? { final: { ...final, sinceMs: notOlder(final.sinceMs, 1) } } : {}),
    ...(isToBeSent && lookedUpAtMs !== undefined ? { lookedUpAtMs: notBetween(lookedUpAtMs) } : {}),
  };
  const text = JSON.stringify(kept);
  const known = states.get(text);
  if (known !== undefined) return known;
  const state: WriteState = JSON.parse(text);
  states.set(text, state);
  numbers.set(state, numbers.size + 1);
  return state;
}

/** The same state one tick later, seen from then. */
export function aged(state: WriteState): WriteState {
  const known = agedStates.get(state);
  if (known !== undefined) return known;
  const { knownAtMs, bornAtMs, sinceMs, final } = state;
  const later = carried({
    ...state,
    knownAtMs: knownAtMs - graceMs,
    bornAtMs: bornAtMs === undefined ? undefined : bornAtMs - graceMs,
    sinceMs: sinceMs === undefined ? undefined : sinceMs - graceMs,
    final: final && { ...final, sinceMs: final.sinceMs - graceMs },
  });
  agedStates.set(state, later);
  return later;
}

const agedStates = new Map<WriteState, WriteState>();
const states = new Map<string, WriteState>();
const numbers = new Map<WriteState, number>();

/** The number of a state that a run has handed on. Equal states have equal numbers. */
export function numberOf(state: WriteState): number {
  return numbers.get(state) ?? 0;
}

function notOlder(timeMs: number, ticks: number): number {
  return Math.max(timeMs, nowMs - ticks * graceMs);
}
