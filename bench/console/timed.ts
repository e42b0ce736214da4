import { setTimeout as sleep } from 'node:timers/promises';
import { type Measure, median } from '../measure';
import type { Session } from './stage';

/** Requests of each page in a round, after the first one. */
const requests = 5;
const pageMsMax = 300;
/** A person reads the list for this long, before they open something in it. */
const readsMs = 2_000;

const paths = {
  'sign-in': '/sign-in',
  approvals: '/approvals',
  'one question': '/approvals/payout%3Asalaries-06',
  'one question of many lines': '/approvals/payout%3Alarge',
  'its lines, searched': '/approvals/payout%3Alarge?q=0x00&page=1',
  payouts: '/payouts',
  'one payout': '/payouts/payout%3Asalaries-05',
  'one payout of many lines': '/payouts/payout%3Alarge',
  orders: '/orders',
  'orders that are done': '/orders?status=Done',
  'orders by reference': '/orders?reference=Invoice+42',
  'one order': '/orders/payout%3Asalaries-05',
} as const;

type Name = keyof typeof paths;

/** Milliseconds of each page: its first request of a round, and the median of others. */
export type Timed = ReadonlyMap<Name, { firstMs: number; laterMs: number }>;

/** Asks for each page, one request after another. */
export async function timePages({ read }: Session): Promise<Timed> {
  const timed = new Map<Name, { firstMs: number; laterMs: number }>();
  for (const name of names()) {
    const once = async (): Promise<number> => {
      const startedMs = performance.now();
      await read(paths[name]);
      return performance.now() - startedMs;
    };
    const firstMs = await once();
    if (name === 'approvals') await sleep(readsMs);
    const later: number[] = [];
    for (let request = 0; request < requests; request += 1) later.push(await once());
    timed.set(name, { firstMs, laterMs: median(later) });
  }
  return timed;
}

function names(): Name[] {
  const isName = (name: string): name is Name => Object.hasOwn(paths, name);
  return Object.keys(paths).filter(isName);
}

/** The figures of all pages. The first request of all shows a page that nobody has read before. */
export function pagesMeasured(rounds: readonly Timed[], beside: string): Measure[] {
  return names().flatMap((name): Measure[] => {
    const all = rounds.flatMap((round) => round.get(name) ?? []);
    const goal = { atMost: pageMsMax };
    const values = all.map(({ laterMs }) => laterMs);
    const firsts = all.slice(0, 1).map(({ firstMs }) => firstMs);
    return [
      { name: `page "${name}", ${beside}`, unit: 'ms', values, goal },
      { name: '  read for the first time', unit: 'ms', values: firsts, goal },
    ];
  });
}
