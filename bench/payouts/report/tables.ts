import { middle, section, table } from '../../markdown';
import { median } from '../../measure';
import type { Figures } from '../judge';
import type { Results } from '../results';

/** The results as tables in Markdown, one for each part that was measured. */
export function tablesOf(results: Results): string {
  const { columns, growth, lag, hosted, sca, policy, killed, single, startUp } = results;
  const parts = [
    columns && section('Four ways to pay the same lines', columns, columnTable(columns)),
    growth &&
      section(
        'Growth',
        growth,
        figureTable('lines in one payout', growth.sizes, (one) => one.lines),
      ),
    lag &&
      section(
        'Lag',
        lag,
        figureTable('settle time', lag.times, (one) => `${one.settleMs / 1_000} s`),
      ),
    hosted && section('At the hosted limits', hosted, hostedTable(hosted)),
    sca &&
      section(
        'SCA wallets, one transfer in flight each',
        sca,
        figureTable('wallets', [sca], (one) => one.wallets),
      ),
    policy && section('With a policy', policy, policyTable(policy)),
    killed && section('Killed on the way', killed, killedTable(killed)),
    single && section('One transfer', single, singleTable(single)),
    startUp && section('Start of a worker', startUp, startUpTable(startUp)),
  ];
  return parts.filter((part) => part !== undefined).join('\n\n');
}

const figureHeader = [
  'lines/s',
  'p50 ms',
  'p99 ms',
  'lag p50 ms',
  'lag p99 ms',
  'events',
  'bytes',
  'actions',
  'server CPU ms',
  'worker CPU ms',
  'largest history',
];

function figureCells(rounds: readonly Figures[]): string[] {
  return [
    middle(rounds, (one) => one.linesPerS),
    middle(rounds, (one) => one.submitToKnownMs.p50),
    middle(rounds, (one) => one.submitToKnownMs.p99),
    middle(rounds, (one) => one.lagMs.p50),
    middle(rounds, (one) => one.lagMs.p99),
    middle(rounds, (one) => one.eventsPerLine, 2),
    middle(rounds, (one) => one.bytesPerLine),
    middle(rounds, (one) => one.actionsPerLine, 2),
    middle(rounds, (one) => one.serverCpuMs, 1),
    middle(rounds, (one) => one.workerCpuMs, 1),
    middle(rounds, (one) => one.largestEvents),
  ];
}

function columnTable({ columns, skipped }: Required<Results>['columns']): string {
  const rows = columns
    .toSorted((one, other) => one.open - other.open)
    .map(({ contender, open, way, lines, rounds, failed }) => [
      open,
      failed === undefined ? contender : `${contender} (failed: ${failed})`,
      `${way.window}, ${way.method}`,
      lines,
      ...figureCells(rounds),
    ]);
  const header = ['open', 'contender', 'best window', 'lines', ...figureHeader];
  const notes = skipped.map(({ contender, why }) => `\n\n${contender} was skipped: ${why}.`);
  return table(header, rows) + notes.join('');
}

function figureTable<Entry extends { rounds: readonly Figures[] }>(
  name: string,
  entries: readonly Entry[],
  label: (entry: Entry) => string | number,
): string {
  const rows = entries.map((entry) => [label(entry), ...figureCells(entry.rounds)]);
  return table([name, ...figureHeader], rows);
}

function hostedTable({ lines, rounds }: Required<Results>['hosted']): string {
  const own = [
    middle(rounds, (one) => one.writesPerS, 2),
    middle(rounds, (one) => one.refusedWrites),
    middle(rounds, (one) => one.refusedReads),
  ];
  const header = ['lines', 'writes/s', '429s, writes', '429s, reads', ...figureHeader];
  return table(header, [[lines, ...own, ...figureCells(rounds)]]);
}

function policyTable({ courses }: Required<Results>['policy']): string {
  const rows = courses.flatMap(({ limit, lines, plain, limited }) => [
    [limit, lines, 'without', ...figureCells(plain)],
    [limit, lines, 'with', ...figureCells(limited)],
  ]);
  return table(['limits', 'lines', 'a policy', ...figureHeader], rows);
}

const kibibyte = 1_024;

function killedTable({ lines, rounds }: Required<Results>['killed']): string {
  const header = [
    'lines',
    'kills',
    'once',
    'twice',
    'lost',
    'not ordered',
    'lines/s',
    'largest history, events',
    'KiB',
    'largest event, KiB',
    'resident MiB, peak',
    'in the middle',
    'at the end',
    'heap MiB, in the middle',
    'at the end',
  ];
  const rows = rounds.map(({ kills, memory, ...round }) => [
    lines,
    Object.entries(kills)
      .map(([name, count]) => `${name} ${count}`)
      .join(', '),
    round.once,
    round.twice,
    round.lost,
    round.otherwise,
    round.linesPerS.toFixed(0),
    round.largestEvents,
    (round.largestBytes / kibibyte).toFixed(0),
    (round.largestEventBytes / kibibyte).toFixed(0),
    ...[memory.peakMebibytes, ...Object.values(memory.residentMebibytes)].map((mebibytes) =>
      mebibytes.toFixed(0),
    ),
    ...Object.values(memory.heapMebibytes).map((mebibytes) => mebibytes.toFixed(0)),
  ]);
  return table(header, rows);
}

function singleTable({ times }: Required<Results>['single']): string {
  return table(
    ['settle time', 'Steadfast ms', 'bare script ms', 'ratio'],
    times.map(({ settleMs, steadfastMs, scriptMs }) => [
      `${settleMs / 1_000} s`,
      median(steadfastMs).toFixed(0),
      median(scriptMs).toFixed(0),
      (median(steadfastMs) / median(scriptMs)).toFixed(2),
    ]),
  );
}

function startUpTable({ bundlingMs, bundledMs }: Required<Results>['startUp']): string {
  return table(
    ['workflows', 'until it serves, ms'],
    [
      ['bundled by the worker', median(bundlingMs).toFixed(0)],
      ['bundled before', median(bundledMs).toFixed(0)],
    ],
  );
}
