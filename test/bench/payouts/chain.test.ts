import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createPublicClient, type Hex, http } from 'viem';
import { receiptActivities } from '../../../activities/chain/receipt';
import { makeLines } from '../../../bench/payouts/makeLines';
import { usdc } from '../../../bench/payouts/rivals/pay';
import { type Payer, type Service, startService } from '../../../bench/payouts/startService';
import { type BatchEffect, paidBy } from '../../../src/chain/batchEffect';
import { senderKept } from '../../../src/chain/batching';
import { type Execution, operationExecution, ownExecution } from '../../../src/chain/execution';
import { batchCall, markOf } from '../../../src/custody/batch';

let service: Service;
beforeAll(async () => {
  service = await startService({ settleMs: 0 });
});
afterAll(async () => {
  await service.stop();
});

const lines = makeLines(3);
const payments = lines.map(({ to, lineId }) => {
  return { to, baseUnits: '10000', mark: markOf('payout:test', lineId, 0) };
});

async function payerOf(accountType: 'EOA' | 'SCA'): Promise<Payer> {
  const [payer] = await service.createPayers(1, accountType);
  if (payer === undefined) throw new Error('There is no wallet.');
  return payer;
}

/** Pays the lines in one batch. Returns its record, and its part of the transaction on the chain. */
async function payBatch(payer: Payer) {
  const { custody, rpcUrl } = service;
  const call = batchCall(payer, { tokenAddress: usdc, payments }, { mayFail: true });
  const input = { idempotencyKey: randomUUID(), walletId: payer.id, feeLevel: 'MEDIUM' as const };
  const { id } = await custody.executeContract({ ...input, ...call });
  const { transaction } = await custody.getTransaction({ id });
  const chain = createPublicClient({ transport: http(rpcUrl) });
  const hash: Hex = `0x${transaction.txHash?.slice(2)}`;
  const mined = {
    transaction: await chain.getTransaction({ hash }),
    receipt: await chain.getTransactionReceipt({ hash }),
  };
  const { userOpHash } = transaction;
  const execution =
    userOpHash === undefined
      ? ownExecution(mined)
      : operationExecution(mined, { sender: payer.address, userOpHash });
  return { call, transaction, execution };
}

function effectOf(payer: Payer): BatchEffect {
  const isWhole = payer.accountType === 'SCA';
  return { kind: 'batch', tokenAddress: usdc, from: payer.address, payments, isWhole };
}

describe("the stub's chain", () => {
  it('lets an account pay in batches, as a payout finds out', async () => {
    const chain = createPublicClient({ transport: http(service.rpcUrl) });
    await expect(senderKept(chain, usdc)).resolves.toMatchObject({ inBatches: true });
  });

  it.each(['EOA', 'SCA'] as const)('shows each line of a batch from an %s wallet', async (type) => {
    const payer = await payerOf(type);
    const { call, transaction, execution } = await payBatch(payer);
    expect(transaction).toMatchObject({ ...call, state: 'COMPLETE', amounts: [] });
    if (typeof execution === 'string') throw new Error(execution);
    const { sender, success }: Execution = execution;
    expect({ sender: sender.toLowerCase(), success }).toEqual({
      sender: payer.address,
      success: true,
    });
    const logs = lines.map((_, at) => at);
    expect(paidBy(effectOf(payer), execution)).toEqual({ faults: [], unpaid: [], logs });
    const transfers = await service.transfers();
    expect(transfers.filter(({ id }) => id === transaction.id)).toMatchObject(
      lines.map(({ to, amount }) => ({ to, amount })),
    );
  });

  it.each(['EOA', 'SCA'] as const)('proves a batch of an %s wallet to a payout', async (type) => {
    const payer = await payerOf(type);
    const { transaction } = await payBatch(payer);
    const { id, txHash, userOpHash, blockHeight, createDate: since } = transaction;
    const isSmart = type === 'SCA';
    const search = { id, isSmart, since, knownAt: since };
    const who = { sender: payer.address, userOpHash };
    const { checkReceipts } = receiptActivities(service.rpcUrl, { custody: service.custody });
    const effect = { ...effectOf(payer), isSmart };
    const question = { ...who, txHash, blockHeight, effect, search };
    const other = { ...question, txHash: `0x${'2'.repeat(64)}`, search: undefined };
    const answers = await new MockActivityEnvironment().run(checkReceipts, [question, other]);
    expect(answers).toMatchObject([{ found: 'success', faults: [] }, { found: 'absent' }]);
  });

  it('knows no transaction that has not been sent', async () => {
    const chain = createPublicClient({ transport: http(service.rpcUrl) });
    const hash: Hex = `0x${'1'.repeat(64)}`;
    await expect(chain.getTransactionReceipt({ hash })).rejects.toThrow('could not be found');
  });

  it('is of no use for calls that are no batches', async () => {
    const { custody } = service;
    const { id: walletId } = await payerOf('EOA');
    const call = { contractAddress: usdc, abiFunctionSignature: 'pause()', abiParameters: [] };
    const input = { idempotencyKey: randomUUID(), walletId, feeLevel: 'MEDIUM' as const };
    await expect(custody.executeContract({ ...input, ...call })).rejects.toMatchObject({
      status: 400,
    });
  });
});
