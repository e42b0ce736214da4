import { randomUUID } from 'node:crypto';
import { memoIdOf, paymentData } from '../../../../src/custody/batch';
import type { CustodyApi } from '../../../../src/custody/endpoints';
import { memoContract, memoSignature } from '../../../../src/custody/memo';
import type { Transaction } from '../../../../src/custody/objects/transaction';
import { memosOf } from '../../../support/chain/memos';
import { setUp } from '../../../support/jest/setUp';
import { createServe, runOrders } from '../../../support/orders';
import { linesOf, newLines, paidOnChain, payers, payoutOf } from '../../../support/payouts';
import { inSandbox, usdc } from '../../../support/sandbox';
import { inTemporal } from '../../../support/temporal';

const serve = createServe();
/** A server that has never heard of the payouts. */
const other = inTemporal();
const sandbox = inSandbox();
const orders = setUp(() =>
  runOrders(sandbox.client, { baseUrl: sandbox.baseUrl, chainRpcUrl: sandbox.rpcUrl }),
);

describe.each([
  ['in batches', { linesMax: 4 } as const, 3],
  ['one by one', false as const, 9],
])('a payout with memos, %s', (_, batch, transactions) => {
  test('pays each line once, and the chain names each line by its memo', async () => {
    const lines = newLines(9);
    const order = payoutOf(await payers(sandbox, 'EOA'), { batch, memo: true });
    const started = await orders.steadfast.payout(order, lines);
    const receipt = await started.receipt();
    expect(receipt).toMatchObject({ lines: 9, paid: 9, warnings: [] });
    expect(receipt.batched?.batches).toBe(batch ? 2 : undefined);
    const paid = await paidOnChain(sandbox, lines);
    expect(await memosOf(sandbox, started.workflowId, { lines })).toEqual(paid);
    const hashes = Object.values(paid).flat();
    expect([hashes.length, new Set(hashes).size]).toEqual([9, transactions]);
    const results = await linesOf(orders, started.workflowId);
    expect(results.map(({ txHash }) => txHash)).toEqual(hashes);
  });
});

test('a line that fails is retried alone with the memo of its next attempt', async () => {
  const lines = newLines(3);
  const blocked = lines[1]?.to ?? '';
  await block('PUT', blocked);
  const order = payoutOf(await payers(sandbox, 'EOA'), { memo: true });
  const started = await orders.steadfast.payout(order, lines);
  const { workflowId } = started;
  expect(await started.receipt()).toMatchObject({ lines: 3, paid: 2, failed: 1 });
  const refused = expect.stringMatching(/^The service estimates no fee for it/);
  const [, failed] = await linesOf(orders, workflowId);
  expect(failed).toMatchObject({ outcome: 'failed', reason: refused });
  await block('DELETE', blocked);
  const generation = failed?.generation ?? 0;
  const again = await orders.steadfast.retry(workflowId, [lines[1]?.lineId ?? '']);
  expect(await again.receipt()).toMatchObject({ lines: 3, paid: 3 });
  const retried = { lines: lines.slice(1, 2), generation: generation + 1 };
  const paid = await paidOnChain(sandbox, retried.lines);
  expect(await memosOf(sandbox, workflowId, retried)).toEqual(paid);
  expect(Object.values(paid).flat()).toHaveLength(1);
});

test('lines of smart accounts carry no memo, and the seal says so', async () => {
  const [wallet] = await payers(sandbox, 'SCA');
  const lines = newLines(3);
  const started = await orders.steadfast.payout(
    payoutOf(wallet ? [wallet] : [], { memo: true }),
    lines,
  );
  const warning = expect.stringMatching(/^memo: 0x\w{40} is a smart account \(SCA\)/);
  expect(await started.receipt()).toMatchObject({ paid: 3, warnings: [warning] });
  expect(Object.values(await memosOf(sandbox, started.workflowId, { lines })).flat()).toEqual([]);
});

