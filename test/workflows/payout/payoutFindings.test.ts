import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { NoAnswerError, RefusedError } from '../../../src/custody/errors';
import type { Progress } from '../../../src/orders/progress/status';
import { stopLater } from '../../support/jest/setUp';
import { createServe } from '../../support/orders';
import {
  linesOf,
  newLines,
  paidByResults,
  paidOnChain,
  payers,
  payoutOf,
} from '../../support/payouts';
import { blockchain, inSandbox, usdc } from '../../support/sandbox';
import { type LyingNode, startLyingNode } from '../../support/service/lyingNode';
import { openTill } from '../../support/service/tillCustody';
import { boundariesOf, resetTo } from '../../support/traps/reset';

const sandbox = inSandbox();
let node: LyingNode;
const serve = createServe();
beforeAll(async () => {
  node = await startLyingNode(sandbox.rpcUrl);
  stopLater(() => node.close());
});

test('a finding on a batch calls no line paid that the chain does not show as paid', async () => {
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
  };
  const orders = await serve(custody, { baseUrl, chainRpcUrl: node.url });
  node.dropsLogs = true;
  const order = payoutOf(await payers(sandbox, 'EOA'));
  const { workflowId, receipt } = await orders.steadfast.payout(order, lines);
  const isAsking = ({ status }: Progress): boolean => status === 'NeedsOperator';
  const { target = '', exits = [] } = await orders.progress(workflowId, isAsking);
  expect(exits.map(({ command }) => command).join()).toMatch(/completed .* skip /);
  node.dropsLogs = false;
  const [{ transactionId = '' } = {}] = await linesOf(orders, workflowId);
  const finding = { target, finding: 'completed', evidence: transactionId } as const;
  expect(await orders.steadfast.resolve(workflowId, finding)).toContain('with the chain once more');
  expect(await receipt()).toMatchObject({ paid: 4, failed: 1 });
  const paid = await paidOnChain(sandbox, lines);
  expect(paid).toEqual(paidByResults(await linesOf(orders, workflowId)));
});

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
  let calls = 0;
  till.settings.onTransfer = (input, take) => {
    if (input.destinationAddress.toLowerCase() !== lines[0]?.to) return take();
    calls += 1;
    if (calls === 1) throw new NoAnswerError('lost');
    if (calls === 2) throw new RefusedError('no funds', { status: 400, code: 155258 });
    return take();
  };
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

test.each(['the payout was ended and started again', 'its part was reset'])(
  'a payment that somebody found counts also after %s',
  async (what) => {
    const till = openTill({ wallets: 1 });
    const orders = await serve(till.custody);
    const lines = newLines(2);
    const [first] = lines;
    let calls = 0;
    till.settings.onTransfer = (input, take) => {
      if (input.destinationAddress.toLowerCase() !== first?.to) return take();
      calls += 1;
      if (calls === 1) throw new NoAnswerError('lost');
      if (calls === 2) throw new RefusedError('no funds', { status: 400, code: 155258 });
      return take();
    };
    const order = payoutOf(till.wallets);
    const { workflowId } = await orders.steadfast.payout(order, lines);
    await orders.progress(
      workflowId,
      ({ status, payout }) => status === 'Unknown' && payout?.paid === 1,
    );
    till.settings.settleMs = 600_000;
    const byHand = await till.custody.createTransfer({
      walletAddress: till.wallets[0]?.address ?? '',
      destinationAddress: first?.to ?? '',
      amounts: [first?.amount ?? ''],
      tokenAddress: usdc,
      blockchain,
      feeLevel: 'MEDIUM',
      idempotencyKey: randomUUID(),
    });
    const target = `line/${first?.lineId}#0`;
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
