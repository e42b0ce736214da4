import type { StepOf } from '../explore';
import type { Part } from './part';
import type { BatchScope } from './scopes';

/** One attempt at a line. */
export type Attempt = readonly [line: number, generation: number];

/** A request under a key, and what it pays. */
export type Request = { path: string; generation: number; pays: readonly Attempt[] };

/** A transaction of the service. */
export type Record = Request & {
  state: 'PENDING' | 'COMPLETE' | 'FAILED' | 'CANCELLED';
  /** The lines that it has really paid. */
  paid: readonly number[];
  /** Its bundle has reverted, and somebody may bundle its operation again. */
  isLoose: boolean;
  /** Ticks since it has paid though it is called FAILED. The answer to a question of before is late. */
  paidFor?: number;
  isListed: boolean;
  isKeyKnown: boolean;
};

export type BatchWorld = {
  run: 'none' | 'open' | 'closed';
  /** Starts so far. */
  starts: number;
  /** The running part, or the part as its last run has left it. */
  part: Part | undefined;
  /** The last run has ended by itself. */
  isDone: boolean;
  /** A new run is told how the last one has left its lines. */
  isTold: boolean;
  /** A grace period has passed since the last run ended. */
  isLongOver: boolean;
  /** The point that a reset returns to. */
  kept: Part | undefined;
  /** The running part as Temporal's backup has it. */
  backup: Part | undefined;
  /** Temporal was restored, so that its runs know less than has happened. */
  isRestored: boolean;
  records: readonly Record[];
  /** Requests that are under way. Each one arrives within a grace period. */
  strays: readonly Request[];
  left: Pick<BatchScope, 'months' | 'retries' | 'resets' | 'restores'>;
};

export type BatchStep = StepOf<BatchWorld>;

export function firstWorld({ months, retries, resets, restores }: BatchScope): BatchWorld {
  return {
    run: 'none',
    starts: 0,
    part: undefined,
    isDone: false,
    isTold: true,
    isLongOver: false,
    kept: undefined,
    backup: undefined,
    isRestored: false,
    records: [],
    strays: [],
    left: { months, retries, resets, restores },
  };
}

/** A world as text: equal texts have equal futures. */
export function textOf(world: BatchWorld): string {
  const { part, kept, backup, records, strays, left, ...rest } = world;
  // A run that has ended leaves nothing but its lines.
  const place = world.run === 'open' ? part : part?.results;
  const numbers = [place, kept, backup, ...records, left, ...strays].map((one) =>
    one === undefined ? 0 : numberOf(one),
  );
  return `${numbers.join()} ${records.length} ${Object.values(rest).join()}`;
}

function numberOf(one: object): number {
  const known = numbers.get(one);
  if (known !== undefined) return known;
  const text = 'number' in one ? `part ${one.number}` : JSON.stringify(one);
  const number = texts.get(text) ?? texts.size + 1;
  texts.set(text, number);
  numbers.set(one, number);
  return number;
}

const numbers = new WeakMap<object, number>();
const texts = new Map<string, number>();

/** True if it may pay some line, or has done so. */
export function isLive({ state, paid, isLoose }: Record): boolean {
  return state === 'PENDING' || paid.length > 0 || isLoose;
}

export function spent(world: BatchWorld, what: keyof BatchWorld['left']): BatchWorld {
  return { ...world, left: { ...world.left, [what]: world.left[what] - 1 } };
}

/** A line's name in stories. */
export function nameOf(line: number): string {
  return `line ${line + 1}`;
}

/** The name of a request, or of its transaction, in stories. */
export function wordsOf({ path, pays }: Request): string {
  const names = pays.map(([line, generation]) => `${line + 1}#${generation}`);
  return `${path.startsWith('line') ? 'line' : 'batch'} ${names.join('+')}`;
}

type Key = Pick<Request, 'path' | 'generation'>;

/** True if both have one key. */
export function isOf(one: Key, other: Key): boolean {
  return one.path === other.path && one.generation === other.generation;
}

/** One more request is under way. A copy of one that the service knows would change nothing. */
export function underWay(world: BatchWorld, request: Request, scope: BatchScope): BatchWorld[] {
  const { strays, records } = world;
  const isKnown = records.some((one) => isOf(one, request) && one.isKeyKnown);
  const isThere = isKnown || strays.some((one) => isOf(one, request));
  const isFull = isThere || strays.length >= scope.strays;
  return isFull ? [] : [{ ...world, strays: [...strays, request] }];
}
