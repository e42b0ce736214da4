import { batchStep, markOf } from '../../../src/custody/batch';
import { batchesHash, refHash } from '../../../src/custody/reference';
import type { Ledger, Reservation } from '../../../src/writer/ledger/ledger';
import { ledgerAt } from '../../../src/writer/ledger/ledgerAt';
import type { PaidLine } from '../../../src/writer/ledger/lines';
import { anyLine, anyPayout } from '../../../src/writer/ledger/lines';
import { kinds } from './kinds';
import { endOf, lifetimeMs, outsideOf, transferOf, usdc, window } from './reservations';

const workflowId = 'payout:march';
let ledger: Ledger;

/** A line that is let out alone. */
const alone = (item: string, generation = 0): Reservation =>
  transferOf(usdc, { workflowId, step: 'line', item, generation });

/** A batch of lines, such as "a" or "b#1". */
function batchOf(...lines: string[]): Reservation {
  const item = lines.join(' ');
  const paid = lines.map((one): PaidLine => {
    const [lineId = '', generation = '0'] = one.split('#');
    const line = { lineId, generation: Number(generation) };
    const mark = markOf(workflowId, lineId, line.generation);
    return { mark, money: 'native', amount: usdc, line };
  });
  const amount = usdc * BigInt(lines.length);
  return { ...transferOf(amount, { workflowId, step: batchStep, item }), lines: paid };
}

/** "reserved", "repeated", "lookUp", or the places of a batch's lines that are not let out. */
async function reserved(asked: Reservation): Promise<unknown> {
  const answer = await ledger.reserve(asked);
  return answer.kind === 'refused' ? (answer.apart ?? answer.words) : answer.kind;
}

const withEnd = async (asked: Reservation, hadEffect: boolean): Promise<void> => {
  await ledger.end([endOf(asked, hadEffect)]);
};

