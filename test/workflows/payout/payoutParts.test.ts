import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress } from '../../../src/orders/progress/status';
import { setUp } from '../../support/jest/setUp';
import { createServe, runOrders } from '../../support/orders';
import {
  linesOf,
  newLine,
  newLines,
  openedPayout,
  payoutOf,
  usdcLines,
} from '../../support/payouts';
import { openTill, type Till } from '../../support/service/tillCustody';

const serve = createServe();
const till: Till = openTill();
const orders = setUp(() => runOrders(till.custody));

const opened = (change: object = {}) => openedPayout(orders, payoutOf(till.wallets, change));

describe('a part of a payout', () => {
  test.concurrent('is the same when it is handed over again', async () => {
    const { update } = await opened();
    const lines = usdcLines('1', '2.50');
    const taken = '{"part":1,"lines":2,"totals":{"USDC":"3.5"}}';
    expect(await update('addLines', { part: 1, lines })).toBe(taken);
    expect(await update('addLines', { part: 1, lines })).toBe(taken);
  });

  test.concurrent('takes the place of one with other lines until the seal, and not after it', async () => {
    const own = openTill();
    own.settings.settleMs = 600_000;
    const served = await serve(own.custody);
    const { update, handle, workflowId } = await openedPayout(served, payoutOf(own.wallets));
    const [wrong, right] = [usdcLines('1', '2'), usdcLines('3')];
    await update('addLines', { part: 1, lines: wrong });
    expect(await update('addLines', { part: 1, lines: right })).toContain('"totals":{"USDC":"3"}');
    expect(await update('seal', { parts: 1, totals: { USDC: '3' } })).toBe('{"warnings":[]}');
    const other = 'part: 1 was handed over before, with other lines: line ';
    expect(await update('addLines', { part: 1, lines: wrong })).toContain(other);
    while (own.taken.length === 0) await sleep(50);
    own.settle();
    expect(await handle.result()).toMatchObject({
      lines: 1,
      paid: 1,
      totals: { USDC: { paid: '3' } },
    });
    const results = await linesOf(served, workflowId);
    expect(results.map(({ lineId }) => lineId)).toEqual(right.map(({ lineId }) => lineId));
    const paid = own.taken.map(({ destinationAddress }) => destinationAddress?.toLowerCase());
    expect(paid).toEqual(right.map(({ to }) => to));
  });

  test.concurrent('has its references and names corrected until the seal, and not after it', async () => {
    const own = openTill();
    own.settings.settleMs = 600_000;
    const served = await serve(own.custody);
    const { update, handle, workflowId } = await openedPayout(served, payoutOf(own.wallets));
    const [line] = usdcLines('3');
    const lines = [{ reference: 'RE-1', name: 'Ann' }, { reference: 'RE-2' }, { name: 'Bo' }].map(
      (beside) => [{ ...line, ...beside }],
    );
    const taken = '{"part":1,"lines":1,"totals":{"USDC":"3"}}';
    const besides = async () => {
      const results = await linesOf(served, workflowId);
      return results.map(({ reference, name }) => ({ reference, name }));
    };
    expect(await update('addLines', { part: 1, lines: lines[0] })).toBe(taken);
    expect(await update('addLines', { part: 1, lines: lines[1] })).toBe(taken);
    expect(await besides()).toEqual([{ reference: 'RE-2' }]);
    expect(await update('seal', { parts: 1, totals: { USDC: '3' } })).toBe('{"warnings":[]}');
    while (own.taken.length === 0) await sleep(50);
    expect(await update('addLines', { part: 1, lines: lines[2] })).toBe(taken);
    own.settle();
    expect(await handle.result()).toMatchObject({ lines: 1, paid: 1 });
    expect(await besides()).toEqual([{ reference: 'RE-2' }]);
    expect(own.taken).toHaveLength(1);
  });

  test.concurrent('is refused with each wrong line named, and none of it is accepted', async () => {
    const { update } = await opened();
    const [one, two] = usdcLines('1', '2');
    const lines = [one, { ...two, to: till.wallets[0]?.address }, { ...two, token: 'DAI' }];
    expect(await update('addLines', { part: 1, lines })).toMatch(
      /^line 3 \("[^"]+"\): token: "DAI"/,
    );
    expect(await update('addLines', { part: 1, lines: [one, one] })).toContain('has two lines');
    expect(await update('addLines', { part: 0, lines: [one] })).toBe('part: 0 must be at least 1.');
    expect(await update('addLines', { part: 1, lines: [] })).toBe(
      'lines: [] must have at least 1 entry.',
    );
    expect(await update('seal', { parts: 1, totals: { USDC: '1' } })).toMatch(/^parts: 1 of 1 are/);
  });

  test.concurrent('is refused where a line would go to the wallet that pays it', async () => {
    const { update } = await opened({ wallets: [till.wallets[0]?.id] });
    const line = newLine({ to: till.wallets[0]?.address ?? '' });
    expect(await update('addLines', { part: 1, lines: [line] })).toMatch(
      /^line 1 \("[^"]+"\): to: 0x0101\w+ is the sending wallet itself/,
    );
  });
});

