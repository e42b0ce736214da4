import { randomUUID } from 'node:crypto';
import { RefusedError } from '../../../src/custody/errors';
import { refId } from '../../../src/custody/reference';
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
  // The empty list of this service is read twice, since it does not tell its end.
  const question = ['includeAll', 'pageSize', 'txType'];
  expect(inputs).toEqual([question, question]);
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

/** Temporal forgets an attempt when its database is restored from an older backup. */
it('is paid when the list shows it after a refusal, for an attempt may be forgotten', async () => {
  const id = newId();
  const ref = refId({ workflowId: id, step: 'transfer', item: '1', generation: 0 });
  const custody = scriptedCustody({
    createTransfer: () => new RefusedError('no funds', { status: 400, code: 155258 }),
    listTransactions: ({ pageAfter }, call) => ({
      transactions: pageAfter || call <= 2 ? [] : [transferRecord({ refId: ref })],
    }),
  });
  const { steadfast } = await serve(custody);
  const receipt = await steadfast.execute('transferStablecoin', id, order);
  expect(receipt.transactionId).toBe(transferRecord().id);
  expect(sent(custody)).toHaveLength(1);
});
