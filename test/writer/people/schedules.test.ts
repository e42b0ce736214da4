import { WithheldError } from '../../../src/custody/errors';
import { periodAt } from '../../../src/orders/schedule/period';
import { textOf } from '../../../src/writer/signing/statement';
import { settled } from '../../support/sandbox';
import { asOf } from '../writer';
import { askedFor, send, signedOrders } from './signedOrders';

const office = signedOrders();
const dayMs = 86_400_000;
const template = 'yyyy-MM-dd';
const day = (daysFromNow: number): string =>
  periodAt(template, Date.now() + daysFromNow * dayMs, 'UTC');

const signedDays = [day(-2), day(-1), day(0), day(1)];
/** Today's period has just begun. */
const rhythm = { every: '86400s' };
const timesOf = (...daysFromNow: number[]): string[] =>
  daysFromNow.map((days) => new Date(Date.now() - 60_000 + days * dayMs).toISOString());

type Signed = { amount?: string; schedule?: string; signed?: string; periods?: object };

/** The order of one period of a schedule, with the request for some of its days. */
async function ofPeriod(
  period: string,
  { amount = '1', schedule = 'rent', signed = 'rent', periods = {} }: Signed = {},
) {
  const ordered = office.ordered(amount);
  const text = textOf({
    ...ordered.statement,
    order: `transfer:${signed}`,
    periods: { template, timeZone: 'UTC', rhythm, times: timesOf(-2, -1, 0, 1), ...periods },
  });
  const parts = { ...ordered.parts, workflowId: `transfer:${schedule}:${period}` };
  const { identity, how } = asOf(parts);
  return {
    order: { ...ordered, parts, how, input: { ...ordered.input, ...identity } },
    request: await office.keys.backend.sign(text, 'request'),
  };
}

async function refusal(period: string, schedule = 'rent'): Promise<string> {
  const { order, request } = await ofPeriod(period, { schedule });
  const error = await send(office.writer().api, order, { request }).catch((thrown) => thrown);
  return error instanceof WithheldError && error.next === 'stop' ? error.message : `! ${error}`;
}

describe('the orders of a schedule that was signed', () => {
  it('are paid once for each of its periods that has begun', async () => {
    const { api } = office.writer();
    for (const period of signedDays.slice(0, 3)) {
      const { order, request } = await ofPeriod(period);
      await settled(api, (await send(api, order, { request })).id);
    }
    expect(await office.paid()).toEqual([1_000_000n, 1_000_000n, 1_000_000n]);
  });

  it.each([
    ['that has not begun', day(1), `Its period ${day(1)} begins at ${day(1)}T`],
    ['that it does not name', day(-3), 'was signed for 4 periods'],
    ['that is none', 'today', 'was signed for 4 periods'],
    ['in another form', day(0).replaceAll('-0', '-'), 'was signed for 4 periods'],
    ['with more behind it', `${day(0)}:2`, 'was signed for 4 periods'],
    ['of no name', '', 'was signed for 4 periods'],
  ])('are not for a period %s', async (_, period, words) => {
    expect(await refusal(period === day(0) ? 'x' : period)).toContain(words);
    expect(await office.paid()).toEqual([]);
  });

  it.each([
    ['wait for a period that begins in a moment, since clocks differ', 120_000, 'again'],
    ['are not sent before the time of their period, though its day has begun', 600_000, 'stop'],
  ])('%s', async (_, aheadMs, next) => {
    const time = Date.now() + aheadMs;
    const { order, request } = await ofPeriod(periodAt(template, time, 'UTC'), {
      periods: { times: [new Date(time).toISOString()] },
    });
    await expect(send(office.writer().api, order, { request })).rejects.toMatchObject({ next });
    expect(await office.paid()).toEqual([]);
  });

  it('are not those of another schedule', async () => {
    expect(await refusal(day(0), 'rental')).toContain('Its request is for the order transfer:rent');
  });

  it('are approved one by one', async () => {
    const { api } = office.writer();
    const salary = { amount: '3', schedule: 'salary', signed: 'salary' };
    const yesterday = await ofPeriod(day(-1), salary);
    const today = await ofPeriod(day(0), salary);
    const { statement } = await askedFor(
      send(api, yesterday.order, { request: yesterday.request }),
    );
    expect(JSON.parse(statement)).toMatchObject({ order: `transfer:salary:${day(-1)}` });
    expect(JSON.parse(statement).periods).toBeUndefined();
    const decisions = await office.both(statement);
    await askedFor(send(api, today.order, { request: today.request, decisions }));
    const { request } = yesterday;
    await settled(api, (await send(api, yesterday.order, { request, decisions })).id);
    expect(await office.paid()).toEqual([3_000_000n]);
  });
});
