import { type Line, newLine, type Record } from './line';

/** The powers of the world in one exploration of a payout. */
export type PayoutScope = {
  name: string;
  /** The part of each line. */
  parts: readonly number[];
  /** Starts of the id by a client, the first one included. */
  starts: number;
  /** Ends from outside: of the payout, and of a shard. */
  terminations: number;
  kills: number;
  resets: number;
  /** Times that Temporal's database is restored from a backup. */
  restores: number;
  /** Times that the retention passes. */
  retentions: number;
  /** Times that a person retries a failed line. */
  retries: number;
  cancels: boolean;
  skips: boolean;
  /** The file has its last line only from the second start on. */
  grows: boolean;
};

/** The promises of a payout. A planted fault breaks one of them. */
export type Promises = {
  /** An attempt asks whether exactly the payout that told it to send still runs. */
  asksPermission: boolean;
  /** It asks for the run of the payout, and not only for its id. */
  asksForItsRun: boolean;
  /** A part ends by the result of its shard, and not by its last report. */
  endsByResult: boolean;
  /** A result with lines that still wait is run again. */
  readsWholeResult: boolean;
  /** A payout that is cancelled searches for shards that it does not know. */
  adoptsAtCancel: boolean;
  /** Each run of a shard looks up all of its lines. */
  looksUpAll: boolean;
  /** A shard learns from the runs before what may have been sent. */
  readsRunsBefore: boolean;
  /** A retry names line and generation. */
  retryNamesGeneration: boolean;
  retryNeedsProof: boolean;
  /** A retry that is made again after a reset opens its part again. */
  retriesAgainAfterReset: boolean;
  /** A part whose lines Temporal has forgotten may be handed over again after the seal. */
  takesForgottenPart: boolean;
  /** Nothing is told to send before the seal. */
  waitsForSeal: boolean;
  /** A writer sends nothing on a look-up that is older than itself. */
  looksUpAgain: boolean;
};

/** The last word to a shard: by which start of the payout, and whether it may send. */
export type Steer = { start: number; maySend: boolean; isStopped: boolean };

export type Shard = {
  run: 'none' | 'open' | 'over' | 'killed';
  /** Numbers of its lines. A later file may have more of them. */
  lines: readonly number[];
  steer: Steer;
  /** Its payout has ended: nothing more is sent, and what is pending settles. */
  isClosed: boolean;
  /** The keys of its earliest run are older than the service remembers. */
  isOld: boolean;
};

type PartBook = 'unknown' | 'known' | 'over';

export type Payout = {
  run: 'none' | 'open' | 'completed' | 'cancelled' | 'terminated';
  /** Number of the start. A reset does not change it. */
  start: number;
  isSealed: boolean;
  isCancelled: boolean;
  book: readonly PartBook[];
};

export type PayoutWorld = {
  payout: Payout;
  shards: readonly Shard[];
  lines: readonly Line[];
  records: readonly (readonly Record[])[];
  /** The highest generation that a person has decided on, by line. */
  decided: readonly number[];
  /** The start of the payout for which each line is to be sent, by line. */
  sentFor: readonly number[];
  /** The last start that was sealed. */
  sealedFor: number;
  /** The start that a worker still believes to run, for 5 s at most. */
  remembered: number;
  /** The point that a reset returns to. */
  kept: Payout | undefined;
  /** Payout and parts as Temporal's backup has them. */
  backup: Backup | undefined;
  left: Pick<
    PayoutScope,
    'starts' | 'terminations' | 'kills' | 'resets' | 'restores' | 'retentions' | 'retries'
  >;
};

type Backup = Pick<PayoutWorld, 'payout' | 'shards' | 'lines' | 'sealedFor'>;

export const noSteer: Steer = { start: 0, maySend: false, isStopped: false };
export const noShard: Shard = {
  run: 'none',
  lines: [],
  steer: noSteer,
  isClosed: false,
  isOld: false,
};

export function firstWorld(scope: PayoutScope): PayoutWorld {
  const { parts, starts, terminations, kills, resets, restores, retentions, retries } = scope;
  const count = Math.max(...parts) + 1;
  return {
    payout: {
      run: 'none',
      start: 0,
      isSealed: false,
      isCancelled: false,
      book: Array.from({ length: count }, () => 'unknown' as const),
    },
    shards: Array.from({ length: count }, () => noShard),
    lines: parts.map(() => newLine),
    records: parts.map(() => []),
    decided: parts.map(() => 0),
    sentFor: parts.map(() => 0),
    sealedFor: 0,
    remembered: 0,
    kept: undefined,
    backup: undefined,
    left: { starts, terminations, kills, resets, restores, retentions, retries },
  };
}

export function withPayout(world: PayoutWorld, change: Partial<Payout>): PayoutWorld {
  return { ...world, payout: { ...world.payout, ...change } };
}

export function withShard(world: PayoutWorld, part: number, change: Partial<Shard>): PayoutWorld {
  return { ...world, shards: replaced(world.shards, part, change) };
}

export function withLine(world: PayoutWorld, line: number, change: Partial<Line>): PayoutWorld {
  return { ...world, lines: replaced(world.lines, line, change) };
}

export function withBook(world: PayoutWorld, part: number, entry: PartBook): PayoutWorld {
  return withPayout(world, {
    book: world.payout.book.map((own, at) => (at === part ? entry : own)),
  });
}

export function spent(world: PayoutWorld, what: keyof PayoutWorld['left']): PayoutWorld {
  return { ...world, left: { ...world.left, [what]: world.left[what] - 1 } };
}

/** A world as text: equal texts have equal futures. Worlds share most of their parts. */
export function textOf({ kept, backup, ...world }: PayoutWorld): string {
  const { payout, shards, lines, records, left, ...rest } = world;
  const points = [kept ?? left, backup ?? left];
  const parts = [payout, ...points, left, ...shards, ...lines, ...records].map(numberOf);
  return `${parts.join()} ${Object.values(rest).join()}`;
}

function numberOf(part: object): number {
  const known = numbers.get(part);
  if (known !== undefined) return known;
  const text = JSON.stringify(part);
  const number = texts.get(text) ?? texts.size;
  texts.set(text, number);
  numbers.set(part, number);
  return number;
}

const numbers = new WeakMap<object, number>();
const texts = new Map<string, number>();

function replaced<T>(all: readonly T[], index: number, change: Partial<T>): T[] {
  return all.map((own, at) => (at === index ? { ...own, ...change } : own));
}
