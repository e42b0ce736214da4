import { moniesOf } from '../../../src/books/money';
import type { ArchivedReceipt } from '../../../src/books/receipt';
import { classifyPayments } from '../../../src/books/reconcile/classify';
import type { Case } from '../../../src/books/reconcile/differences';
import { refId } from '../../../src/custody/reference';

const monies = moniesOf('ARC-TESTNET');
const dayMs = 86_400_000;
/** In base units of the native coin, which USDC is. */
const oneUsdc = 10n ** 18n;
const [monday, tuesday] = [Date.UTC(2026, 0, 5), Date.UTC(2026, 0, 6)];
const scopes = {
  monday: {
    period: { fromMs: monday, untilMs: tuesday },
    monies,
    span: { opening: 100, closing: 200 },
    earlier: 0,
  },
  tuesday: {
    period: { fromMs: tuesday, untilMs: tuesday + dayMs },
    monies,
    span: { opening: 200, closing: 300 },
    earlier: 100,
  },
};
const [payer, payee] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];
const line = { workflowId: 'payout:january', step: 'line', item: 'a-1', generation: 0 };

/** A payment that was mined on Monday, just before midnight. */
function paymentOf(record: Partial<Case['record']>, rest: Partial<Case> = {}): Case {
  const place = { block: 199, timeMs: tuesday - 1_000, txHash: '0xaa', txIndex: 0, logIndex: 3 };
  const usdc = monies.listed.find(({ name }) => name === 'USDC');
  const effect = {
    ...place,
    at: 1,
    wallet: payer,
    counterparty: payee,
    kind: 'transfer' as const,
    change: `-${oneUsdc}`,
    token: 'USDC',
    decimals: 18,
  };
  const known = { effect, receipt: undefined, twice: undefined, failed: undefined };
  return {
    record: {
      transactionType: 'OUTBOUND',
      id: 'one',
      state: 'COMPLETE',
      refId: refId(line),
      txHash: '0xaa',
      blockchain: 'ARC-TESTNET',
      sourceAddress: payer,
      createDate: new Date(tuesday - 60_000).toISOString(),
      updateDate: new Date(tuesday - 500).toISOString(),
      ...record,
    },
    moved: [effect],
    paid: rest.moved?.length === 0 ? [] : [known],
    receipts: [],
    expected: usdc && [{ money: usdc, to: payee, units: oneUsdc }],
    comparison: { missing: [], strange: [] },
    order: { id: line.workflowId, isRunning: false, endedMs: tuesday - 100 },
    hasArchive: true,
    ...rest,
  };
}

const changedOnTuesday = { updateDate: new Date(tuesday + 60_000).toISOString() };
const endedOnTuesday = { id: line.workflowId, isRunning: false, endedMs: tuesday + 60_000 };

describe('a payment of an order that nobody knows', () => {
  it.each([
    [true, 'missing here'],
    [false, 'ours but forgotten'],
  ])('needs a person if there is an archive: %s', (hasArchive, own) => {
    const unknown = paymentOf({}, { order: undefined, hasArchive });
    expect(classifyPayments(unknown, scopes.monday)).toMatchObject([{ class: own }]);
  });
});

describe('a payment that is found by payee and amount alone', () => {
  const found = { class: 'matched', why: expect.stringContaining('by payee and amount alone') };
  const order = { id: line.workflowId, isRunning: true };

  it.each([[''], ['0xbb']])('is matched with that reason where the record names "%s"', (txHash) => {
    const [own] = classifyPayments(paymentOf({ txHash }, { order }), scopes.monday);
    expect(own).toMatchObject(found);
  });

  it('is plainly matched where a receipt names its transaction too, or its batch has a mark', () => {
    const one = paymentOf({ txHash: '' }, { order });
    const [paid] = one.paid;
    if (paid === undefined) throw new Error('It has paid nothing.');
    const { txHash } = paid.effect;
    const receipt = { chain: { txHash }, order: {} } as ArchivedReceipt;
    const marked = { ...paid, effect: { ...paid.effect, mark: 'ab' } };
    for (const own of [{ ...paid, receipt }, marked]) {
      const [row] = classifyPayments({ ...one, paid: [own] }, scopes.monday);
      expect(row).toMatchObject({ class: 'matched' });
      expect(row?.why).toBeUndefined();
    }
  });
});

