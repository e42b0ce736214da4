import { randomUUID } from 'node:crypto';
import { createServe } from '../../support/orders';
import { scriptedCustody, transferOrder } from '../../support/service/scriptedCustody';

const serve = createServe();

// Temporal's calendars end with 2100, and a new year begins at their last moment.
test.each([
  ['each year', '@yearly', 'yyyy'],
  ['each quarter', '0 0 1 1,4,7,10 *', 'yyyy-MM'],
])('a schedule may start one order %s at midnight', async (_, cron, period) => {
  const { schedules } = (await serve(scriptedCustody())).steadfast;
  const id = `rare-${randomUUID()}`;
  const order = { ...transferOrder, reference: 'of {period}' };
  await schedules.create(id, { kind: 'transferStablecoin', order, cron, period, timeZone: 'UTC' });
  try {
    const { next } = await schedules.describe(id);
    expect(next[0]?.at).toMatch(/^\d{4}-\d\d-01T00:00:00/);
  } finally {
    await schedules.remove(id);
  }
});
