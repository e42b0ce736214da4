import { randomUUID } from 'node:crypto';
import { createPublicClient, erc20Abi, getAddress, type Hex, http } from 'viem';
import type { PayoutLine } from '../../../../../src/client/client';
import type { CustodyApi } from '../../../../../src/custody/endpoints';
import type { Transaction } from '../../../../../src/custody/objects/transaction';
import type { Wallet } from '../../../../../src/custody/objects/wallet';
import type { Progress } from '../../../../../src/orders/progress/status';
import { deployCode, foreignToken } from '../../../../support/chain/foreignToken';
import { stopLater } from '../../../../support/jest/setUp';
import { createServe, type Orders } from '../../../../support/orders';
import {
  linesOf,
  newLine,
  newLines,
  openedPayout,
  paidByResults,
  paidOnChain,
  payers,
  payoutOf,
} from '../../../../support/payouts';
import { inSandbox, transferOf, usdc } from '../../../../support/sandbox';
import { type LyingNode, startLyingNode } from '../../../../support/service/lyingNode';
import { someone } from '../../../../support/stages';
import { inTemporal } from '../../../../support/temporal';

const serve = createServe();
/** A server that has never heard of the payouts. */
const other = inTemporal();
const sandbox = inSandbox();
let node: LyingNode;
let orders: Orders;
beforeAll(async () => {
  node = await startLyingNode(sandbox.rpcUrl);
  stopLater(node.close);
  orders = await servedBy(sandbox.client);
});

function servedBy(custody: CustodyApi, options: { address?: string } = {}): Promise<Orders> {
  const { baseUrl } = sandbox;
  return serve(custody, { baseUrl, chainRpcUrl: node.url, ...options });
}

/** The service, with other words about some transactions. */
function telling(change: (transaction: Transaction) => Promise<Transaction>): CustodyApi {
  const { client } = sandbox;
  return {
    ...client,
    listTransactions: async (...call) => {
      const { transactions, ...page } = await client.listTransactions(...call);
      return { ...page, transactions: await Promise.all(transactions.map(change)) };
    },
  };
}

/** The number of transfers of each line, by the chain. */
async function logsOf(lines: readonly PayoutLine[]): Promise<number[]> {
  return Object.values(await paidOnChain(sandbox, lines)).map((hashes) => hashes.length);
}

const isAsking = ({ status }: Progress): boolean =>
  status === 'NeedsOperator' || status === 'Unknown';

describe.each(['EOA', 'SCA'] as const)('a batch of a wallet of type %s', (type) => {
  test('whose amounts only together exceed the balance pays those that it can', async () => {
    const [wallet] = await payers(sandbox, type);
    if (wallet === undefined) throw new Error('No wallet was created.');
    const lines = newLines(8);
    const order = payoutOf([wallet], { batch: { linesMax: 8 } });
    const { workflowId, handle, update } = await openedPayout(orders, order);
    await update('addLines', { part: 1, lines });
    await update('pause', { reason: 'a test' });
    const sum = lines.reduce((units, { amount }) => units + Math.round(Number(amount) * 1e6), 0);
    await update('seal', { parts: 1, totals: { USDC: (sum / 1e6).toString() } });
    // Meanwhile the wallet spends the money of some of them.
    await drain(wallet, sum / 2);
    await update('resume', {});
    const receipt = await handle.result();
    const results = await linesOf(orders, workflowId);
    const paid = await paidOnChain(sandbox, lines);
    expect(paid).toEqual(paidByResults(results));
    const unpaid = results.filter(({ outcome }) => outcome === 'failed');
    expect(receipt).toMatchObject({ lines: 8, paid: 8 - unpaid.length, unknown: 0 });
    expect(unpaid.length).toBeGreaterThan(2);
    expect(unpaid.length).toBeLessThan(7);
    // A node forgets the balances of a block, and with them why it has refused a payment.
    const words = /balance|fund|estimate|reverted|were paid\.$/i;
    for (const { reason } of unpaid) expect(reason).toMatch(words);
  });
});

/** Leaves so many base units of USDC in a wallet. */
async function drain(wallet: Wallet, left: number): Promise<void> {
  const { client } = sandbox;
  const { tokenBalances } = await client.listBalances({ id: wallet.id, includeAll: true });
  const held = tokenBalances.find(({ token }) => token.tokenAddress?.toLowerCase() === usdc);
  const amounts = [(Number(held?.amount) - left / 1e6).toFixed(6)];
  const { id } = await client.createTransfer(transferOf(wallet, someone(), { amounts }));
  await sandbox.settled(id, 'COMPLETE');
}

test('a record of a batch that does not tell its calls holds all lines that nothing else pays', async () => {
  const [first, second] = await payers(sandbox, 'EOA', 'EOA');
  if (first === undefined || second === undefined) throw new Error('No wallets were created.');
  const lines = newLines(12);
  const order = payoutOf([first, second], { batch: { linesMax: 10 } });
  const started = await orders.steadfast.payout(order, lines);
  expect(await started.receipt()).toMatchObject({ paid: 12 });
  const silent = telling(async (transaction) => {
    if (transaction.walletId !== first.id) return transaction;
    const { abiFunctionSignature: _, abiParameters: __, ...told } = transaction;
    return told;
  });
  const again = await servedBy(silent, { address: other.address });
  const { workflowId } = await again.steadfast.payout(order, [...newLines(6), ...lines]);
  const { evidence } = await again.progress(
    workflowId,
    ({ payout }) => (payout?.paid ?? 0) + (payout?.unknown ?? 0) === 18,
  );
  expect(evidence?.join()).toContain('nobody can tell which lines it pays');
  const outcomes = (await linesOf(again, workflowId)).map(({ outcome }) => outcome);
  const paidBySecond = (await linesOf(orders, workflowId)).filter(
    ({ walletAddress }) => walletAddress.toLowerCase() === second.address.toLowerCase(),
  );
  expect(paidBySecond).not.toEqual([]);
  expect(outcomes.filter((outcome) => outcome === 'paid')).toHaveLength(paidBySecond.length);
  expect(outcomes.filter((outcome) => outcome === 'unknown')).toHaveLength(
    18 - paidBySecond.length,
  );
  expect(await logsOf(lines)).toEqual(lines.map(() => 1));
  await again.client.workflow.getHandle(workflowId).terminate();
});

