import { median } from '../../bench/measure';
import type { Running } from './load';
import { floorsOf, type Sample } from './memory';
import type { Report } from './run';

/** The report of a soak, as lines. */
export function tellReport(report: Report): string[] {
  const { orders, kills, faults, deeds, samples, stormMs, healMs, endedInStorm } = report;
  const seconds = (ms: number): string => (ms / 1_000).toFixed(0);
  const perS = (endedInStorm / (stormMs / 1_000)).toFixed(1);
  const killed = [...kills.values()].reduce((sum, count) => sum + count, 0);
  const hit = sumOf(faults);
  return [
    '',
    `orders      ${orders.length}: ${counted(orders.map(outcomeOf))}`,
    `            ${counted(orders.map(({ order }) => order.money))}`,
    `            ${counted(orders.map(({ order }) => order.id.replace(/:.*/, '')))}`,
    `            ${counted(orders.map(({ order }) => `from ${order.from.accountType}`))}`,
    `kills       ${killed}: ${listed(Object.fromEntries(kills))}`,
    `upheavals   ${listed(report.upheavals)}`,
    `faults      ${hit}: ${listed(faults)}`,
    `lies        ${sumOf(report.lies)}: ${listed(report.lies)}`,
    `operator    ${deeds.accelerated.size} stuck accelerated, ${deeds.cancelled.size} cancelled; ` +
      `${deeds.resolved.size} unknown resolved (${counted([...deeds.resolved.values()])}); ` +
      `${deeds.needed.size} said that they needed somebody; ` +
      `Temporal hung ${deeds.revivals} times`,
    `throughput  ${endedInStorm} orders ended in ${seconds(stormMs)} s of faults and kills: ` +
      `${perS}/s, the others within ${seconds(healMs)} s without`,
    `            ${timesOf(orders)}`,
    '',
    'memory since the last start: floor of each third, MiB, after full collections',
    ...memoryLines(samples),
    '',
    ...report.agreements.map((line) => `✓ ${line}`),
    ...report.findings.map((line) => `✗ ${line}`),
    ...(report.folder === undefined ? [] : [`The output of the processes is in ${report.folder}.`]),
  ];
}

function sumOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function outcomeOf({ end }: Running): string {
  return end?.outcome ?? 'open';
}

function counted(words: readonly string[]): string {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return listed(counts);
}

function listed(counts: Record<string, number>): string {
  return Object.entries(counts)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([word, count]) => `${word} ${count}`)
    .join(', ');
}

/** The durations of orders. */
function timesOf(orders: readonly Running[]): string {
  const times = orders
    .flatMap(({ startedAtMs, endedAtMs }) => (endedAtMs ? [endedAtMs - startedAtMs] : []))
    .toSorted((one, other) => one - other);
  const longest = ((times.at(-1) ?? 0) / 1_000).toFixed(0);
  return `an order took ${(median(times) / 1_000).toFixed(1)} s (median), at most ${longest} s`;
}

function memoryLines(samples: ReadonlyMap<string, Sample[]>): string[] {
  return [...samples].map(([name, stretch]) => {
    const floors = (measure: Parameters<typeof floorsOf>[1]): string =>
      floorsOf(stretch, measure)
        .map((floor) => floor.toFixed(0).padStart(5))
        .join('');
    const [first, last] = [stretch[0], stretch.at(-1)];
    const seconds = (((last?.atMs ?? 0) - (first?.atMs ?? 0)) / 1_000).toFixed(0);
    const handles = `${first?.handles ?? '?'}, then ${last?.handles ?? '?'}`;
    const measured = `${stretch.length} samples in ${seconds} s, open handles ${handles}`;
    const [heap, resident] = [floors('heapMebibytes'), floors('residentMebibytes')];
    return `${name.padEnd(10)}heap${heap}   resident${resident}   ${measured}`;
  });
}
