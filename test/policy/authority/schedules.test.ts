import { textOf } from '../../../src/authority/statement';
import { WithheldError } from '../../../src/custody/errors';
import { periodAt } from '../../../src/orders/schedule/period';
import { settled } from '../../support/sandbox';
import { asOf } from '../writer';
import { askedFor, send, signedOrders } from './signedOrders';

const office = signedOrders();
const dayMs = 86_400_000;
const template = 'yyyy-MM-dd';
const day = (daysFromNow: number): string =>
  periodAt(template, Date.now() + daysFromNow * dayMs, 'UTC');

/** The order of one period of a schedule that was signed two days ago. */
async function ofPeriod(period: string, { amount = '1', schedule = 'rent', signed = 'rent' } = {}) {
  const ordered = office.ordered(amount);
  const from = new Date(Date.now() - 2 * dayMs).toISOString();
  const text = textOf({
    ...ordered.statement,
    order: `transfer:${signed}`,
    periods: { template, timeZone: 'UTC', from },
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
  it('are paid for each period that has begun since', async () => {
    const { api } = office.writer();
    for (const period of [day(-2), day(-1), day(0)]) {
      const { order, request } = await ofPeriod(period);
      await settled(api, (await send(api, order, { request })).id);
    }
    expect(await office.paid()).toEqual([1_000_000n, 1_000_000n, 1_000_000n]);
  });

  it.each([
    ['that has not begun', day(1), 'has not begun'],
    ['of the time before', day(-3), 'was signed for periods from'],
    ['that is none', 'today', 'was signed for periods such as yyyy-MM-dd, not today'],
    ['in another form', '2026-1-5', 'was signed for periods such as'],
    ['with more behind it', `${day(0)}:2`, 'was signed for periods such as'],
    ['of no name', '', 'was signed for periods such as'],
  ])('are not for a period %s', async (_, period, words) => {
    expect(await refusal(period)).toContain(words);
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