describe('a payment that neither Temporal nor the list of the service remembers', () => {
  /** A service whose list leaves out some transactions. */
  function forgetful(hidden: (transaction: Transaction) => boolean): CustodyApi {
    return {
      ...sandbox.client,
      listTransactions: async (...call) => {
        const { transactions, ...page } = await sandbox.client.listTransactions(...call);
        return { ...page, transactions: transactions.filter((one) => !hidden(one)) };
      },
    };
  }

  test('is found by its memo: the line is never sent, and a person is asked', async () => {
    const order = payoutOf(await payers(sandbox, 'EOA'), { memo: true, batch: { linesMax: 2 } });
    const lines = newLines(6);
    const first = await orders.steadfast.payout(order, lines);
    expect(await first.receipt()).toMatchObject({ paid: 6 });
    const [lost] = await linesOf(orders, first.workflowId);
    const { baseUrl, rpcUrl: chainRpcUrl } = sandbox;
    const { address } = other;
    let isHidden = true;
    const custody = forgetful(({ id }) => isHidden && id === lost?.transactionId);
    const second = await serve(custody, { baseUrl, chainRpcUrl, address });
    const more = newLines(2);
    const { workflowId } = await second.steadfast.payout(order, [...more, ...lines]);
    const { payout, evidence } = await second.progress(
      workflowId,
      (told) => (told.payout?.paid ?? 0) + (told.payout?.unknown ?? 0) === 8,
    );
    expect(payout).toMatchObject({ paid: 6, unknown: 2 });
    expect(evidence?.join()).toContain(`The chain shows that ${lost?.txHash} has paid it`);
    const all = await paidOnChain(sandbox, [...lines, ...more]);
    expect(Object.values(all).map((hashes) => hashes.length)).toEqual(Array(8).fill(1));
    // Once the list shows it again, the lines are paid.
    isHidden = false;
    await second.restart();
    await second.client.workflow.getHandle(`${workflowId}:shard:1`).signal('wake');
    const receipt = await second.client.workflow.getHandle(workflowId).result();
    expect(receipt).toMatchObject({ lines: 8, paid: 8 });
    expect(await paidOnChain(sandbox, [...lines, ...more])).toEqual(all);
  });
});

test('another payment with the memo of a line is not told as its payment', async () => {
  const [wallet] = await payers(sandbox, 'EOA');
  const lines = newLines(2);
  const order = payoutOf(wallet ? [wallet] : [], { memo: true });
  const payee = lines[0]?.to ?? '';
  const memoId = memoIdOf(`payout:${order.payoutId}`, lines[0]?.lineId ?? '', 0);
  const data = paymentData({ to: payee, baseUnits: '1' });
  const { id } = await sandbox.client.executeContract({
    idempotencyKey: randomUUID(),
    walletId: wallet?.id ?? '',
    feeLevel: 'MEDIUM',
    contractAddress: memoContract,
    abiFunctionSignature: memoSignature,
    abiParameters: [usdc, `0x${data}`, `0x${memoId}`, '0x'],
  });
  const { txHash } = await sandbox.settled(id, 'COMPLETE');
  const { workflowId } = await orders.steadfast.payout(order, lines);
  const { evidence } = await orders.progress(
    workflowId,
    (told) => (told.payout?.paid ?? 0) + (told.payout?.unknown ?? 0) === 2,
  );
  const words = `The chain shows that ${txHash} has the memo of this line, and is not its payment`;
  expect(evidence?.join()).toContain(words);
  expect(evidence?.join()).not.toContain('has paid it');
});

/** Puts an account on the block list of every coin, or takes it off. */
async function block(method: 'PUT' | 'DELETE', address: string): Promise<void> {
  const url = `${sandbox.origin}/_sandbox/blocklist/${address}`;
  expect((await sandbox.request(method, url, { headers: {} })).status).toBe(200);
}
