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
const two = { ...oneRun, lines: 'ab' };
const ofSmart = { accountType: 'SCA' } as const;
const smart = { ...oneRun, ...ofSmart };

/** The worlds that are explored to their ends in seconds. */
export const smallBatches: readonly BatchScope[] = [
  { ...oneRun, name: 'one fails alone, retried', failing: 1, retries: 1 },
  { ...alike, name: 'two alike, refused, skipped', refuses: true, skips: true },
  { ...smart, name: 'SCA, halved, bundled again', bundles: true },
  { ...smart, name: 'SCA, two alike, cancelled', lines: 'aab', refuses: true, cancels: true },
  { ...oneRun, name: 'a month later, other batches', sizes: [3, 2], months: 1 },
  { ...alike, name: 'a month later, line by line', sizes: [3, false], months: 1 },
  {
    ...two,
    name: 'two lines, ended, then line by line',
    sizes: [2, false],
    strays: 1,
    silent: true,
  },
  { ...two, name: 'two lines, line by line, then a batch', sizes: [false, 2], strays: 1 },
  { ...two, name: 'two lines, a reset', sizes: [2], resets: 1, strays: 1 },
  { ...two, name: 'two lines, refused, a reset', sizes: [2], resets: 1, refuses: true },
  { ...oneRun, name: 'skipped, a reset', resets: 1, skips: true },
  { ...two, name: 'skipped, Temporal restored', sizes: [2], restores: 1, skips: true },
  { ...two, name: 'refused, Temporal restored', sizes: [2], restores: 1, refuses: true },
  { ...two, name: 'retried, Temporal restored', sizes: [2], restores: 1, failing: 1, retries: 1 },
  { ...two, ...ofSmart, name: 'SCA, halved, Temporal restored', sizes: [2], restores: 1 },
];

/** Each power at its largest. They take minutes. */
export const largeBatches: readonly BatchScope[] = [
  { ...alike, name: 'two alike, lost answers', loses: true, failing: 0 },
  { ...oneRun, name: 'ended, other batches', sizes: [3, 2], strays: 1, silent: true },
  { ...oneRun, name: 'ended, then line by line', sizes: [2, false], strays: 1, loses: true },
  { ...oneRun, name: 'line by line, then in batches', sizes: [false, 3], strays: 1 },
  { ...alike, name: 'a reset', resets: 1, strays: 1 },
  { ...two, name: 'lost answers, Temporal restored', sizes: [2], restores: 1, loses: true },
  { ...oneRun, name: 'three lines, skipped, Temporal restored', restores: 1, skips: true },
  { ...oneRun, name: 'three lines, lost answers, Temporal restored', restores: 1, loses: true },
];
