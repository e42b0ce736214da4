import { startOffice } from '../src/cli/demo/office/startOffice';
import { measureLive } from './console/live';
import { fillNamespace, linesOf, openSession } from './console/stage';
import { pagesMeasured, type Timed, timePages } from './console/timed';
import type { Bench, Measure } from './measure';

/** Asks each page of a console for its HTML, and lets many pages listen. */
export const benchConsole: Bench = async ({ rounds, orders, lines }) => {
  const tell = (what: string): void => console.error(`console: ${what}`);
  const office = await startOffice({ port: 0, tell });
  try {
    const origin = await office.ready;
    const { parts, desk } = await office.inside;
    const session = await openSession(office, origin);
    tell(`A payout of ${lines} lines asks for approval`);
    await desk.ask('large', linesOf(lines));
    tell(`${orders} orders are added`);
    await fillNamespace(parts, orders);
    const times: Timed[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await timePages(session));
    const beside = `${orders} orders, ${lines} lines`;
    const pages = pagesMeasured(times, beside);
    return [...pages, ...(await liveMeasured({ parts, desk, session, tell }))];
  } finally {
    await office.stop();
  }
};

async function liveMeasured(stage: Parameters<typeof measureLive>[0]): Promise<Measure[]> {
  const { views, listeningMsPerS, orderMs } = await measureLive(stage);
  return [
    {
      name: `${views} live views of as many orders: Temporal's processor, each second`,
      unit: 'ms',
      values: [listeningMsPerS],
      bound: { name: 'one order', values: [orderMs] },
      goal: { atMost: 1 },
    },
  ];
}
