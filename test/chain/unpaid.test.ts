import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ReceiptQuestion, receiptActivities } from '../../activities/chain/receipt';
import type { BatchEffect } from '../../src/chain/batchEffect';
import { batchCall } from '../../src/custody/batch';
import { stopLater } from '../support/jest/setUp';
import { usdc } from '../support/sandbox';
import { inStagedSandbox, someone } from '../support/stages';

type Call = { method: string; params: unknown[] };
type Answer = {
  id: number;
  result?: { logs: object[]; transactionHash: string } & object[];
  error?: object;
};

const sandbox = inStagedSandbox();
let node: Server;
/** Changes what the node answers to a method. */
let lie: (method: string, answer: Answer) => Answer;
let question: ReceiptQuestion;

beforeAll(async () => {
  node = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const asked: Call | Call[] = JSON.parse(Buffer.concat(chunks).toString());
    const calls = [asked].flat();
    // As a node that keeps old states: the accounts hold now what they held at that block.
    for (const { method, params } of calls) if (method === 'eth_call') params[1] = 'latest';
    const body = JSON.stringify(asked);
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(sandbox.rpcUrl, { method: 'POST', headers, body });
    const told = (await answer.json()) as Answer | Answer[];
    const lies = [told].flat().map((one, at) => lie(calls[at]?.method ?? '', one));
    response.end(JSON.stringify(Array.isArray(told) ? lies : lies[0]));
  });
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
  stopLater(() => node.close());
  question = await paidBatch();
});

/** Pays three accounts with one transaction. Returns the question about it. */
async function paidBatch(): Promise<ReceiptQuestion> {
  const { client } = sandbox;
  const wallet = await sandbox.fundedWallet('EOA');
  const payments = [1, 2, 3].map((units) => {
    return { to: someone(), baseUnits: `${units}`, mark: `${units}`.repeat(32) };
  });
  const account = { address: wallet.address, accountType: 'EOA' };
  const call = batchCall(account, { tokenAddress: usdc, payments }, { mayFail: true });
  const input = { walletId: wallet.id, ...call, feeLevel: 'MEDIUM' as const };
  const { id } = await client.executeContract({ ...input, idempotencyKey: randomUUID() });
  const { txHash = '', sourceAddress: sender = '' } = await sandbox.settled(id, 'COMPLETE');
  const effect: BatchEffect = {
    kind: 'batch',
    tokenAddress: usdc,
    from: sender,
    payments,
    isWhole: false,
  };
  return { txHash, sender, effect };
}

const asked = (change: Partial<BatchEffect> = {}) => {
  const { port } = node.address() as AddressInfo;
  const effect = { ...question.effect, ...change } as BatchEffect;
  return receiptActivities(`http://127.0.0.1:${port}`).checkReceipt({ ...question, effect });
};

describe('a batch on the chain', () => {
  test('shows each of its payments', async () => {
    lie = (_, answer) => answer;
    const answer = await asked();
    expect(answer).toMatchObject({ found: 'success', faults: [] });
    expect(answer).not.toHaveProperty('unpaid');
  });

  test('proves by the root of the receipts that a payment is not there', async () => {
    lie = (_, answer) => answer;
    const { payments } = question.effect as BatchEffect;
    const more = [...payments, { to: someone(), baseUnits: '7' }];
    expect(await asked({ payments: more })).toMatchObject({ faults: [], unpaid: [{ at: 3 }] });
  });

  test('tells why the chain refuses a payment, unless the node has forgotten that block', async () => {
    const { payments } = question.effect as BatchEffect;
    const more = [...payments, { to: someone(), baseUnits: '7000000000000' }];
    lie = (_, answer) => answer;
    expect(await asked({ payments: more })).toMatchObject({
      unpaid: [{ at: 3, reason: expect.stringMatching(/balance/) }],
    });
    const error = { code: -32_602, message: 'the state of the block is gone' };
    lie = (method, answer) => (method === 'eth_call' ? { id: answer.id, error } : answer);
    expect(await asked({ payments: more })).toMatchObject({ faults: [], unpaid: [{ at: 3 }] });
    expect((await asked({ payments: more })).unpaid?.[0]).not.toHaveProperty('reason');
    const revert = { code: 3, message: 'execution reverted: rate limit exceeded' };
    lie = (method, { id, ...told }) =>
      method === 'eth_call' ? { id, error: revert } : { id, ...told };
    expect(await asked({ payments: more })).toMatchObject({
      unpaid: [{ at: 3, reason: expect.stringContaining('rate limit exceeded') }],
    });
  });

  test('is in doubt where a node leaves a log out of a receipt', async () => {
    lie = (method, answer) => {
      if (method === 'eth_getTransactionReceipt') answer.result?.logs.pop();
      return answer;
    };
    const fault = expect.stringContaining('tell another outcome of');
    expect(await asked()).toMatchObject({ found: 'success', faults: [fault] });
  });

  test('is in doubt where a node leaves a log out of everything', async () => {
    lie = (method, answer) => {
      if (method === 'eth_getTransactionReceipt') answer.result?.logs.pop();
      if (method === 'eth_getBlockReceipts') {
        for (const receipt of answer.result ?? []) (receipt as { logs: object[] }).logs.pop();
      }
      return answer;
    };
    const fault = expect.stringContaining('do not add up to the root in its header');
    expect(await asked()).toMatchObject({ found: 'success', faults: [fault] });
  });

  test('is read again where a node does not tell the receipts of a block', async () => {
    lie = (method, answer) => {
      if (method === 'eth_getTransactionReceipt') answer.result?.logs.pop();
      const error = { code: -32_601, message: 'the method does not exist' };
      return method === 'eth_getBlockReceipts' ? { id: answer.id, error } : answer;
    };
    await expect(asked()).rejects.toThrow('The chain at http://127.0.0.1');
  });
});
