import { setTimeout as sleep } from 'node:timers/promises';
import { inputOf } from '../../../src/client/temporal/inputOf';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { NotSentError, WithheldError } from '../../../src/custody/errors';
import { sumByToken } from '../../../src/orders/payout/tally';
import { createServe, type Orders } from '../../support/orders';
import {
  linesOf,
  newLines,
  openedPayout,
  paidOnChain,
  payers,
  payoutOf,
} from '../../support/payouts';
import { inSandbox } from '../../support/sandbox';
import { openTill } from '../../support/service/tillCustody';

const sandbox = inSandbox();
const serve = createServe();

test('a line that is skipped while the service is slow to tell what it has is in no batch', async () => {
  const { client, baseUrl, rpcUrl: chainRpcUrl } = sandbox;
  let hasAsked = false;
  let isSlow = true;
  const custody: CustodyApi = {
    ...client,
    listTransactions: async (...call) => {
      hasAsked = true;
      while (isSlow) await sleep(50);
      return client.listTransactions(...call);
    },
  };
  const orders = await serve(custody, { baseUrl, chainRpcUrl });
  const lines = newLines(4);
  const order = payoutOf(await payers(sandbox, 'EOA'), { batch: { linesMax: 4 } });
  const { workflowId, receipt } = await orders.steadfast.payout(order, lines);
  while (!hasAsked) await sleep(20);
  const words = await orders.steadfast.skip(workflowId, [lines[3]?.lineId ?? ''], 'not wanted');
  expect(words).toContain('is skipped, unless it was sent before');
  isSlow = false;
  expect(await receipt()).toMatchObject({ paid: 3, skipped: 1 });
  const paid = await paidOnChain(sandbox, lines);
  expect(Object.values(paid).map((hashes) => hashes.length)).toEqual([1, 1, 1, 0]);
});

/** Starts a part again as its payout does, where no worker takes it up, and ends it. */
async function endUnseen(orders: Orders, workflowId: string): Promise<void> {
  await (await startAgain({ ...orders, taskQueue: 'nobody' }, workflowId)).terminate('a test');
}

/** Starts a part again as its payout does, and ends it once it says that it knows the runs before. */
async function endUnsteered(orders: Orders, workflowId: string): Promise<void> {
  const handle = await startAgain(orders, workflowId);
  const began = async () => (await handle.describe()).memo?.began;
  while ((await began()) !== handle.firstExecutionRunId) await sleep(50);
  await handle.terminate('a test');
}

async function startAgain(
  { client, taskQueue }: Pick<Orders, 'client' | 'taskQueue'>,
  workflowId: string,
) {
  const { workflow } = client;
  const run = await workflow.getHandle(workflowId).describe();
  const args = await inputOf(client, run);
  const { memo = {} } = run;
  return workflow.start('payoutShard', { workflowId, taskQueue, args, memo });
}

test.each([
  ['the payout starts again', async () => {}],
  ['a run that was ended before its first task lies between', endUnseen],
  ['a run that was never told to send lies between', endUnsteered],
])('a line that was skipped while the service was away stays so where %s', async (_, between) => {
  const till = openTill({ wallets: 1 });
  let isAway = true;
  const custody: CustodyApi = Object.assign(Object.create(till.custody), {
    listTransactions: async (...call: Parameters<CustodyApi['listTransactions']>) => {
      if (isAway) throw new NotSentError('connection refused');
      return till.custody.listTransactions(...call);
    },
  });
  const orders = await serve(custody);
  const lines = newLines(2);
  const order = payoutOf(till.wallets);
  const { workflowId } = await orders.steadfast.payout(order, lines);
  const [first] = lines;
  const skip = () => orders.steadfast.skip(workflowId, [first?.lineId ?? ''], 'not wanted');
  expect(await untilAnswered(skip)).toContain('is skipped');
  expect(await linesOf(orders, workflowId)).toMatchObject([{ isCancelled: true }, {}]);
  for (const id of [`${workflowId}:shard:1`, workflowId]) {
    await orders.client.workflow.getHandle(id).terminate('a test');
  }
  await between(orders, `${workflowId}:shard:1`);
  isAway = false;
  const again = await orders.steadfast.payout(order, lines);
  expect(await again.receipt()).toMatchObject({ paid: 1, skipped: 1 });
  expect(till.taken.length).toBe(1);
});

test('a mistyped id skips no line, and a line whose part has ended is told as that', async () => {
  const till = openTill({ wallets: 1 });
  const orders = await serve(till.custody);
  const [first, ...others] = newLines(3);
  if (first === undefined) throw new Error();
  till.settings.onTransfer = ({ destinationAddress }, take) => {
    if (destinationAddress?.toLowerCase() === first.to.toLowerCase()) return take();
    throw new WithheldError('Its window is full.', { next: 'again', afterMs: 600_000 });
  };
  const { workflowId, update } = await openedPayout(orders, payoutOf(till.wallets));
  await update('addLines', { part: 1, lines: [first] });
  await update('addLines', { part: 2, lines: others });
  await update('seal', { parts: 2, totals: sumByToken([first, ...others]) });
  await orders.progress(workflowId, ({ payout }) => payout?.paid === 1);
  await orders.client.workflow.getHandle(`${workflowId}:shard:1`).result();
  const ids = others.map(({ lineId }) => lineId);
  const skip = (...lineIds: string[]) => orders.steadfast.skip(workflowId, lineIds, 'left us');
  const mistyped = skip(...ids, 'nobody');
  await expect(mistyped).rejects.toThrow('lineIds: no part of this payout has "nobody", so it');
  const { timeline } = await orders.progress(workflowId, () => true);
  expect(JSON.stringify(timeline)).not.toContain('to be skipped');
  const words = await skip(first.lineId, ...ids);
  expect(words).toContain(`${first.lineId}: not skipped, since the part has ended.`);
  expect(words).toContain(`${ids[1]} is skipped, unless it was sent before`);
  const handle = orders.client.workflow.getHandle(workflowId);
  expect(await handle.result()).toMatchObject({ paid: 1, skipped: 2 });
});

/** Asks until there is an answer. */
async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    await sleep(100);
  }
}
