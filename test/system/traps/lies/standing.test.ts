import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPublicClient, http } from 'viem';
import { createServe } from '../../../support/orders';
import { linesOf, newLines, payers, payoutOf } from '../../../support/payouts';
import { type LyingNode, startLyingNode } from '../../../support/service/lyingNode';
import { someone } from '../../../support/stages';
import {
  batchesOf,
  graceMs,
  type LyingScene,
  paymentsTo,
  recordsOf,
  seeing,
  shownBy,
  startLyingScene,
  wake,
} from '../../../support/traps/lyingScene';

const serve = createServe();
let scene: LyingScene;
const nodes: LyingNode[] = [];
beforeAll(async () => {
  scene = await startLyingScene(serve);
});
afterAll(async () => {
  for (const node of nodes) node.close();
  await scene.stop();
});

/** Workers whose node shows no block that comes from now on. */
async function behindStandingNode() {
  const { rpcUrl } = scene.sandbox;
  const node = await startLyingNode(rpcUrl);
  nodes.push(node);
  node.standsAt = await createPublicClient({ transport: http(rpcUrl) }).getBlockNumber();
  return { node, workers: await scene.work({ chainRpcUrl: node.url }) };
}

type Workers = Awaited<ReturnType<typeof behindStandingNode>>['workers'];

/** Returns once an order waits although the grace period is over, for want of a newer block. */
function waitsForBlocks(workers: Workers, id: string): Promise<string> {
  let words = '';
  return seeing(
    () => `${id} waits: ${words}`,
    async () => {
      const { progress, execution } = await workers.steadfast.status(id);
      if (execution !== 'RUNNING') return execution;
      const lines = id.startsWith('payout:') ? await linesOf(workers, id) : [];
      words = [progress?.waitingFor, ...lines.map(({ reason }) => reason)].join(' ');
      return /newest block of the chain's node/.test(words) ? 'waits' : undefined;
    },
  );
}

describe('a node that stands still proves nothing by what it does not show', () => {
  test('a transfer that is paid, and called FAILED for longer than the grace period, waits', async () => {
    const wallet = await scene.sandbox.fundedWallet('EOA');
    const { node, workers } = await behindStandingNode();
    const [id, to] = [`transfer:${randomUUID()}`, someone()];
    const lie = scene.service.saysFalsely('FAILED', paymentsTo(to));
    const order = { from: { walletId: wallet.id }, to, amount: '1', token: 'USDC' };
    await workers.steadfast.start('transferStablecoin', id, order);
    const behind = await waitsForBlocks(workers, id);
    lie.withdraw();
    node.standsAt = undefined;
    await wake(workers, id);
    const { word } = await shownBy(workers, id);
    const payments = await scene.payments(to);
    expect({ behind, word, payments }).toEqual({ behind: 'waits', word: 'Done', payments: [1] });
  });

  test('no half of a batch is sent', async () => {
    const [wallet] = await payers(scene.sandbox, 'EOA');
    if (wallet === undefined) throw new Error('No wallet was created.');
    const { node, workers } = await behindStandingNode();
    const lines = newLines(6);
    const lie = scene.service.saysFalsely('FAILED', batchesOf(wallet));
    const { workflowId: id } = await workers.steadfast.payout(payoutOf([wallet]), lines);
    const behind = await waitsForBlocks(workers, id);
    await sleep(graceMs);
    lie.withdraw();
    node.standsAt = undefined;
    await wake(workers, id);
    const { word } = await shownBy(workers, id);
    const batches = (await recordsOf(scene, batchesOf(wallet))).length;
    const payments = await scene.payments(...lines.map(({ to }) => to));
    expect({ behind, word, batches, payments }).toEqual({
      behind: 'waits',
      word: 'Done',
      batches: 1,
      payments: lines.map(() => 1),
    });
  });
});
