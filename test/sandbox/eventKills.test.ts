import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLog } from '../../src/custody/contractEvent';
import type { Wallet } from '../../src/custody/wallet';
import { deployBytecode, monitorOf } from '../support/bytecode';
import { logsOfChain } from '../support/eventLogs';
import { type MortalSandbox, startMortalSandbox } from '../support/mortalSandbox';
import { createFundedWallet, settled } from '../support/sandbox';

const signature = 'Transfer(address,address,uint256)';
/** How long after the calls were accepted each kill comes: within the life of a transaction. */
const killsAfterMs = [20, 60, 100, 140, 180, 220, 260, 300];

let dataDir: string;
let sandbox: MortalSandbox;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'steadfast-'));
  sandbox = await startMortalSandbox(dataDir, { SANDBOX_SETTLE_MS: '300' });
});
afterAll(async () => {
  await sandbox.stop();
  await rm(dataDir, { recursive: true });
});

it('each log of a monitored event is seen once, whatever is killed meanwhile', async () => {
  const { client } = sandbox;
  const sca = await createFundedWallet(client, 'SCA');
  const eoa = await createFundedWallet(client, 'EOA');
  const { address } = await deployBytecode(client, sca);
  await client.createEventMonitor(monitorOf(address));
  await settled(client, await move(sca, address, eoa));
  for (const [index, afterMs] of killsAfterMs.entries()) {
    const moves = await Promise.all([move(sca, address, eoa), move(eoa, address, sca)]);
    await sleep(afterMs);
    if (index % 2 === 0) await sandbox.killProcess();
    else await sandbox.killNode();
    await sandbox.ready();
    const records = await Promise.all(moves.map((id) => settled(client, id)));
    expect(records.map(({ state }) => state)).toEqual(['COMPLETE', 'COMPLETE']);
  }
  const { eventLogs } = await client.listEventLogs({ contractAddress: address, pageSize: 50 });
  // The first was that of the constructor, before there was a monitor.
  const [, ...onChain] = await logsOfChain(sandbox.rpcUrl, { address, signature });
  expect(onChain).toHaveLength(2 * killsAfterMs.length + 1);
  expect(eventLogs.map(placeOf).toReversed()).toEqual(onChain.map(placeOf));
}, 120_000);

async function move(from: Wallet, token: string, to: Wallet): Promise<string> {
  const { id } = await sandbox.client.executeContract({
    idempotencyKey: randomUUID(),
    walletId: from.id,
    contractAddress: token,
    abiFunctionSignature: 'transfer(address,uint256)',
    abiParameters: [to.address, '1'],
    feeLevel: 'MEDIUM',
  });
  return id;
}

type Place = Pick<EventLog, 'txHash' | 'blockHash'> & { logIndex: string | number };

function placeOf({ txHash, blockHash, logIndex }: Place): string {
  return `${blockHash} ${txHash} ${logIndex}`;
}
