import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PayoutLine } from '../../../src/client/client';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { NoAnswerError, RefusedError } from '../../../src/custody/errors';
import type { Transaction } from '../../../src/custody/objects/transaction';
import type { Progress } from '../../../src/orders/progress/status';
import { stopLater } from '../../support/jest/setUp';
import { createServe } from '../../support/orders';
import {
  linesOf,
  newLine,
  newLines,
  paidByResults,
  paidOnChain,
  payers,
  payoutOf,
} from '../../support/payouts';
import { blockchain, inSandbox, usdc } from '../../support/sandbox';
import { type LyingNode, startLyingNode } from '../../support/service/lyingNode';
import { openTill, type Till } from '../../support/service/tillCustody';
import { boundariesOf, resetTo } from '../../support/traps/reset';

const sandbox = inSandbox();
let node: LyingNode;
const serve = createServe();
beforeAll(async () => {
  node = await startLyingNode(sandbox.rpcUrl);
  stopLater(() => node.close());
});

test.each(['COMPLETE', 'FAILED'])(
  'a finding on a batch that is %s calls no line paid that the chain does not show as paid',
  async (word) => {
    const { client, baseUrl } = sandbox;
    const lines = newLines(5);
    const custody: CustodyApi = {
      ...client,
      executeContract: async (...call) => {
        // One payment fails alone.
        const blocked = `${sandbox.origin}/_sandbox/blocklist/${lines[2]?.to}`;
        await sandbox.request('PUT', blocked, { headers: {} });
        return client.executeContract(...call);
      },
      listTransactions: async (...call) => {
        const { transactions, ...page } = await client.listTransactions(...call);
        const said = transactions.map((one) => {
          const isBatch = one.operation === 'CONTRACT_EXECUTION' && one.state === 'COMPLETE';
          return isBatch ? { ...one, state: word } : one;
        });
        return { ...page, transactions: said };
      },
    };
    const orders = await serve(custody, { baseUrl, chainRpcUrl: node.url });
    node.dropsLogs = true;
    const order = payoutOf(await payers(sandbox, 'EOA'));
    const { workflowId, receipt } = await orders.steadfast.payout(order, lines);
    const isAsking = ({ status }: Progress): boolean => status === 'NeedsOperator';
    const { target = '', exits = [] } = await orders.progress(workflowId, isAsking);
    expect(exits.map(({ command }) => command).join()).toMatch(/completed .* skip /);
    const [{ transactionId = '' } = {}] = await linesOf(orders, workflowId);
    const finding = { target, finding: 'completed', evidence: transactionId } as const;
    const resolve = (): Promise<string> => orders.steadfast.resolve(workflowId, finding);
    expect(await resolve()).toContain('with the chain once more');
    node.dropsLogs = false;
    // The chain ends a completed batch by itself, and shows of a failed one which lines were paid.
    const comparing = await resolve();
    expect(comparing).toContain('with the chain once more');
    while (word === 'FAILED' && (await resolve()) === comparing) await sleep(200);
    expect(await receipt()).toMatchObject({ paid: 4, failed: 1 });
    const paid = await paidOnChain(sandbox, lines);
    expect(paid).toEqual(paidByResults(await linesOf(orders, workflowId)));
  },
);

test.each(['its record', 'the chain alone'])(
  'a line that was paid, and that the service calls failed, ends as paid by %s',
  async (by) => {
    const { client, baseUrl } = sandbox;
    let isLost = false;
    const failed = (one: Transaction): Transaction => {
      const { txHash: _, ...told } = one;
      return one.state === 'COMPLETE' && one.transactionType === 'OUTBOUND'
        ? { ...told, state: 'FAILED' }
        : one;
    };
    const custody: CustodyApi = {
      ...client,
      listTransactions: async (...call) => {
        const { transactions, ...page } = await client.listTransactions(...call);
        return { ...page, transactions: isLost ? [] : transactions.map(failed) };
      },
      getTransaction: async (...call) => {
        if (isLost) throw new RefusedError('not found', { status: 404, code: 156003 });
        return { transaction: failed((await client.getTransaction(...call)).transaction) };
      },
    };
    const orders = await serve(custody, { baseUrl, chainRpcUrl: sandbox.rpcUrl });
    const lines = newLines(1);
    const order = payoutOf(await payers(sandbox, 'EOA'), { batch: false });
    const { workflowId, receipt } = await orders.steadfast.payout(order, lines);
    const isPaid = ({ paidIn }: Progress): boolean => paidIn !== undefined;
    const { target = '', paidIn = '', exits = [] } = await orders.progress(workflowId, isPaid);
    expect(exits.map(({ command }) => command.split(' ').slice(1).join(' '))).toEqual([
      `resolve ${workflowId} --target '${target}' --finding completed --evidence ${paidIn}`,
      `cancel ${workflowId} --reason "why"`,
    ]);
    const [{ transactionId = '' } = {}] = await linesOf(orders, workflowId);
    isLost = by === 'the chain alone';
    const evidence = isLost ? paidIn : transactionId;
    await orders.steadfast.resolve(workflowId, { target, finding: 'completed', evidence });
    expect(await receipt()).toMatchObject({ paid: 1, unknown: 0 });
    const paid = await paidOnChain(sandbox, lines);
    expect(paid).toEqual(paidByResults(await linesOf(orders, workflowId)));
  },
);

