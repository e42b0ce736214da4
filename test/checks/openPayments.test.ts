import { runChecks } from '../../src/checks/check';
import { type OpenPaid, openPayments, withOpen } from '../../src/checks/openPayments';
import type { Paid } from '../../src/checks/payment';
import { aggregate, batchCall } from '../../src/custody/batch';
import { RefusedError } from '../../src/custody/errors';
import type { Transaction } from '../../src/custody/objects/transaction';
import { refHash, refId } from '../../src/custody/reference';
import { createAccountIndex } from '../../src/store/index/accountIndex';
import { scriptedCustody, sender, transferRecord } from '../support/service/scriptedCustody';
import { anyAddress, asPaid, book, corpus, history, nowMs } from './corpus';

const to = anyAddress();
const createDate = new Date(nowMs - 3_600_000).toISOString();
/** Ids so long that a reference cuts the order's id, and those of which it keeps a part alone. */
const uuid = `${'0f8fad5b-'.repeat(5)}d9cb469`;
const longId = `line-${'0'.repeat(59)}`;
const line = { lineId: 'now', to, amount: '5', token: 'USDC' };

function sent(workflowId: string, fields: Partial<Transaction> = {}): Transaction {
  const write = { workflowId, step: 'line', item: 'a', generation: 0 };
  const own = { id: `record of ${workflowId}`, refId: refId(write), createDate };
  return transferRecord({ ...own, updateDate: createDate, destinationAddress: to, ...fields });
}

/** The open payments of an index with some records. */
async function openIn(
  records: readonly Transaction[],
  orderId = 'payout:now',
  change: { payments?: readonly { lineId: string }[]; days?: number } = {},
): Promise<OpenPaid[]> {
  const custody = scriptedCustody({ listTransactions: () => ({ transactions: [] }) });
  const index = createAccountIndex({ custody, graceMs: 0 });
  while ((await index.build()) !== undefined) if (await index.isWhole()) break;
  await index.keep(records);
  return (
    (await openPayments({ index, custody }, { orderId, payments: [line], nowMs, ...change })) ?? []
  );
}

function hashOf({ orderId: workflowId, lineId: item }: Paid): string {
  return refHash({ workflowId, step: 'line', item });
}

async function told(open: OpenPaid[] | undefined, paid: readonly Paid[] = history) {
  const facts = { book, paid: [paid], open, nowMs };
  return (await runChecks({ orderId: 'payout:now', payments: [line] }, facts)).findings
    .filter(({ check }) => check === 'paidBefore')
    .map(({ words }) => words.replace(/^.*, as in /, ''));
}

