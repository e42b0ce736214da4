import { randomUUID } from 'node:crypto';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { RefusedError } from '../../../src/custody/errors';
import type { Progress } from '../../../src/orders/progress/status';
import { createServe } from '../../support/orders';
import { newLines, payoutOf } from '../../support/payouts';
import { createWallets, inSandbox, tokenTransfers } from '../../support/sandbox';
import { openTill } from '../../support/service/tillCustody';

const sandbox = inSandbox({ settleMs: 300 });
const serve = createServe();

/** A transfer that the service has accepted, and does not know any more. */
async function lostTransfer() {
  let isLost = true;
  const getTransaction: CustodyApi['getTransaction'] = (input, options) =>
    sandbox.client.getTransaction(isLost ? { id: randomUUID() } : input, options);
  const orders = await serve({ ...sandbox.client, getTransaction }, { lookupGraceMs: 2_000 });
  const from = await sandbox.usedWallet('EOA');
  const [{ address: to } = { address: '' }] = await createWallets(sandbox.client, {});
  const id = `transfer:${randomUUID()}`;
  const order = { from: { walletId: from.id }, to, amount: '1.25', token: 'USDC' };
  const { receipt } = await orders.steadfast.start('transferStablecoin', id, order);
  const progress = await orders.progress(id, ({ status }) => status === 'NeedsOperator');
  const moved = async () => (await tokenTransfers(`${sandbox.origin}/_sandbox/rpc`, { to })).length;
  const restore = () => {
    isLost = false;
  };
  return { orders, id, receipt, progress, moved, restore };
}

describe('a transfer whose record the service has lost', () => {
  test.concurrent('waits for a person, and is done once the record is back', async () => {
    const { progress, receipt, restore, moved } = await lostTransfer();
    expect(progress.waitingFor).toMatch(/accepted transaction \S+, and does not know it now\./);
    expect(progress.exits?.length).toBeGreaterThan(0);
    restore();
    expect((await receipt()).state).toBe('COMPLETE');
    expect(await moved()).toBe(1);
  });

  test.concurrent('is given up when a person says so, and is not sent again', async () => {
    const { orders, id, receipt, moved } = await lostTransfer();
    const evidence = 'the service says that the record is gone';
    await orders.steadfast.resolve(id, { target: 'transfer/1#0', finding: 'skip', evidence });
    await expect(receipt()).rejects.toThrow(evidence);
    expect(await moved()).toBe(1);
  });
});

test('a line whose record the service has lost waits for a person until it is back', async () => {
  const till = openTill();
  const { getTransaction, listTransactions } = till.custody;
  const lost = new Set<string>();
  const custody: CustodyApi = Object.assign(Object.create(till.custody), {
    listTransactions: async (...call: Parameters<typeof listTransactions>) => {
      const { transactions } = await listTransactions(...call);
      return { transactions: transactions.filter(({ id }) => !lost.has(id)) };
    },
    getTransaction: async (...call: Parameters<typeof getTransaction>) => {
      if (!lost.has(call[0].id)) return getTransaction(...call);
      throw new RefusedError('Cannot find target transaction', { status: 404, code: 156003 });
    },
  });
  till.settings.settleMs = 600_000;
  const orders = await serve(custody, { lookupGraceMs: 2_000 });
  const order = payoutOf(till.wallets);
  const { workflowId, receipt } = await orders.steadfast.payout(order, newLines(3));
  while (till.taken.length < 3) await new Promise((resolve) => setTimeout(resolve, 50));
  lost.add(till.taken[0]?.id ?? '');
  const isAsking = ({ status }: Progress): boolean => status === 'NeedsOperator';
  const { evidence } = await orders.progress(workflowId, isAsking);
  expect(evidence?.join()).toContain('does not know it now');
  lost.clear();
  till.settle();
  expect(await receipt()).toMatchObject({ lines: 3, paid: 3 });
  expect(till.taken).toHaveLength(3);
});
