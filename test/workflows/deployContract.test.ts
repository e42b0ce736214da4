import { randomUUID } from 'node:crypto';
import { RefusedError } from '../../src/custody/errors';
import type { Contract } from '../../src/custody/objects/contract';
import { refId } from '../../src/custody/reference';
import type { DeployOrder } from '../../src/orders/deploy';
import type { Progress } from '../../src/orders/progress/status';
import { createServe } from '../support/orders';
import {
  blockchain,
  codeAnswers,
  type ScriptedCustody,
  scriptedCustody,
  sender,
  transferRecord,
} from '../support/service/scriptedCustody';

const order: DeployOrder = {
  walletId: sender.id,
  name: 'Harbour Credit',
  parameters: { name: 'Harbour Credit', symbol: 'HBR' },
};
const newId = (): string => `deploy:${randomUUID()}`;
const contractId = 'cccccccc-cccc-4ccc-8ccc-cccccccccccc';
const transactionId = 'dddddddd-dddd-4ddd-8ddd-dddddddddddd';
const contractAddress = '0x3333333333333333333333333333333333333333';
const contract = { id: contractId, blockchain, status: 'COMPLETE', contractAddress };

const serve = createServe();

function scripted(script: Parameters<typeof scriptedCustody>[0] = {}): ScriptedCustody {
  const answers = codeAnswers();
  const { tokenId: _, destinationAddress: __, ...record } = transferRecord({ amounts: [] });
  return scriptedCustody({
    deployTemplate: () => ({ contractIds: [contractId], transactionId }),
    getTransaction: () => ({ transaction: { ...record, id: transactionId } }),
    getContract: () => ({ contract }),
    queryContract: ({ abiFunctionSignature }) => answers(abiFunctionSignature),
    ...script,
  });
}

