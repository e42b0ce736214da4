import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { type Scene, startScene } from '../../../cli/receipt/scene';
import { untilRest } from '../../../support/chain/outside';
import { startBusyNode } from '../../../support/service/busyNode';
import { someone } from '../../../support/stages';

// Source: circlefin/arc-node #207, #222 and #454, and dimension-adapters #9485. The commands gave
// up after three seconds: "RPC Request failed. request limit reached."

let scene: Scene;
let node: Awaited<ReturnType<typeof startBusyNode>>;
let wallet: Wallet;
let to: string;
beforeAll(async () => {
  scene = await startScene();
  node = await startBusyNode(scene.sandbox.rpcUrl);
  wallet = await scene.sandbox.usedWallet('EOA');
  for (const amount of ['0.1', '0.2', '0.3']) {
    await scene.orders.steadfast.execute('transferStablecoin', `transfer:${randomUUID()}`, {
      from: { walletId: wallet.id },
      to: someone(),
      amount,
      token: 'USDC',
    });
  }
  await untilRest(scene.sandbox);
  to = new Date().toISOString();
});
afterAll(async () => {
  node.close();
  await scene.stop();
});

const busy = () => ({ CHAIN_RPC_URL: node.url });

/** Runs a command on the busy node or on the plain one. Returns its rows. */
async function rowsOf(env: Record<string, string>, ...args: string[]) {
  scene.env = env;
  const path = scene.path(`${randomUUID()}.jsonl`);
  const { code, told } = await scene.steadfast(
    ...args,
    ...['--from', '2020-01-01', '--to', to, '--out', path],
  );
  const rows: Record<string, unknown>[] = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { code, told, rows };
}

describe('on a node that answers one call at a time (field B 20)', () => {
  it.each([
    ['statement', () => ['statement', '--wallet', wallet.id, '--format', 'jsonl']],
    ['reconcile', () => ['reconcile', '--all']],
  ])('%s goes on to the end, and tells the same rows as on a plain one', async (_name, args) => {
    const before = { ...node.counts };
    const patient = await rowsOf(busy(), ...args());
    expect(node.counts.refusedItems + node.counts.refusedRequests).toBeGreaterThan(
      before.refusedItems + before.refusedRequests,
    );
    const plain = await rowsOf({}, ...args());
    expect(patient.rows.length).toBeGreaterThan(5);
    expect(patient).toEqual({ ...plain, told: expect.any(String) });
  });

  it('doctor tells the pace of the node, and knows whether batches are there', async () => {
    scene.env = busy();
    const { told } = await scene.steadfast('doctor');
    expect(told).toMatch(/✓ Node: takes about [\d.]+ calls a second/);
    expect(told).toContain('✓ Batches: payouts from EOAs go in batches of USDC and EURC');
  });
});