describe('what has been handed over', () => {
  test.concurrent('is told before the seal, in words that fit its number', async () => {
    const { update, handle, workflowId } = await opened();
    const told = async () => {
      const { waitingFor, payout } = await handle.query<Progress>('progress');
      return { waitingFor, payout };
    };
    await orders.progress(workflowId, ({ status }) => status === 'Waiting');
    const nothing = { paid: 0, failed: 0, unknown: 0, skipped: 0, sealed: false };
    expect(await told()).toMatchObject({ payout: { ...nothing, parts: 0, lines: 0, waiting: 0 } });
    await update('addLines', { part: 1, lines: usdcLines('1') });
    const totals = { USDC: { ordered: '1', paid: '0' } };
    expect(await told()).toEqual({
      waitingFor: 'its seal: 1 part, 1 line so far',
      payout: { ...nothing, parts: 1, lines: 1, waiting: 1, totals },
    });
    await update('addLines', { part: 2, lines: usdcLines('2', '3') });
    expect(await told()).toMatchObject({
      waitingFor: 'its seal: 2 parts, 3 lines so far',
      payout: { parts: 2, lines: 3, waiting: 3, totals: { USDC: { ordered: '6' } } },
    });
  });
});

describe('an upload', () => {
  test.concurrent('during which its payout is completed comes to the receipt of that', async () => {
    const own = openTill();
    own.settings.settleMs = 600_000;
    const { steadfast, client } = await serve(own.custody);
    const lines = newLines(1_001);
    const order = payoutOf(own.wallets, { openMax: 2 });
    const { workflowId } = await steadfast.payout(order, lines);
    while (own.taken.length < 2) await sleep(50);
    async function* slow() {
      yield* lines.slice(0, 1_000);
      await steadfast.cancel(workflowId, 'the test is over');
      own.settle();
      await client.workflow.getHandle(workflowId).result();
      yield* lines.slice(1_000);
    }
    const { outcome, receipt } = await steadfast.payout(order, slow());
    expect(outcome).toBe('completed');
    expect(await receipt()).toMatchObject({ lines: 1_001, paid: 2, skipped: 999 });
    expect(own.taken).toHaveLength(2);
  });
});

test.concurrent('a part is paid though the service has told a page of words of each line', async () => {
  // Temporal takes two megabytes at a time. So many pages go beyond it.
  const [own, count] = [openTill({ wallets: 1 }), 700];
  const page = `<html>${'Service Unavailable '.repeat(150)}</html>`;
  own.settings.fate = () => ({ state: 'FAILED', errorReason: page });
  const { steadfast } = await serve(own.custody);
  const lines = newLines(count);
  const order = payoutOf(own.wallets, { batch: false, openMax: 1_000 });
  const first = await steadfast.payout(order, lines);
  expect(await first.receipt()).toMatchObject({ failed: count });
  own.settings.fate = () => ({ state: 'COMPLETE' });
  const again = await steadfast.retry(first.workflowId);
  expect(await again.receipt()).toMatchObject({ paid: count });
  const paid = own.taken.flatMap(({ state, destinationAddress = '' }) =>
    state === 'COMPLETE' ? destinationAddress.toLowerCase() : [],
  );
  expect(paid.sort()).toEqual(lines.map(({ to }) => to.toLowerCase()).sort());
});

describe('an upload that dies half-way', () => {
  test.concurrent('has paid nothing, and is finished by the same call', async () => {
    const lines = newLines(2_100);
    const order = payoutOf(till.wallets);
    async function* dying() {
      yield* lines.slice(0, 1_400);
      throw new Error('the line was cut');
    }
    await expect(orders.steadfast.payout(order, dying())).rejects.toThrow('the line was cut');
    const recipients = new Set(lines.map(({ to }) => to));
    const paid = () =>
      till.taken.filter((one) => recipients.has(one.destinationAddress?.toLowerCase() ?? ''));
    expect(paid()).toEqual([]);
    const parts: number[] = [];
    const { workflowId, outcome } = await orders.steadfast.payout(order, lines, (progress) =>
      parts.push(progress.lines),
    );
    const handedOver = { first: parts[0], last: parts.at(-1), calls: parts.length };
    expect({ outcome, ...handedOver }).toEqual({
      outcome: 'attached',
      first: 0,
      last: 2_100,
      calls: 4,
    });
    await orders.steadfast.cancel(workflowId, 'the test is over');
    const told = await linesOf(orders, workflowId);
    expect(told.map(({ lineId }) => lineId)).toEqual(lines.map(({ lineId }) => lineId));
  });
});