describe('deployContract', () => {
  test.concurrent('returns the address once the service reports the contract COMPLETE', async () => {
    const custody = scripted({
      getContract: (_, call) => ({
        contract: { ...contract, status: call === 1 ? 'PENDING' : 'COMPLETE' },
      }),
    });
    const { steadfast } = await serve(custody);
    const receipt = await steadfast.execute('deployContract', newId(), order);
    expect(receipt).toMatchObject({ contractId, contractAddress, transactionId, txHash: '0xabc' });
    expect(custody.calls('deployTemplate')).toHaveLength(1);
    expect(custody.calls('getContract')).toHaveLength(2);
  });

  test.concurrent("checks the contract's name and administrator in its code", async () => {
    const custody = scripted();
    const { steadfast } = await serve(custody);
    await steadfast.execute('deployContract', newId(), order);
    const asked = custody
      .calls('queryContract')
      .map(({ input }) => [input.address, input.abiFunctionSignature, input.abiParameters]);
    expect(asked).toEqual([
      [contractAddress, 'name()', []],
      [contractAddress, 'hasRole(bytes32,address)', [`0x${'0'.repeat(64)}`, sender.address]],
    ]);
  });

  test.concurrent('waits for code that does not answer yet', async () => {
    const noCode = new RefusedError('execution reverted', { status: 400, code: 175000 });
    const answers = codeAnswers();
    const custody = scripted({
      queryContract: ({ abiFunctionSignature }, call) =>
        call <= 2 ? noCode : answers(abiFunctionSignature),
    });
    const { steadfast } = await serve(custody, { lookupGraceMs: 60_000 });
    const receipt = await steadfast.execute('deployContract', newId(), order);
    expect(receipt).toMatchObject({ contractAddress });
    expect(custody.calls('getContract')).toHaveLength(2);
    expect(custody.calls('deployTemplate')).toHaveLength(1);
  });

  test.concurrent('stops when the code answers something else, and says so', async () => {
    let name = 'Somebody Else';
    const custody = scripted({
      queryContract: ({ abiFunctionSignature }) => codeAnswers({ name })(abiFunctionSignature),
    });
    const { steadfast, client, progress } = await serve(custody);
    const id = newId();
    const started = await steadfast.start('deployContract', id, order);
    const { waitingFor } = await progress(id, ({ status }) => status === 'NeedsOperator');
    expect(waitingFor).toBe(
      `Contract ${contractAddress} is not what was ordered: name() is "Somebody Else", not ` +
        '"Harbour Credit". The order does not use it. Find out what is there.',
    );
    name = 'Harbour Credit';
    await client.workflow.getHandle(id).signal('wake');
    expect(await started.receipt()).toMatchObject({ contractAddress });
  });

  test.concurrent("keeps the contract's code out of its history", async () => {
    const functions = [{ type: 'function', name: 'x'.repeat(100_000) }];
    const custody = scripted({ getContract: () => ({ contract: { ...contract, functions } }) });
    const { steadfast, client } = await serve(custody);
    const id = newId();
    await steadfast.execute('deployContract', id, order);
    const { historySize } = await client.workflow.getHandle(id).describe();
    expect(historySize).toBeLessThan(50_000);
  });

  test.concurrent('makes the deploying wallet the default of address parameters', async () => {
    const custody = scripted();
    const { steadfast } = await serve(custody);
    await steadfast.execute('deployContract', newId(), order);
    expect(custody.calls('deployTemplate')[0]?.input).toMatchObject({
      templateParameters: {
        name: 'Harbour Credit',
        symbol: 'HBR',
        defaultAdmin: sender.address,
        primarySaleRecipient: sender.address,
      },
    });
  });

  describe('that the service calls FAILED, though its transaction is complete', () => {
    const failed = { ...contract, status: 'FAILED', deploymentErrorReason: 'ESTIMATION_ERROR' };
    const stuck = async () => {
      const shown: { contract: Contract } = { contract: failed };
      const orders = await serve(scripted({ getContract: () => shown }));
      const id = newId();
      const started = await orders.steadfast.start('deployContract', id, order);
      const isAsking = ({ status }: Progress): boolean => status === 'NeedsOperator';
      const { waitingFor } = await orders.progress(id, isAsking);
      expect(waitingFor).toContain(
        `calls contract ${contractId} FAILED (ESTIMATION_ERROR), though`,
      );
      return { orders, id, started, shown };
    };

    test.concurrent('waits for an operator, and goes on once it is complete', async () => {
      const { orders, id, started, shown } = await stuck();
      shown.contract = contract;
      await orders.client.workflow.getHandle(id).signal('wake');
      expect(await started.receipt()).toMatchObject({ contractAddress });
    });

    test.concurrent('ends with its record when it is cancelled', async () => {
      const { orders, id, started } = await stuck();
      await orders.client.workflow
        .getHandle(id)
        .executeUpdate('cancel', { args: [{ reason: 'give up' }] });
      await expect(started.receipt()).rejects.toMatchObject({
        outcome: 'failed',
        record: expect.objectContaining({ id: contractId }),
      });
    });
  });

  describe.each([
    ['stays PENDING', { status: 'PENDING' }, /contract \S+ PENDING, though/],
    ['has no address', { contractAddress: undefined }, /COMPLETE and names no address, though/],
    ['has an unknown word', { status: 'VERIFYING' }, /contract \S+ VERIFYING, though/],
  ])('whose contract %s', (_, fields, words) => {
    const started = async (lookupGraceMs: number) => {
      const shown: { contract: Contract } = { contract: { ...contract, ...fields } as Contract };
      const orders = await serve(scripted({ getContract: () => shown }), { lookupGraceMs });
      const id = newId();
      const { receipt } = await orders.steadfast.start('deployContract', id, order);
      return { orders, id, receipt, shown };
    };

    test.concurrent('asks an operator after the grace period, and goes on by itself', async () => {
      const { orders, id, receipt, shown } = await started(500);
      const isAsking = ({ status }: Progress): boolean => status === 'NeedsOperator';
      expect((await orders.progress(id, isAsking)).waitingFor).toMatch(words);
      shown.contract = contract;
      await orders.client.workflow.getHandle(id).signal('wake');
      expect(await receipt()).toMatchObject({ contractAddress });
    });

    test.concurrent('is left alone once its order is cancelled', async () => {
      const { orders, id, receipt } = await started(600_000);
      await orders.progress(id, ({ waitingFor }) => waitingFor.startsWith('contract '));
      await orders.steadfast.cancel(id, 'no longer wanted');
      await expect(receipt()).rejects.toMatchObject({ outcome: 'failed' });
    });
  });

  test.concurrent.each(['CONTRACT_EXECUTION', 'CONTRACT_DEPLOYMENT'] as const)(
    'finds its earlier deployment, which the service calls a %s',
    async (operation) => {
      const id = newId();
      const parts = { workflowId: id, step: 'deploy', item: '1', generation: 0 };
      const record = transferRecord({ id: transactionId, refId: refId(parts), amounts: [] });
      const custody = scripted({
        // Like the service: a filter by one operation hides the others.
        listTransactions: ({ operation: wanted = operation, pageAfter }) => ({
          transactions: wanted === operation && pageAfter === undefined ? [record] : [],
        }),
        listContracts: ({ pageAfter }) => ({
          contracts:
            pageAfter === undefined
              ? [{ ...contract, deploymentTransactionId: transactionId }]
              : [],
        }),
      });
      const { steadfast } = await serve(custody);
      const receipt = await steadfast.execute('deployContract', id, order);
      expect(receipt).toMatchObject({ contractId, transactionId });
      expect(custody.calls('deployTemplate')).toHaveLength(0);
    },
  );

  test.concurrent('reports the deployment in its failure when the mint fails', async () => {
    const custody = scripted({
      executeContract: () => ({ id: transferRecord().id, state: 'INITIATED' }),
      getTransaction: ({ id }) => ({
        transaction: {
          ...transferRecord({ id, amounts: [] }),
          state: id === transactionId ? 'COMPLETE' : 'FAILED',
        },
      }),
    });
    const { steadfast } = await serve(custody);
    const minting = { ...order, mint: { amount: '5' } };
    await expect(steadfast.execute('deployContract', newId(), minting)).rejects.toMatchObject({
      outcome: 'failed',
      made: { contractAddress, deployTxHash: '0xabc' },
    });
  });
});
