/** A value that was measured once in each round, and the bound that it is compared with. */
export type Measure = {
  name: string;
  /** For example "/s" or "ms". */
  unit: string;
  values: readonly number[];
  /** Measured in the same rounds, so that a slow machine is slow for both. */
  bound?: { name: string; values: readonly number[] };
  /** The goal of the ratio to the bound. Without a bound: of the value itself. */
  goal?: Goal;
};

export type Goal = { atLeast: number } | { atMost: number };

export type BenchOptions = {
  /** The number of times that each value is measured. The table shows medians. */
  rounds: number;
  /** True while there is time for one more round. A slow machine runs fewer. */
  isEarly(): boolean;
  /** The parts to run of a bench that has several. Empty: all of them. */
  only: readonly string[];
  /** The maximum number of lines of a payout. */
  lines: number;
  /** The number of orders that a console has to search. */
  orders: number;
  /** The file that gets the results as JSON. */
  out: string | undefined;
  /** True: the results are written into `docs/`, too. */
  docs: boolean;
  /** A file of results to show again, without measuring. */
  from: string | undefined;
};

/** Measures one part of the project, and prints its progress. */
export type Bench = (options: BenchOptions) => Promise<Measure[]>;

/** The median. NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

const header = ['measure', 'median', 'all rounds', 'bound', 'ratio', 'goal', 'met'];

/** One line for each measure, in columns. */
export function showTable(measures: readonly Measure[]): string {
  const lines = [header, ...measures.map(cells)];
  const widths = header.map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  );
  const show = (line: readonly string[]): string =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width));
  return [header, rule, ...lines.slice(1)].map(show).join('\n');
}

function cells(measure: Measure): string[] {
  const { name, unit, values, bound, goal } = measure;
  const ratios = bound?.values.map((value, round) => (values[round] ?? Number.NaN) / value);
  const judged = median(ratios ?? values);
  return [
    name,
    `${show(median(values))} ${unit}`,
    values.map(show).join(' '),
    bound === undefined ? '' : `${bound.name} ${show(median(bound.values))}`,
    ratios === undefined ? '' : judged.toFixed(2),
    goal === undefined ? '' : 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`,
    goal === undefined ? '' : isMet(judged, goal) ? 'yes' : 'NO',
  ];
}

function isMet(value: number, goal: Goal): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}

function show(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