describe.each(kinds)('in $name', ({ start, newPlace, stop }) => {
  beforeAll(start);
  afterAll(stop);
  beforeEach(async () => {
    ledger = await ledgerAt(await newPlace(), { keyLifetimeMs: lifetimeMs });
  });
  afterEach(() => ledger.close());

  it('a line is let out alone or in one batch', async () => {
    expect(await reserved(alone('a'))).toBe('reserved');
    expect(await reserved(batchOf('b', 'a', 'c'))).toEqual([1]);
    expect(await reserved(batchOf('b', 'c'))).toBe('reserved');
    expect(await reserved(batchOf('b', 'c'))).toBe('repeated');
    expect(await reserved(batchOf('c', 'd', 'b'))).toEqual([0, 2]);
    expect(await reserved(alone('c'))).toBe('lookUp');
    expect(await reserved(alone('d'))).toBe('reserved');
  });

  it('a batch that was never sent leaves its lines to others', async () => {
    const whole = batchOf('a', 'b');
    expect(await reserved(whole)).toBe('reserved');
    await ledger.withoutEffect(whole.key);
    expect(await reserved(alone('a'))).toBe('reserved');
    expect(await reserved(whole)).toEqual([0]);
    expect(await reserved(batchOf('b', 'c'))).toBe('reserved');
  });

  it('the halves of a batch go on under the next generation, once it had no effect', async () => {
    const whole = batchOf('a', 'b', 'c', 'd');
    await reserved(whole);
    expect(await reserved(batchOf('a#1', 'b#1'))).toEqual([0, 1]);
    expect(await reserved(alone('c', 1))).toBe('lookUp');
    await withEnd(whole, false);
    expect(await reserved(batchOf('a', 'b'))).toEqual([0, 1]);
    expect(await reserved(whole)).toBe('lookUp');
    expect(await reserved(batchOf('a#1', 'b#1'))).toBe('reserved');
    expect(await reserved(alone('c', 1))).toBe('reserved');
    expect(await reserved(batchOf('c#1', 'd#1'))).toEqual([0]);
    expect(await reserved(batchOf('d#2', 'e'))).toEqual([0]);
  });

  it('lines of a batch that had an effect go on under no generation', async () => {
    const whole = batchOf('a', 'b');
    await reserved(whole);
    await withEnd(whole, true);
    expect(await reserved(batchOf('a#1', 'b#1'))).toEqual([0, 1]);
    expect(await reserved(alone('a', 1))).toBe('lookUp');
    expect(await reserved(alone('a', 2))).toBe('lookUp');
  });

  it('a line alone and a batch go on after one another', async () => {
    const first = alone('a');
    await reserved(first);
    await withEnd(first, false);
    const second = batchOf('a#1', 'b');
    expect(await reserved(second)).toBe('reserved');
    await withEnd(second, false);
    expect(await reserved(alone('a', 2))).toBe('reserved');
    expect(await reserved(batchOf('b#1', 'a#1'))).toEqual([1]);
  });

  it('a late effect of a batch is told, and holds its lines again', async () => {
    const whole = batchOf('a', 'b');
    await reserved(whole);
    await withEnd(whole, false);
    expect(await ledger.end([endOf(whole, true)])).toHaveLength(1);
    expect(await reserved(alone('a', 1))).toBe('lookUp');
  });

  it('lines of a batch that only the list knows are burnt in all generations', async () => {
    const marks = [markOf(workflowId, 'a', 0), markOf(workflowId, 'b', 3)];
    await ledger.enter([outsideOf(usdc, { lines: { payout: batchesHash(workflowId), marks } })]);
    expect(await reserved(batchOf('a', 'b', 'c'))).toEqual([0, 1]);
    expect(await reserved(alone('a', 1))).toBe('lookUp');
    expect(await reserved(alone('b', 4))).toBe('lookUp');
    expect(await reserved(alone('c'))).toBe('reserved');
  });

  it('a batch of the list that nobody can read burns all lines of its payout', async () => {
    await ledger.enter([
      outsideOf(usdc, { lines: { payout: batchesHash(workflowId), marks: [anyLine] } }),
    ]);
    expect(await reserved(batchOf('a', 'b'))).toEqual([0, 1]);
    expect(await reserved(alone('c'))).toBe('lookUp');
    expect(await reserved(alone('c', 30))).toBe('lookUp');
    const other = { ...transferOf(usdc, { workflowId: 'payout:april', step: 'line' }) };
    expect(await reserved(other)).toBe('reserved');
  });

  it('a batch of the list that names no payout burns its lines in every payout', async () => {
    const marks = [markOf(workflowId, 'a', 0)];
    await ledger.enter([outsideOf(usdc, { lines: { payout: anyPayout, marks } })]);
    expect(await reserved(batchOf('a', 'b'))).toEqual([0]);
    expect(await reserved(alone('a', 1))).toBe('lookUp');
    expect(await reserved(batchOf('b', 'c'))).toBe('reserved');
  });

  it('the marks of a batch hold up no line of another payout', async () => {
    const { lines = [], parts, ...batch } = batchOf('a', 'b');
    const unnamed = lines.map(({ line: _, ...one }) => one);
    const evil = { ...transferOf(2n * usdc, { ...parts, workflowId: 'payout:evil' }) };
    expect(await reserved({ ...batch, ...evil, lines: unnamed })).toBe('reserved');
    const outside = { payout: batchesHash('payout:other'), marks: lines.map(({ mark }) => mark) };
    await ledger.enter([outsideOf(usdc, { lines: outside })]);
    expect(await reserved(batchOf('a', 'c'))).toBe('reserved');
    expect(await reserved(alone('b'))).toBe('reserved');
    await withEnd(evil, true);
    expect(await ledger.settledBatch(workflowId, markOf(workflowId, 'a', 0))).toBeUndefined();
    await ledger.unpaid('t1', [markOf(workflowId, 'a', 0)]);
    expect(await reserved(alone('a'))).toBe('lookUp');
    expect(await reserved(alone('a', 1))).toBe('lookUp');
  });

  it('a line that one person has rejected goes into no batch', async () => {
    const { parts } = alone('b');
    await ledger.reject({ parts, isOfAll: false, person: 'ann', signature: 's' });
    expect(await reserved(batchOf('a', 'b'))).toEqual([1]);
    expect(await reserved(batchOf('a', 'b#1'))).toEqual([1]);
  });

  it('a payment that failed alone is tried again, and no longer counts', async () => {
    const whole = batchOf('a', 'b', 'c');
    await reserved(whole);
    await withEnd(whole, true);
    expect((await ledger.usage(window)).counted).toBe(3n * usdc);
    const [a = '', b = ''] = ['a', 'b'].map((lineId) => markOf(workflowId, lineId, 0));
    expect(await ledger.settledBatch(workflowId, b)).toBe('t1');
    await ledger.unpaid('t2', [a]);
    for (const _ of 'ab') await ledger.unpaid('t1', [b]);
    expect((await ledger.usage(window)).counted).toBe(2n * usdc);
    expect(await ledger.settledBatch(workflowId, b)).toBeUndefined();
    expect(await reserved(alone('a', 1))).toBe('lookUp');
    expect(await reserved(alone('b', 1))).toBe('reserved');
    expect(await reserved(batchOf('c#1', 'b#1'))).toEqual([0, 1]);
    expect(await reserved(alone('b'))).toBe('lookUp');
  });

  it('of an unsigned payout, a payment is let out once by its mark', async () => {
    const unnamed = (...lines: string[]): Reservation => {
      const { lines: paid = [], ...batch } = batchOf(...lines);
      return { ...batch, lines: paid.map(({ line: _, ...one }) => one) };
    };
    const whole = unnamed('a', 'b');
    expect(await reserved(whole)).toBe('reserved');
    expect(await reserved(unnamed('c', 'b'))).toEqual([1]);
    expect(await reserved(alone('a'))).toBe('lookUp');
    await withEnd(whole, false);
    expect(await reserved(alone('a', 1))).toBe('reserved');
    expect(await reserved(unnamed('b#1', 'c'))).toBe('reserved');
  });

  it('two batches with the same line are let out one at a time', async () => {
    const answers = await Promise.all([batchOf('a', 'b'), batchOf('b', 'c')].map(reserved));
    expect(answers.filter((answer) => answer === 'reserved')).toHaveLength(1);
    const parts = { workflowId, step: batchStep, item: 'a b' };
    const known = await ledger.known({ hash: refHash(parts), generation: 0 });
    expect(known === undefined).toBe(answers[0] !== 'reserved');
  });
});