const sevenUnits = '0.000000000000000007';

test.each(['0.1234567890123456789', 'a lot', '-1'])(
  'a fee of %s, which nobody can have paid, ends no close',
  (networkFee) => {
    const own = paymentOf({ networkFee });
    const [transfer] = own.moved;
    if (transfer === undefined) throw new Error('It has moved nothing.');
    const moved = [transfer, { ...transfer, kind: 'fee' as const, change: '-7' }];
    const isFee = networkFee.startsWith('0');
    expect(classifyPayments({ ...own, moved }, scopes.monday)[1]?.why).toBe(
      isFee
        ? `The service shows a fee of ${networkFee}, the chain shows ${sevenUnits} USDC.`
        : undefined,
    );
  },
);
describe('a payment of the day before', () => {
  it('that was in flight then is judged again once its record is final', () => {
    const before = classifyPayments(
      paymentOf({ state: 'SENT', blockHeight: undefined }),
      scopes.monday,
    );
    expect(before).toMatchObject([{ class: 'in flight', amount: '1' }]);
    const failed = paymentOf({ state: 'FAILED', ...changedOnTuesday });
    expect(classifyPayments(failed, scopes.tuesday)).toMatchObject([
      {
        class: 'called failed',
        amount: '1',
        block: 199,
        why: expect.stringContaining('shows FAILED, but the chain shows that it moved money'),
      },
    ]);
  });

  it('that the chain does not have is told once its record shows success', () => {
    const lost = paymentOf({ blockHeight: 199, ...changedOnTuesday }, { moved: [] });
    expect(classifyPayments(lost, scopes.tuesday)).toMatchObject([{ class: 'missing on chain' }]);
  });

  it('whose order ran then is judged again once the order has ended', () => {
    const running = { id: line.workflowId, isRunning: true };
    const before = classifyPayments(
      paymentOf({ blockHeight: 199 }, { order: running }),
      scopes.monday,
    );
    expect(before).toMatchObject([{ class: 'matched' }]);
    const ended = paymentOf({ blockHeight: 199 }, { order: endedOnTuesday });
    expect(classifyPayments(ended, scopes.tuesday)).toMatchObject([
      { class: 'missing here', why: 'The archive has no receipt of it.' },
    ]);
  });

  it('has no row if nothing is wrong with it, or if it was told on its own day', () => {
    const sound = paymentOf(changedOnTuesday, { order: endedOnTuesday, hasArchive: false });
    expect(classifyPayments(sound, scopes.monday)).toMatchObject([{ class: 'matched' }]);
    expect(classifyPayments(sound, scopes.tuesday)).toEqual([]);
    const told = paymentOf({ state: 'FAILED' });
    expect(classifyPayments(told, scopes.monday)).toMatchObject([{ class: 'called failed' }]);
    expect(classifyPayments(told, scopes.tuesday)).toEqual([]);
  });

  it('is of no interest where nobody asks for the day before', () => {
    const { earlier: _, ...alone } = scopes.tuesday;
    const failed = paymentOf({ state: 'FAILED', ...changedOnTuesday }, { moved: [] });
    expect(classifyPayments(failed, alone)).toEqual([]);
  });
});

describe('a payment that is called complete, and that the chain does not show', () => {
  const [created, updated] = [tuesday + 1_000, tuesday + 2_000].map((ms) =>
    new Date(ms).toISOString(),
  );
  const order = { id: line.workflowId, isRunning: false, endedMs: tuesday + 3_000 };

  it.each([
    ['an honest height', { blockHeight: 250 }],
    ['the height of an old transaction', { blockHeight: -50 }],
    ['no height, and a date that cannot be read', { updateDate: '' }],
    [
      'no height, and a date of the day before',
      { updateDate: new Date(tuesday - 1).toISOString() },
    ],
    ['no date of its day at all', { createDate: '', updateDate: '' }],
  ])('is a difference of the day of its order, with %s', (_, given) => {
    const record = { createDate: String(created), updateDate: String(updated), ...given };
    const one = paymentOf(record, { moved: [], order });
    expect(classifyPayments(one, scopes.tuesday).map((row) => row.class)).toEqual([
      'missing on chain',
    ]);
  });
});
