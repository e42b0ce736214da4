import { setTimeout as sleep } from 'node:timers/promises';
import { createPublicClient, http } from 'viem';
import { newFolder, stopLater } from '../../support/jest/setUp';
import { times } from '../../support/lane';
import { createUsedWallet, holdings, settled, transferOf } from '../../support/sandbox';
import { type MortalSandbox, startMortalSandbox } from '../../support/service/mortalSandbox';

const dataDir = newFolder();
let sandbox: MortalSandbox;
beforeAll(async () => {
  sandbox = await startMortalSandbox(dataDir, { SANDBOX_SETTLE_MS: '50' });
  stopLater(() => sandbox.stop());
});

describe('a sandbox that is killed while it goes back to a snapshot', () => {
  it('is completely as it was before, or completely as in the snapshot', async () => {
    const { client, rpcUrl } = sandbox;
    const wallet = await createUsedWallet(client, 'EOA');
    const reader = createPublicClient({ transport: http(rpcUrl, { timeout: 60_000 }) });
    const state = async () => ({
      transactions: (await client.listTransactions({ walletIds: wallet.id })).transactions.length,
      held: await holdings(client, wallet.id),
      nonce: await reader.getTransactionCount({ address: wallet.address as `0x${string}` }),
    });
    const snapshots = new URL('/_sandbox/snapshots', rpcUrl);
    const post = (url: URL | string) => fetch(url, { method: 'POST' });
    const transfer = async () => {
      const { id } = await client.createTransfer(transferOf(wallet, wallet.address));
      await settled(client, id);
    };
    const { id } = (await (await post(snapshots)).json()) as { id: string };
    const then = await state();
    const kills = times({ short: 3, all: 6 });
    for (let kill = 0; kill < kills; kill++) {
      await transfer();
      const before = await state();
      expect(before).not.toEqual(then);
      const restoring = post(`${snapshots}/${id}/restore`).catch(() => {});
      // A new moment in each round: before or after the records change.
      await sleep((kill * 12) / kills);
      await sandbox.killProcess();
      await Promise.all([restoring, sandbox.ready()]);
      const after = await state();
      expect([before, then]).toContainEqual(after);
      await post(`${snapshots}/${id}/restore`);
      expect(await state()).toEqual(then);
    }
  });
});
