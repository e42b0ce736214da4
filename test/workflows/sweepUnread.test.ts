import { randomUUID } from 'node:crypto';
import { refId } from '../../src/custody/reference';
import { createServe } from '../support/orders';
import {
  scriptedCustody,
  sender,
  transferRecord,
  treasury,
} from '../support/service/scriptedCustody';

const serve = createServe();

/** A sweep of one empty wallet, whose money was sent before. The record does not tell its amount. */
async function sweptBefore(told: string[] | null) {
  const id = `sweep:${randomUUID()}`;
  const parts = { workflowId: id, step: 'sweep', item: '1', generation: 0 };
  const fields = { refId: refId(parts), destinationAddress: treasury.address };
  let amounts = told;
  const record = () => transferRecord({ ...fields, amounts });
  const custody = scriptedCustody({
    listTransactions: ({ pageAfter }) => ({ transactions: pageAfter ? [] : [record()] }),
    getTransaction: () => ({ transaction: record() }),
    listBalances: () => ({ tokenBalances: [] }),
  });
  const orders = await serve(custody);
  const order = { wallets: [sender.id], into: { walletId: treasury.id }, token: 'USDC' };
  const started = await orders.steadfast.start('sweepWallets', id, order);
  const { waitingFor } = await orders.progress(id, ({ status }) => status !== 'Preparing');
  const tell = async (now: string[]): Promise<void> => {
    amounts = now;
    await orders.client.workflow.getHandle(id).signal('wake');
  };
  return { orders, id, started, waitingFor, tell, custody };
}

describe('a sweep that finds its own payment of before', () => {
  test.each([
    ['no amount', null],
    ['an empty one', ['']],
    ['nothing', ['0']],
    ['a word', ['much']],
  ])('whose record tells %s waits for the amount, and has collected it then', async (_, told) => {
    const { started, waitingFor, tell, custody } = await sweptBefore(told);
    expect(waitingFor).toContain(`${transferRecord().id}, whose record does not tell the amount`);
    await tell(['5']);
    expect(await started.receipt()).toMatchObject({
      total: '5',
      collected: [{ walletId: sender.id, amount: '5' }],
      left: [],
    });
    expect(custody.calls('createTransfer')).toEqual([]);
  });

  test('whose record does not tell the amount ends as failed once it is cancelled', async () => {
    const { orders, id, started } = await sweptBefore(null);
    await orders.steadfast.cancel(id, 'nobody can read the record');
    await expect(started.receipt()).rejects.toMatchObject({ outcome: 'failed' });
  });
});