test('a node that leaves out a log holds the batch until the chain tells the truth', async () => {
  const lines = newLines(5);
  node.dropsLogs = true;
  const order = payoutOf(await payers(sandbox, 'EOA'));
  const started = await orders.steadfast.payout(order, lines);
  const { workflowId } = started;
  const { evidence } = await orders.progress(workflowId, isAsking);
  expect(evidence?.join()).toContain('tell another outcome of');
  expect(await logsOf(lines)).toEqual(lines.map(() => 1));
  node.dropsLogs = false;
  await orders.client.workflow.getHandle(`${workflowId}:shard:1`).signal('wake');
  expect(await started.receipt()).toMatchObject({ lines: 5, paid: 5, failed: 0 });
  expect(await logsOf(lines)).toEqual(lines.map(() => 1));
});

test('a reverted bundle of a batch is not believed, and somebody else bundles it again', async () => {
  const lines = newLines(4);
  const txHash = `0x${'ef'.repeat(32)}`;
  let isLying = true;
  const pessimist = telling(async (transaction) => {
    const { state, operation, txHash: hash = '' } = transaction;
    const isBatch = operation === 'CONTRACT_EXECUTION' && state === 'COMPLETE';
    if (!isLying || !isBatch) return transaction;
    node.reverted.set(txHash, hash);
    return { ...transaction, state: 'FAILED', errorReason: 'FAILED_ON_CHAIN', txHash };
  });
  const own = await servedBy(pessimist);
  const started = await own.steadfast.payout(payoutOf(await payers(sandbox, 'SCA')), lines);
  const { workflowId } = started;
  const { evidence } = await own.progress(workflowId, isAsking);
  expect(evidence?.join()).toContain('it succeeded on the chain');
  expect(await logsOf(lines)).toEqual(lines.map(() => 1));
  isLying = false;
  await own.client.workflow.getHandle(`${workflowId}:shard:1`).signal('wake');
  expect(await started.receipt()).toMatchObject({ lines: 4, paid: 4 });
  expect(await logsOf(lines)).toEqual(lines.map(() => 1));
});

test("a line to the token's own address is refused before anything is sent", async () => {
  const lines = [newLine(), newLine({ to: usdc })];
  const order = { ...payoutOf(await payers(sandbox, 'EOA')), lines };
  await expect(openedPayout(orders, order)).rejects.toThrow("is the token's own contract");
  expect(await logsOf(lines)).toEqual([0, 0]);
});

test('a token that moves less than it is told is named, and its lines are never sent again', async () => {
  const [wallet, deployer] = await payers(sandbox, 'SCA', 'EOA');
  if (wallet === undefined || deployer === undefined) throw new Error('No wallets were created.');
  // It moves one base unit, whatever it is told.
  const token = await deployCode(sandbox.client, deployer, foreignToken(6n));
  const lines = newLines(3).map((line) => ({ ...line, token }));
  const own = await servedBy(holding(token));
  const started = await own.steadfast.payout(payoutOf([wallet]), lines);
  const { workflowId } = started;
  const told = await own.progress(workflowId, ({ payout }) => payout?.unknown === 3);
  expect(told).toMatchObject({ status: 'NeedsOperator', payout: { paid: 0, failed: 0 } });
  expect(told.evidence?.join()).toContain('it moved 1 base units');
  expect(told.evidence?.join()).toContain('which is none of its lines, and 2 more');
  const moved = async () => (await movedOf(token, wallet)).length;
  expect(await moved()).toBe(3);
  await own.restart();
  await own.client.workflow.getHandle(`${workflowId}:shard:1`).signal('wake');
  const finding = { finding: 'skip', evidence: 'the token takes a part' } as const;
  await own.steadfast.resolve(workflowId, { target: told.target ?? '', ...finding });
  expect(await started.receipt()).toMatchObject({ lines: 3, paid: 0, unknown: 3 });
  expect(await moved()).toBe(3);
});

/** The service, which says that each wallet holds a token whose contract keeps no balances. */
function holding(tokenAddress: string): CustodyApi {
  const { client } = sandbox;
  return {
    ...client,
    listBalances: async (...call) => {
      const { tokenBalances } = await client.listBalances(...call);
      const twin = tokenBalances.flatMap((one) =>
        one.token.tokenAddress?.toLowerCase() === usdc
          ? { ...one, token: { ...one.token, id: randomUUID(), tokenAddress } }
          : [],
      );
      return { tokenBalances: [...tokenBalances, ...twin] };
    },
  };
}

/** The movements of a token from a wallet, by the chain. */
function movedOf(address: Hex, { address: from }: Wallet) {
  const chain = createPublicClient({ transport: http(sandbox.rpcUrl) });
  const args = { from: getAddress(from) };
  return chain.getContractEvents({
    abi: erc20Abi,
    eventName: 'Transfer',
    address,
    args,
    fromBlock: 0n,
  });
}
