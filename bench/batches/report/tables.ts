import { middle, section, table } from '../../markdown';
import type { BatchColumn, BatchResults, KilledBatches, Large, Skipped } from '../results';
import { nameOf } from '../rounds';

/** The results as tables in Markdown, one for each part that was measured. */
export function batchTables(results: BatchResults): string {
  const { stub, chain, gas, cap, large } = results;
  const [eoa, sca] = [results['EOA-killed'], results['SCA-killed']];
  const parts = [
    stub && section('Batches on the stub', stub, columnTable(stub)),
    chain && section("Batches on the sandbox's real chain", chain, columnTable(chain)),
    gas && section('Gas of a line on the real chain', gas, columnTable(gas)),
    cap &&
      section(
        `What the fee cap leaves at ${cap.baseFee} gwei`,
        cap,
        `The cap was ${cap.feeCap} of the native coin at a base fee of 20 gwei.\n\n${columnTable(cap)}`,
      ),
    large && section('A large payout in batches', large, largeTable(large.rounds)),
    eoa && section('Batches of EOA wallets under kills', eoa, killedTable(eoa.rounds)),
    sca && section('Batches of SCA wallets under kills', sca, killedTable(sca.rounds)),
  ];
  return parts.filter((part) => part !== undefined).join('\n\n');
}

const columnHeader = [
  'paid by, lines',
  'contender',
  'lines/s',
  's',
  'transactions',
  'gas a line',
  'events',
  'actions',
  'server CPU ms',
  'worker CPU ms',
];

type Table = { columns: readonly BatchColumn[]; skipped?: readonly Skipped[] };

function columnTable({ columns, skipped = [] }: Table): string {
  const courses = [...new Set(columns.map(nameOf))];
  const rows = courses.flatMap((course) =>
    columns
      .filter((one) => nameOf(one) === course)
      .map(({ contender, failed, rounds }) => [
        course,
        failed === undefined ? contender : `${contender} (failed: ${failed})`,
        middle(rounds, (one) => one.linesPerS, 1),
        middle(rounds, (one) => one.seconds, 1),
        middle(rounds, (one) => one.transactions),
        middle(rounds, (one) => one.gasPerLine),
        middle(rounds, (one) => one.eventsPerLine, 3),
        middle(rounds, (one) => one.actionsPerLine, 3),
        middle(rounds, (one) => one.serverCpuMs, 2),
        middle(rounds, (one) => one.workerCpuMs, 2),
      ]),
  );
  const notes = skipped.map(({ contender, why }) => `\n\n${contender} was skipped: ${why}.`);
  return table(columnHeader, rows) + notes.join('');
}

function largeTable(rounds: readonly Large[]): string {
  const header = [
    'paid by, lines',
    ...['once', 'twice', 'lost', 'lines/s', 's', 'largest history, events', 'KiB'],
    ...['heap MiB, in the middle', 'at the end', 'resident MiB, in the middle', 'at the end'],
  ];
  const rows = rounds.map((one) => {
    const { once, twice, lost, linesPerS, seconds, largestEvents, largestBytes } = one;
    const { heapMebibytes: heap, residentMebibytes: resident } = one;
    return [
      ...[nameOf(one), once, twice, lost, linesPerS.toFixed(1), seconds.toFixed(1)],
      ...[largestEvents, (largestBytes / 1_024).toFixed(0)],
      ...[heap.middle, heap.end, resident.middle, resident.end].map((value) => value.toFixed(0)),
    ];
  });
  return table(header, rows);
}

function killedTable(rounds: readonly KilledBatches[]): string {
  const header = ['paid by, lines', 'kills', 'once', 'twice', 'lost', 'not ordered', 's'];
  const rows = rounds.map((one) => {
    const { kills, once, twice, lost, otherwise, seconds } = one;
    const told = Object.entries(kills).map(([victim, times]) => `${victim} ${times}`);
    return [nameOf(one), told.join(', '), once, twice, lost, otherwise, seconds.toFixed(1)];
  });
  return table(header, rows);
}
