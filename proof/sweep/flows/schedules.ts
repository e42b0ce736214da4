import { setTimeout as sleep } from 'node:timers/promises';
import { createSchedules } from '../../../src/client/schedules/schedules';
import type { Lane } from '../lane';
import type { Order, Play } from './flow';
import { transferFrom } from './transfers';
import { fundedWallet } from './wallets';

/** Once a year, by a name that has the second in it: by the wall clock it would be another. */
const yearly = { cron: '0 9 1 1 *', period: "yyyy-MM-dd'T'HHmmss" };
const day = '2026-01-01';
const period = `${day}T090000`;
const nextSecondMs = 1_100;

/** A period is triggered, and a moment later its day is backfilled: both are one order. */
export async function preparePeriod(lane: Lane, order: Order): Promise<Play> {
  const { name } = order;
  const { body, ...play } = transferFrom(await fundedWallet(lane, 'EOA'), lane, order);
  const { schedules } = lane.steadfast;
  // Another client creates the schedule, so that its creation is no boundary of the period.
  const aside = createSchedules({ client: lane.observer, taskQueue: 'steadfast' });
  await aside.create(name, { ...yearly, kind: 'transferStablecoin', order: { ...body } });
  return {
    ...play,
    id: `transfer:${name}:${period}`,
    others: [`schedule:${name}:${period}`, `schedule:${name}-${day}T09:00:00Z`],
    start: () => schedules.trigger(name, period, { beforeCreation: true }),
    act: async () => {
      await sleep(nextSecondMs);
      await schedules.backfill(name, { from: day, to: day, beforeCreation: true });
    },
  };
}
