import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLog } from '../../../src/custody/objects/contractEvent';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { deployBytecode, monitorOf } from '../../support/chain/bytecode';
import { logsOfChain } from '../../support/chain/eventLogs';
import { newFolder, stopLater } from '../../support/jest/setUp';
import { times } from '../../support/lane';
import { callOf, createFundedWallet, settled } from '../../support/sandbox';
import { type MortalSandbox, startMortalSandbox } from '../../support/service/mortalSandbox';

const signature = 'Transfer(address,address,uint256)';
/** The times of the kills after the calls' acceptance: all within the life of a transaction. */
const killsAfterMs = [20, 140, 220, 260, 60, 100, 180, 300].slice(0, times({ short: 4, all: 8 }));

const dataDir = newFolder();
let sandbox: MortalSandbox;
beforeAll(async () => {
  sandbox = await startMortalSandbox(dataDir, { SANDBOX_SETTLE_MS: '300' });
  stopLater(() => sandbox.stop());
});

it('each log of a monitored event is recorded once, whichever process is killed', async () => {
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
  // The first log is the constructor's, from before the monitor.
  const [, ...onChain] = await logsOfChain(sandbox.rpcUrl, { address, signature });
  expect(onChain).toHaveLength(2 * killsAfterMs.length + 1);
  expect(eventLogs.map(placeOf).toReversed()).toEqual(onChain.map(placeOf));
});

async function move(from: Wallet, token: string, to: Wallet): Promise<string> {
  const { id } = await sandbox.client.executeContract(
    callOf(from, {
      to: token,
      signature: 'transfer(address,uint256)',
      parameters: [to.address, '1'],
    }),
  );
  return id;
}

type Place = Pick<EventLog, 'txHash' | 'blockHash'> & { logIndex: string | number };

function placeOf({ txHash, blockHash, logIndex }: Place): string {
  return `${blockHash} ${txHash} ${logIndex}`;
}
