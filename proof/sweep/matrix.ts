import type { Finding } from './audit';
import type { ProcessName } from './proxies/gate';
import type { SweepResult } from './runSweep';

/** The result of one flow under kills of one process, or of all of them. */
type Cell = {
  boundaries: number;
  /** Boundaries at which an order was held when the kill came. */
  crashed: number;
  duplicates: number;
  lost: number;
  stuck: number;
  /** Orders that took more than a limit lets out. */
  passed: number;
  /** Receipts, records or ends that are not what the chain says. */
  disagreeing: number;
  /** Orders with a workflow that cannot be replayed. */
  strayed: number;
};

/** A line of the matrix: a flow, and which processes were killed. */
export type Row = Cell & { flow: string; killed: string };

/** Flow by process, and the pairs by themselves. */
export function rowsOf(result: SweepResult): Row[] {
  const { targets, processes, outcomes } = result;
  const flows = [...new Set(targets.map(({ flow }) => flow))];
  const pairs = outcomes.filter(({ kills }) => kills.length > 1).map(({ kills }) => nameOf(kills));
  const killed = [...processes, ...new Set(pairs)];
  return flows.flatMap((flow) =>
    killed.flatMap((name) => {
      const row = rowOf(result, flow, name);
      return row.boundaries === 0 ? [] : [row];
    }),
  );
}

function rowOf(
  { targets, processes, outcomes, findings }: SweepResult,
  flow: string,
  killed: string,
) {
  const own = outcomes.filter(
    ({ target, kills }) => target.flow === flow && nameOf(kills) === killed,
  );
  const crashed = new Set(own.filter((one) => one.crashed).map(({ target }) => target));
  const isSingle = processes.some((name) => name === killed);
  const boundaries = isSingle
    ? targets.filter((target) => target.flow === flow).length
    : new Set(own.map(({ target }) => target)).size;
  const orders = new Set(own.map(({ order }) => order));
  const count = (fault: Finding['fault']): number =>
    new Set(findings.filter((one) => one.fault === fault && orders.has(one.order)).map(orderOf))
      .size;
  return {
    flow,
    killed,
    boundaries,
    crashed: crashed.size,
    duplicates: count('duplicate'),
    lost: count('lost'),
    stuck: count('stuck'),
    passed: count('passed'),
    disagreeing: count('disagrees'),
    strayed: count('strayed'),
  };
}

const orderOf = ({ order }: Finding): string => order;

function nameOf(kills: readonly ProcessName[]): string {
  return kills.join(' + ');
}

/** The sums of some lines. */
export function totalOf(rows: readonly Row[]): Cell {
  const sum = (key: keyof Cell): number => rows.reduce((all, row) => all + row[key], 0);
  return {
    boundaries: sum('boundaries'),
    crashed: sum('crashed'),
    duplicates: sum('duplicates'),
    lost: sum('lost'),
    stuck: sum('stuck'),
    passed: sum('passed'),
    disagreeing: sum('disagreeing'),
    strayed: sum('strayed'),
  };
}

/** True if every boundary was crashed and nothing was found. */
export function isClean(result: SweepResult): boolean {
  const { boundaries, crashed } = totalOf(rowsOf(result).filter(({ killed }) => !isPair(killed)));
  return boundaries > 0 && crashed === boundaries && result.findings.length === 0;
}

function isPair(killed: string): boolean {
  return killed.includes('+');
}

const columns = [
  'boundaries',
  'crashed',
  'duplicates',
  'lost',
  'stuck',
  'passed',
  'disagreeing',
  'strayed',
] as const;

/** The matrix, the totals and each finding, as text. */
export function showResult(result: SweepResult): string {
  const rows = rowsOf(result);
  const [singles, pairs] = [
    rows.filter(({ killed }) => !isPair(killed)),
    rows.filter(({ killed }) => isPair(killed)),
  ];
  const lines = [
    ['flow', 'killed', ...columns],
    ...singles.map(cellsOf),
    cellsOf({ flow: 'all', killed: 'one process', ...totalOf(singles) }),
    ...(pairs.length === 0
      ? []
      : [cellsOf({ flow: 'all', killed: 'two at once (by the seed)', ...totalOf(pairs) })]),
  ];
  const findings = result.findings.map(showFinding);
  const orders = result.outcomes.length;
  const sum =
    `${result.kills} kills, ${orders} orders, ${result.findings.length} findings, ` +
    `in ${Math.floor(result.seconds / 60)} min ${result.seconds % 60} s`;
  return [table(lines), ...findings, ...result.ended, sum].join('\n');
}

/** A finding: its flow and point, and the evidence. */
export function showFinding({ place, fault, order, evidence }: Finding): string {
  return `${fault}: ${place} (order ${order})\n    ${evidence}`;
}

function cellsOf(row: Row): string[] {
  return [row.flow, row.killed, ...columns.map((column) => String(row[column]))];
}

function table(lines: readonly string[][]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
