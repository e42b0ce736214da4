import { randomUUID } from 'node:crypto';
import { RefusedError } from '../../src/custody/errors';
import { refId } from '../../src/custody/reference';
import { createServe } from '../support/orders';
import {
  blockchain,
  scriptedCustody,
  sender,
  transferRecord,
} from '../support/service/scriptedCustody';
import { someone } from '../support/stages';

const serve = createServe();

/** A deployment that an earlier run has sent, and whose contract the service does not list. */
async function sentBefore(state: string) {
  const id = `deploy:${randomUUID()}`;
  const parts = { workflowId: id, step: 'deploy', item: '1', generation: 0 };
  const own = { destinationAddress: undefined, tokenId: undefined, amounts: null };
  const record = transferRecord({ ...own, refId: refId(parts), state });
  const address = someone();
  const contract = { id: randomUUID(), blockchain, status: 'COMPLETE', contractAddress: address };
  let [isListed, isLost, isClosed] = [false, false, false];
  const gone = () => new RefusedError('Not found', { status: 404, code: 404 });
  const custody = scriptedCustody({
    listTransactions: ({ pageAfter }) => ({ transactions: pageAfter ? [] : [record] }),
    getTransaction: () => (isLost ? gone() : { transaction: record }),
    listContracts: ({ pageAfter }) => ({
      contracts:
        isListed && !pageAfter ? [{ ...contract, deploymentTransactionId: record.id }] : [],
    }),
    getContract: ({ id: asked }) => {
      if (isClosed) return new RefusedError('key not found', { status: 401, code: 156007 });
      return asked === contract.id ? { contract } : new Error(asked);
    },
  });
  const orders = await serve(custody);
  const order = { walletId: sender.id, name: 'Harbour', template: randomUUID(), parameters: {} };
  const started = await orders.steadfast.start('deployContract', id, order);
  const list = (): void => {
    isListed = true;
  };
  const lose = (): void => {
    isLost = true;
  };
  const close = (): void => {
    isClosed = true;
  };
  return { orders, id, started, list, lose, close, contract };
}

describe('a deployment that was sent before, and whose contract is not listed,', () => {
  test('has failed, if the service says so', async () => {
    const { started } = await sentBefore('FAILED');
    await expect(started.receipt()).rejects.toMatchObject({ outcome: 'failed' });
  });

  test('waits for its contract, and is done with it', async () => {
    const { orders, id, started, list, contract } = await sentBefore('COMPLETE');
    await orders.progress(id, ({ waitingFor }) => waitingFor.includes('is not listed yet'));
    list();
    await orders.client.workflow.getHandle(id).signal('wake');
    const { id: contractId, contractAddress } = contract;
    expect(await started.receipt()).toMatchObject({ contractId, contractAddress });
  });

  test('ends as failed once it is cancelled, while its contract cannot be read', async () => {
    const { orders, id, started, list, close } = await sentBefore('COMPLETE');
    await orders.progress(id, ({ waitingFor }) => waitingFor.includes('is not listed yet'));
    close();
    list();
    await orders.client.workflow.getHandle(id).signal('wake');
    await orders.progress(id, ({ status }) => status === 'NeedsOperator');
    await orders.steadfast.cancel(id, 'no longer wanted');
    await expect(started.receipt()).rejects.toMatchObject({ outcome: 'failed' });
  });

  test.each([
    ['is there', false],
    ['is lost', true],
  ])('ends as failed once it is cancelled, while its record %s', async (_, isLost) => {
    const { orders, id, started, lose } = await sentBefore('COMPLETE');
    await orders.progress(id, ({ waitingFor }) => waitingFor.includes('is not listed yet'));
    if (isLost) lose();
    await orders.steadfast.cancel(id, 'no longer wanted');
    await expect(started.receipt()).rejects.toMatchObject({ outcome: 'failed' });
  });
});
