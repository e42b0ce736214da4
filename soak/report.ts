import { median } from '../bench/measure';
import type { Running } from './load';
import { growthOf, type Sample } from './memory';
import type { Report } from './run';

/** All that a soak has to say, as lines. */
export function tellReport(report: Report): string[] {
  const { orders, kills, faults, deeds, samples, stormMs, healMs, endedInStorm } = report;
  const seconds = (ms: number): string => (ms / 1_000).toFixed(0);
  const perS = (endedInStorm / (stormMs / 1_000)).toFixed(1);
  const killed = [...kills.values()].reduce((sum, count) => sum + count, 0);
  const hit = Object.values(faults).reduce((sum, count) => sum + count, 0);
  return [
    '',
    `orders      ${orders.length}: ${counted(orders.map(outcomeOf))}`,
    `            ${counted(orders.map(({ order }) => order.money))}`,
    `            ${counted(orders.map(({ order }) => `from ${order.from.accountType}`))}`,
    `kills       ${killed}: ${listed(Object.fromEntries(kills))}`,
    `faults      ${hit}: ${listed(faults)}`,
    `operator    ${deeds.accelerated.size} stuck accelerated, ${deeds.cancelled.size} cancelled; ` +
      `${deeds.resolved.size} unknown resolved (${counted([...deeds.resolved.values()])}); ` +
      `${deeds.needed.size} said that they needed somebody; ` +
      `Temporal hung ${deeds.revivals} times`,
    `throughput  ${endedInStorm} orders ended in ${seconds(stormMs)} s of faults and kills: ` +
      `${perS}/s; the others within ${seconds(healMs)} s without`,
    `            ${timesOf(orders)}`,
    ...['', 'memory since the last start, MiB (open handles)', ...memoryLines(samples), ''],
    ...report.agreements.map((line) => `✓ ${line}`),
    ...report.findings.map((line) => `✗ ${line}`),
    ...(report.folder === undefined ? [] : [`The processes' own words are in ${report.folder}.`]),
  ];
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

/** How long orders took, whatever came in between. */
function timesOf(orders: readonly Running[]): string {
  const times = orders
    .flatMap(({ startedAtMs, endedAtMs }) => (endedAtMs ? [endedAtMs - startedAtMs] : []))
    .toSorted((one, other) => one - other);
  const longest = ((times.at(-1) ?? 0) / 1_000).toFixed(0);
  return `an order took ${(median(times) / 1_000).toFixed(1)} s (median), at most ${longest} s`;
}

const shown = [0, 0.25, 0.5, 0.75, 1];

function memoryLines(samples: ReadonlyMap<string, Sample[]>): string[] {
  return [...samples].map(([name, stretch]) => {
    const cells = shown.map((part) => {
      const sample = stretch[Math.round(part * (stretch.length - 1))];
      return `${sample?.mebibytes.toFixed(0)} (${sample?.handles ?? '?'})`.padStart(10);
    });
    const first = stretch[0]?.atMs ?? 0;
    const seconds = (((stretch.at(-1)?.atMs ?? 0) - first) / 1_000).toFixed(0);
    const growth = growthOf(stretch).toFixed(2);
    return `${name.padEnd(10)}${cells.join('')}   in ${seconds} s; last third to middle ${growth}`;
  });
}
