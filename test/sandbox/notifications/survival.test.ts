import { setTimeout as sleep } from 'node:timers/promises';
import { newFolder, stopLater } from '../../support/jest/setUp';
import { createFundedWallet, settled, transferOf } from '../../support/sandbox';
import { type MortalSandbox, startMortalSandbox } from '../../support/service/mortalSandbox';
import { type Receiver, startReceiver } from '../../support/service/receiver';

const dataDir = newFolder();
let sandbox: MortalSandbox;
let receiver: Receiver;
beforeAll(async () => {
  sandbox = await startMortalSandbox(dataDir, { SANDBOX_SETTLE_MS: '300' });
  stopLater(() => sandbox.stop());
  // The first of three attempts is never answered, so that some are on their way at every kill.
  receiver = await startReceiver((_, before) => (before.length % 3 === 0 ? undefined : 200));
  stopLater(() => receiver.stop());
});

/** Settings last until the process ends. */
async function hurry(): Promise<void> {
  const { status } = await fetch(new URL('/_sandbox/settings', sandbox.rpcUrl), {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ webhookTimeoutMs: 500, webhookRetryMs: Array(10).fill(100) }),
  });
  expect(status).toBe(200);
}

it('a sandbox that is killed tells of every change all the same, with the same key', async () => {
  const { client } = sandbox;
  await hurry();
  const wallet = await createFundedWallet(client, 'EOA');
  await client.createSubscription({
    endpoint: receiver.endpoint,
    notificationTypes: ['transactions.outbound'],
  });
  const ids: string[] = [];
  for (const killAfterMs of [60, 150, 280]) {
    for (let count = 0; count < 3; count += 1) {
      const order = transferOf(wallet, wallet.address, { amounts: ['0.01'] });
      ids.push((await client.createTransfer(order)).id);
    }
    await sleep(killAfterMs);
    await sandbox.killProcess();
    await sandbox.ready();
    await hurry();
  }
  await Promise.all(ids.map((id) => settled(client, id)));
  const states = ['QUEUED', 'SENT', 'CONFIRMED', 'COMPLETE'];
  const changes = ids.flatMap((id) => states.map((state) => `${id} ${state}`)).sort();
  const deadline = Date.now() + 100_000;
  const told = (): string[] => {
    const notices = receiver.told('transactions.outbound');
    const byId = new Map(notices.map((notice) => [notice.notificationId, notice.notification]));
    return [...byId.values()].map(({ id, state }) => `${id} ${state}`).sort();
  };
  while (told().length < changes.length && Date.now() < deadline) await sleep(50);
  // Each change once, by the ids of the notices, however often they have come.
  expect(told()).toEqual(changes);
  const keys = new Set(receiver.received.map(({ headers }) => headers['x-circle-key-id']));
  expect(keys.size).toBe(1);
});
