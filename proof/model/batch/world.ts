import type { LineResult } from '../../../src/orders/payout';
import type { ShardCarried } from '../../../workflows/payout/shard/shard';
import type { StepOf } from '../explore';

/** The powers of the world in one exploration of a part that pays in batches. */
export type BatchScope = {
  name: string;
  /** The lines in their order. Equal letters are payments that are alike. */
  lines: string;
  accountType: 'EOA' | 'SCA';
  /** Lines of a batch, in each run of the part by a start. False: line by line. */
  sizes: readonly (number | false)[];
  /** The line that may fail alone in a batch of an EOA. Undefined: none. */
  failing?: number;
  /** The service may refuse a request, or cancel what it has accepted. */
  refuses: boolean;
  /** Answers and requests are lost, and the list lags behind. */
  loses: boolean;
  /** Requests that are under way at a time and arrive late. */
  strays: number;
  /** A run may end without a word of its lines. */
  silent: boolean;
  /** Times that a month passes: Temporal and the keys have forgotten. */
  months: number;
  retries: number;
  resets: number;
  /** Times that Temporal's database is restored from a backup. */
  restores: number;
  /** A bundle reverts, and somebody else may bundle its operations again. */
  bundles: boolean;
  cancels: boolean;
  skips: boolean;
};

/** A part as its runs hand it on, in JSON. Parts that are equal are the same object. */
export type OpenedPart = {
  number: number;
  size: number | false;
  carried: ShardCarried;
  /** Every line and its outcome. */
  results: readonly LineResult[];
  /** The payments and their stages, in words. */
  told: string;
};

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
  isListed: boolean;
  isKeyKnown: boolean;
};

export type BatchWorld = {
  run: 'none' | 'open' | 'closed';
  /** Starts so far. */
  starts: number;
  /** The running part, or the part as its last run has left it. */
  part: OpenedPart | undefined;
  /** The last run has ended by itself. */
  isDone: boolean;
  /** A new run is told how the last one has left its lines. */
  isTold: boolean;
  /** A grace period has passed since the last run ended. */
  isLongOver: boolean;
  /** The point that a reset returns to. */
  kept: OpenedPart | undefined;
  /** The running part as Temporal's backup has it. */
  backup: OpenedPart | undefined;
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
  const numbers = [part, kept, backup, ...records, left, ...strays].map((one) =>
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
  return `${path.startsWith('line') ? 'line' : 'batch'} ${namesOf(pays)}`;
}

/** True if both have one key. */
export function isOf(one: Request, other: Request): boolean {
  return one.path === other.path && one.generation === other.generation;
}

/** One more request is under way. A copy of one that the service knows would change nothing. */
export function underWay(world: BatchWorld, request: Request, scope: BatchScope): BatchWorld[] {
  const { strays, records } = world;
  const isKnown = records.some((one) => isOf(one, request) && one.isKeyKnown);
  const isThere = isKnown || strays.some((one) => isOf(one, request));
  return isThere || strays.length >= scope.strays
    ? []
    : [{ ...world, strays: [...strays, request] }];
}

function namesOf(pays: readonly Attempt[]): string {
  return pays.map(([line, generation]) => `${line + 1}#${generation}`).join('+');
}