describe('the payments of orders that run', () => {
  test('are told, whether they have settled or not', async () => {
    const running = await openIn([sent('payout:other', { state: 'SENT' })]);
    expect(await told(running)).toEqual(['payout:other, which is running']);
    const settled = await openIn([sent('payout:other')]);
    expect(await told(settled)).toEqual(['payout:other, less than a day ago']);
    expect(await told(undefined)).toEqual([]);
  });

  test('are looked for as far back as is asked', async () => {
    const createDate = new Date(nowMs - 40 * 86_400_000).toISOString();
    const records = [sent('payout:other', { createDate, state: 'SENT' })];
    expect(await openIn(records)).toEqual([]);
    expect(await openIn(records, 'payout:now', { days: 45 })).toHaveLength(1);
  });

  test('are told of each line of a batch, once', async () => {
    const tokenAddress = `0x36${'0'.repeat(38)}`;
    const payments = [{ to, baseUnits: '5000000', mark: 'ab'.repeat(16) }];
    const account = { address: sender.address, accountType: 'EOA' };
    const call = batchCall(account, { tokenAddress, payments }, { mayFail: true });
    expect(call.abiFunctionSignature).toBe(aggregate);
    const write = { workflowId: 'payout:other', step: 'batch', item: 'b', generation: 0 };
    const batch = sent('payout:other', { ...call, refId: refId(write), state: 'SENT' });
    const { destinationAddress: _, tokenId: __, amounts: ___, ...record } = batch;
    const open = await openIn([record]);
    expect(open).toMatchObject([{ to, amount: '5', isPayout: true }]);
    expect(await told(open)).toEqual(['payout:other, which is running']);
  });

  test('are not those that had no effect, or of the order itself', async () => {
    const failed = sent('payout:other', { state: 'FAILED' });
    const long = `payout:${'long-'.repeat(20)}end`;
    const own = [sent('payout:now', { state: 'SENT' }), failed];
    expect(await openIn(own)).toEqual([]);
    expect(await openIn([sent(long, { state: 'SENT' })], long)).toEqual([]);
  });

  test('are not counted again where the archive has their receipts', async () => {
    const [honest] = corpus;
    const paid = asPaid(honest?.payments ?? [], 1);
    const open = paid.map((one) => ({ ...one, step: 'line', hash: hashOf(one) }));
    const pages: Paid[] = [];
    for await (const page of withOpen([paid], [...open, ...open.slice(0, 1)])) pages.push(...page);
    expect(pages).toHaveLength(paid.length + 1);
  });

  test.each([
    ['a line', { workflowId: 'payout:january', step: 'line', item: uuid, generation: 0 }],
    ['a line of a long id', { workflowId: 'payout:a', step: 'line', item: longId, generation: 0 }],
    ['a transfer', { workflowId: longId, step: 'transfer', item: '1', generation: 0 }],
  ])('are the receipt of %s whose reference has lost its order', async (_, parts) => {
    const { workflowId: orderId, item: lineId, step } = parts;
    const open = await openIn([sent(orderId, { refId: refId(parts) })]);
    const [one] = open;
    expect(one?.orderId).not.toBe(orderId);
    if (one === undefined) throw new Error('Nothing is open.');
    const receipt = { ...one, orderId, lineId, isPayout: step === 'line' };
    const other = { ...receipt, orderId: `${orderId}-other` };
    const pages: Paid[] = [];
    for await (const page of withOpen([[other, receipt]], open)) pages.push(...page);
    expect(pages).toEqual([other, receipt]);
  });

  test('are another order whose long id ends alike, and never the own long lines', async () => {
    const january = { workflowId: 'payout:january', step: 'line', item: uuid, generation: 0 };
    const records = [sent('payout:january', { refId: refId(january), state: 'SENT' })];
    const february = await openIn(records, 'payout:february');
    expect(await told(february)).toEqual(['a payout whose id ends in "ry", which is running']);
    expect(await openIn(records, 'payout:january')).toEqual([]);
    const own = { workflowId: 'payout:now', step: 'line', item: longId, generation: 0 };
    const long = [sent('payout:now', { refId: refId(own), state: 'SENT' })];
    expect(
      await openIn(long, 'payout:now', { payments: [{ lineId: 'a' }, { lineId: longId }] }),
    ).toEqual([]);
    const others = await openIn(long, 'payout:now', { payments: [{ lineId: 'a' }] });
    expect(await told(others)).toEqual(['an order of a long id, which is running']);
  });

  test('are not known before the index has read the whole list', async () => {
    const custody = scriptedCustody();
    const index = createAccountIndex({ custody, graceMs: 0 });
    expect(await openPayments({ index, custody }, { nowMs })).toBeUndefined();
  });

  test.each([429, 500, 401])(
    'are no fewer where the service answers %d about a token',
    async (status) => {
      const custody = scriptedCustody({
        listTransactions: () => ({ transactions: [] }),
        getToken: () => new RefusedError('Not now.', { code: status, status }),
      });
      const index = createAccountIndex({ custody, graceMs: 0 });
      while ((await index.build()) !== undefined) if (await index.isWhole()) break;
      await index.keep([sent('payout:other', { tokenId: 'own' })]);
      await expect(openPayments({ index, custody }, { nowMs })).rejects.toThrow('Not now.');
    },
  );
});
