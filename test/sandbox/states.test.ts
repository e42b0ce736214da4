import { setTimeout as sleep } from 'node:timers/promises';
import { finalState } from '../../src/custody/state';
import {
  createFundedWallet,
  createWallets,
  startTestSandbox,
  type TestSandbox,
  transferOf,
} from '../support/sandbox';

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
      // Which of those between is seen depends on the moments of looking; one at least is.
      expect(seen.length).toBeGreaterThan(2);
    } finally {
      await sandbox.stop();
    }
  });

  it('take the settling time from acceptance to COMPLETE', async () => {
    const sandbox = await startTestSandbox({ settleMs });
    try {
      const seen = await statesOfTransfer(sandbox);
      const tookMs = seen.at(-1)?.afterMs ?? 0;
      expect(tookMs).toBeGreaterThanOrEqual(settleMs);
      expect(tookMs).toBeLessThan(10_000);
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
    if (Date.now() > askedAtMs + 20_000) throw new Error('The transfer never ended.');
    await sleep(5);
  }
  return seen;
}
