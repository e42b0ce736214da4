import { randomUUID } from 'node:crypto';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { NoAnswerError, RefusedError } from '../../../src/custody/errors';
import { refId } from '../../../src/custody/reference';
import { createServe } from '../../support/orders';
import { linesOf, newLines, payoutOf } from '../../support/payouts';
import { blockchain, usdc } from '../../support/sandbox';
import { openTill } from '../../support/service/tillCustody';

const serve = createServe();

/** A service whose list does not show some transfers for a while. */
function openSlowTill() {
  const till = openTill({ wallets: 1 });
  const hidden = new Set<string>();
  const custody: CustodyApi = Object.assign(Object.create(till.custody), {
    listTransactions: async (...call: Parameters<CustodyApi['listTransactions']>) => {
      const { transactions } = await till.custody.listTransactions(...call);
      return { transactions: transactions.filter(({ refId = '' }) => !hidden.has(refId)) };
    },
  });
  return { till, hidden, custody };
}

test('an unknown line that is skipped, and found before its payout ends, is told as paid', async () => {
  const { till, hidden, custody } = openSlowTill();
  const orders = await serve(custody);
  const lines = newLines(2);
  const [first] = lines;
  let calls = 0;
  till.settings.settleMs = 600_000;
  till.settings.onTransfer = (input, take) => {
    if (input.destinationAddress.toLowerCase() !== first?.to) return take();
    calls += 1;
    if (calls > 1) throw new RefusedError('no funds', { status: 400, code: 155258 });
    hidden.add(input.refId ?? '');
    take();
    throw new NoAnswerError('lost');
  };
  const { workflowId, receipt } = await orders.steadfast.payout(payoutOf(till.wallets), lines);
  const { exits = [] } = await orders.progress(workflowId, ({ status }) => status === 'Unknown');
  expect(exits.map(({ command }) => command).join()).toContain('--finding skip');
  const finding = { target: `line/${first?.lineId}#0`, finding: 'skip', evidence: 'gone' } as const;
  expect(await orders.steadfast.resolve(workflowId, finding)).toContain('is given up');
  hidden.clear();
  till.settle();
  expect(await receipt()).toMatchObject({ lines: 2, paid: 2, unknown: 0 });
  expect(await linesOf(orders, workflowId)).toMatchObject([{ outcome: 'paid' }, {}]);
  expect(till.taken).toHaveLength(2);
});

test('a line that was skipped before an older payment of it shows is told as paid', async () => {
  const { till, hidden, custody } = openSlowTill();
  const orders = await serve(custody);
  const lines = newLines(2);
  const [first] = lines;
  const order = payoutOf(till.wallets);
  // Temporal has forgotten this run, and the list does not show its payment yet.
  const id = `payout:${order.payoutId}`;
  await till.custody.createTransfer({
    walletAddress: till.wallets[0]?.address ?? '',
    destinationAddress: first?.to ?? '',
    amounts: [first?.amount ?? ''],
    tokenAddress: usdc,
    blockchain,
    feeLevel: 'MEDIUM',
    idempotencyKey: randomUUID(),
    refId: refId({ workflowId: id, step: 'line', item: first?.lineId ?? '', generation: 0 }),
  });
  hidden.add(till.taken[0]?.refId ?? '');
  let isRefused = true;
  till.settings.onTransfer = (_, take) => {
    if (isRefused) throw new RefusedError('key not found', { status: 401, code: 156007 });
    return take();
  };
  const { workflowId, receipt } = await orders.steadfast.payout(order, lines);
  await orders.progress(workflowId, ({ status }) => status === 'NeedsOperator');
  await orders.steadfast.skip(workflowId, [first?.lineId ?? ''], 'not wanted');
  hidden.clear();
  isRefused = false;
  await orders.client.workflow.getHandle(workflowId).signal('wake');
  expect(await receipt()).toMatchObject({ lines: 2, paid: 2, skipped: 0 });
  expect(till.taken).toHaveLength(2);
});
