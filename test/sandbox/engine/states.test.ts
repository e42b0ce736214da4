import { setTimeout as sleep } from 'node:timers/promises';
import { finalState } from '../../../src/custody/objects/state';
import {
  createFundedWallet,
  createWallets,
  settled,
  startTestSandbox,
  type TestSandbox,
  transferOf,
} from '../../support/sandbox';
import { neverMs } from '../../support/stages';

/** Long enough for a stage to be seen on a machine that has much else to do. */
const settleMs = 1_500;

describe('the states of a transaction', () => {
  it.each([
    ['interface', ['INITIATED', 'PENDING', 'COMPLETE']],
    ['hosted', ['INITIATED', 'CLEARED', 'QUEUED', 'SENT', 'CONFIRMED', 'COMPLETE']],
  ] as const)('are words of the %s vocabulary, in their order', async (states, words) => {
    const sandbox = await startTestSandbox({ states, settleMs });
    try {
      const seen = await statesOfTransfer(sandbox);
      expect(words).toEqual(expect.arrayContaining(seen.map(({ state }) => state)));
      const places = seen.map(({ state }) => (words as readonly string[]).indexOf(state));
      expect(places).toEqual([...places].sort());
      expect(seen.at(-1)?.state).toBe('COMPLETE');
      // The states between depend on the moments of the polls. At least one of them is seen.
      expect(seen.length).toBeGreaterThan(2);
    } finally {
      await sandbox.stop();
    }
  });

  it('take the settling time from acceptance to COMPLETE', async () => {
    const sandbox = await startTestSandbox({ settleMs });
    const { client, origin, request } = sandbox;
    const settle = (body: { settleMs: number }) =>
      request('PATCH', `${origin}/_sandbox/settings`, { headers: {}, body });
    try {
      const seen = await statesOfTransfer(sandbox);
      expect(seen.at(-1)?.afterMs).toBeGreaterThanOrEqual(settleMs);
      // The settling time is all that holds up a transfer.
      await settle({ settleMs: neverMs });
      const from = await createFundedWallet(client);
      const { id } = await client.createTransfer(transferOf(from, from.address));
      const { transaction } = await client.getTransaction({ id });
      expect(transaction.state).not.toBe('COMPLETE');
      await settle({ settleMs: 0 });
      expect(await settled(client, id)).toMatchObject({ state: 'COMPLETE' });
    } finally {
      await sandbox.stop();
    }
  });
});

/** Every state that a transfer shows, each when it was seen first. */
async function statesOfTransfer({
  client,
}: TestSandbox): Promise<{ state: string; afterMs: number }[]> {
  const from = await createFundedWallet(client);
  const [to = from] = await createWallets(client);
  const askedAtMs = Date.now();
  const { id, state } = await client.createTransfer(transferOf(from, to.address));
  const seen = [{ state, afterMs: 0 }];
  while (finalState(seen.at(-1)?.state ?? '') === undefined) {
    const { transaction } = await client.getTransaction({ id });
    if (transaction.state !== seen.at(-1)?.state) {
      seen.push({ state: transaction.state, afterMs: Date.now() - askedAtMs });
    }
    await sleep(5);
  }
  return seen;
}
