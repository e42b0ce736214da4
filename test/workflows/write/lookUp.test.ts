import { randomUUID } from 'node:crypto';
import { refId } from '../../../src/custody/idempotencyKey';
import { createServe } from '../../support/orders';
import {
  transferOrder as order,
  type ScriptedCustody,
  scriptedCustody,
  transferRecord,
} from '../../support/service/scriptedCustody';

const newId = (): string => `transfer:${randomUUID()}`;
const serve = createServe();
const sent = (custody: ScriptedCustody) => custody.calls('createTransfer');

it('nothing in an order narrows the list that is looked through', async () => {
  const custody = scriptedCustody();
  const { steadfast } = await serve(custody);
  await steadfast.execute('transferStablecoin', newId(), order);
  // A corrected recipient, another wallet or an old date must not hide a payment.
  const inputs = custody.calls('listTransactions').map(({ input }) => Object.keys(input).sort());
  expect(inputs).toEqual([['includeAll', 'pageSize', 'txType']]);
});

it('finds its transfer in another wallet, to another recipient, and asks a person', async () => {
  const id = newId();
  const walletId = randomUUID();
  const record = transferRecord({
    refId: refId({ workflowId: id, step: 'transfer', item: '1', generation: 0 }),
    walletId,
    destinationAddress: `0x${'9'.repeat(40)}`,
  });
  const custody = scriptedCustody({
    // A service that keeps to the filters it is given.
    listTransactions: ({ walletIds, destinationAddress, pageAfter }) => ({
      transactions: walletIds || destinationAddress || pageAfter ? [] : [record],
    }),
    getTransaction: () => ({ transaction: record }),
  });
  const orders = await serve(custody);
  await orders.steadfast.start('transferStablecoin', id, order);
  const progress = await orders.progress(id, ({ status }) => status === 'NeedsOperator');
  expect(progress.waitingFor).toContain(`walletId is ${walletId}`);
  expect(sent(custody)).toEqual([]);
  await orders.client.workflow.getHandle(id).terminate();
});