test('a finding is asked about once, however slow the service is', async () => {
  const till = openTill({ wallets: 1 });
  let isSlow = false;
  const custody: CustodyApi = Object.assign(Object.create(till.custody), {
    listTransactions: async (...call: Parameters<CustodyApi['listTransactions']>) => {
      while (isSlow) await sleep(50);
      return till.custody.listTransactions(...call);
    },
  });
  const orders = await serve(custody);
  const lines = newLines(2);
  loseFirst(till, lines[0] ?? newLine());
  const { workflowId } = await orders.steadfast.payout(payoutOf(till.wallets), lines);
  await orders.progress(
    workflowId,
    ({ status, payout }) => status === 'Unknown' && payout?.paid === 1,
  );
  isSlow = true;
  // Longer than Temporal waits for a heartbeat.
  setTimeout(() => {
    isSlow = false;
  }, 14_000);
  const finding = { finding: 'noEffect', evidence: 'I looked' } as const;
  const target = `line/${lines[0]?.lineId}#0`;
  const words = await orders.steadfast.resolve(workflowId, { target, ...finding });
  expect(words).toContain('is sent again');
});

/** Pays a line outside of its payout, so that the record has no reference. */
function payByHand(till: Till, { to, amount }: PayoutLine) {
  return till.custody.createTransfer({
    walletAddress: till.wallets[0]?.address ?? '',
    destinationAddress: to,
    amounts: [amount],
    tokenAddress: usdc,
    blockchain,
    feeLevel: 'MEDIUM',
    idempotencyKey: randomUUID(),
  });
}

/** Lets the first attempt at a line be lost, and refuses the second one, so that it is unknown. */
function loseFirst(till: Till, { to }: PayoutLine): void {
  let calls = 0;
  till.settings.onTransfer = (input, take) => {
    if (input.destinationAddress.toLowerCase() !== to) return take();
    calls += 1;
    if (calls === 1) throw new NoAnswerError('lost');
    if (calls === 2) throw new RefusedError('no funds', { status: 400, code: 155258 });
    return take();
  };
}

test.each(['the payout was ended and started again', 'its part was reset'])(
  'a payment that somebody found counts also after %s',
  async (what) => {
    const till = openTill({ wallets: 1 });
    const orders = await serve(till.custody);
    const lines = newLines(2);
    const [first = newLine()] = lines;
    loseFirst(till, first);
    const order = payoutOf(till.wallets);
    const { workflowId } = await orders.steadfast.payout(order, lines);
    await orders.progress(
      workflowId,
      ({ status, payout }) => status === 'Unknown' && payout?.paid === 1,
    );
    till.settings.settleMs = 600_000;
    const byHand = await payByHand(till, first);
    const target = `line/${first.lineId}#0`;
    const finding = { target, finding: 'completed', evidence: byHand.id } as const;
    await orders.steadfast.resolve(workflowId, finding);
    const part = orders.client.workflow.getHandle(`${workflowId}:shard:1`);
    if (what === 'its part was reset') {
      const run = { id: part.workflowId, runId: (await part.describe()).runId };
      const [boundary = 0] = (await boundariesOf(orders, run)).slice(1);
      await resetTo(orders, run, { boundary, reapply: true });
    } else {
      await part.terminate('a test');
      await orders.client.workflow.getHandle(workflowId).terminate('a test');
    }
    const again = await orders.steadfast.payout(order, lines);
    till.settings.settleMs = 100;
    till.settle();
    expect(await again.receipt()).toMatchObject({ paid: 2 });
    expect(till.taken).toHaveLength(2);
  },
);

test('a retry reads again what somebody has found for the attempt before it', async () => {
  const till = openTill({ wallets: 1 });
  const orders = await serve(till.custody);
  const lines = newLines(1);
  const [line = newLine()] = lines;
  loseFirst(till, line);
  const { workflowId, receipt } = await orders.steadfast.payout(payoutOf(till.wallets), lines);
  await orders.progress(workflowId, ({ status }) => status === 'Unknown');
  till.settings.settleMs = 600_000;
  const { id } = await payByHand(till, line);
  const finding = { finding: 'completed', evidence: id } as const;
  await orders.steadfast.resolve(workflowId, { target: `line/${line.lineId}#0`, ...finding });
  till.settings.fate = () => ({ state: 'FAILED' });
  till.settings.settleMs = 10;
  till.settle();
  expect(await receipt()).toMatchObject({ paid: 0, failed: 1 });
  Object.assign(till.taken[0] ?? {}, { state: 'COMPLETE' });
  till.settings.fate = () => ({ state: 'COMPLETE' });
  const again = await orders.steadfast.retry(workflowId);
  expect(await again.receipt()).toMatchObject({ paid: 1, failed: 0 });
  expect(till.taken).toHaveLength(1);
});
