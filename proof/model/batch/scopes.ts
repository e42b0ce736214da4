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

/** One run, in which nothing is lost. */
export const oneRun: BatchScope = {
  name: '',
  lines: 'abc',
  accountType: 'EOA',
  sizes: [3],
  refuses: false,
  loses: false,
  strays: 0,
  silent: false,
  months: 0,
  retries: 0,
  resets: 0,
  restores: 0,
  bundles: false,
  cancels: false,
  skips: false,
};

/** Two of the three payments are alike. */
const alike = { ...oneRun, lines: 'aab' };
const two = { ...oneRun, lines: 'ab', sizes: [2] };
const smart = { ...oneRun, accountType: 'SCA' } as const;
const smartTwo = { ...two, accountType: 'SCA' } as const;

/** Two lines. Most of these worlds are explored to their ends in seconds. */
export const smallBatches: readonly BatchScope[] = [
  { ...two, name: 'one fails alone, retried', failing: 1, retries: 1 },
  { ...two, name: 'two alike, refused, skipped', lines: 'aa', refuses: true, skips: true },
  { ...two, name: 'lost answers', loses: true },
  { ...smartTwo, name: 'SCA, halved, bundled again', bundles: true },
  { ...smartTwo, name: 'SCA, refused, cancelled', refuses: true, cancels: true },
  { ...two, name: 'a month later, other batches', sizes: [2, 1], months: 1 },
  { ...two, name: 'a month later, line by line', sizes: [2, false], months: 1 },
  { ...two, name: 'ended, then line by line', sizes: [2, false], strays: 1, silent: true },
  { ...two, name: 'line by line, then a batch', sizes: [false, 2], strays: 1 },
  { ...two, name: 'a reset', resets: 1, strays: 1 },
  { ...two, name: 'refused, a reset', resets: 1, refuses: true },
  { ...two, name: 'skipped, Temporal restored', restores: 1, skips: true },
  { ...two, name: 'refused, Temporal restored', restores: 1, refuses: true },
  { ...two, name: 'retried, Temporal restored', restores: 1, failing: 1, retries: 1 },
  { ...smartTwo, name: 'SCA, halved, Temporal restored', restores: 1 },
];

/** Three lines, and each power at its largest. They take minutes, or do not end. */
export const largeBatches: readonly BatchScope[] = [
  { ...oneRun, name: 'three lines, one fails alone, retried', failing: 1, retries: 1 },
  { ...alike, name: 'three lines, two alike, refused, skipped', refuses: true, skips: true },
  { ...alike, name: 'three lines, two alike, lost answers', loses: true, failing: 0 },
  { ...smart, name: 'three lines, SCA, halved, bundled again', bundles: true },
  { ...smart, name: 'three lines, SCA, cancelled', lines: 'aab', refuses: true, cancels: true },
  { ...oneRun, name: 'three lines, a month later, other batches', sizes: [3, 2], months: 1 },
  { ...alike, name: 'three lines, a month later, line by line', sizes: [3, false], months: 1 },
  { ...oneRun, name: 'three lines, other batches', sizes: [3, 2], strays: 1, silent: true },
  { ...oneRun, name: 'three lines, then line by line', sizes: [2, false], strays: 1, loses: true },
  { ...oneRun, name: 'three lines, line by line, then a batch', sizes: [false, 3], strays: 1 },
  { ...alike, name: 'three lines, a reset', resets: 1, strays: 1 },
  { ...oneRun, name: 'three lines, skipped, a reset', resets: 1, skips: true },
  { ...two, name: 'a reset, then terminated', sizes: [2, 2], resets: 1, strays: 1 },
  { ...two, name: 'a reset, then line by line', sizes: [2, false], resets: 1, strays: 1 },
  { ...two, name: 'ended twice', sizes: [2, 2, 2], strays: 1, silent: true },
  { ...two, name: 'lost answers, Temporal restored', restores: 1, loses: true },
  { ...oneRun, name: 'three lines, skipped, Temporal restored', restores: 1, skips: true },
  { ...oneRun, name: 'three lines, lost answers, Temporal restored', restores: 1, loses: true },
];
