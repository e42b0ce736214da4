import { setTimeout as sleep } from 'node:timers/promises';
import { finalState } from '../../../src/custody/objects/state';
import type { Wallet } from '../../../src/custody/objects/wallet';
import {
  createFundedWallet,
  createWallet,
  settled,
  startTestSandbox,
  type TestSandbox,
  transferOf,
} from '../../support/sandbox';
import { neverMs } from '../../support/stages';

const settleMs = 300;

describe('the states of a transaction', () => {
  it.each([
    ['interface', 'PENDING', ['INITIATED', 'PENDING', 'COMPLETE']],
    ['hosted', 'SENT', ['INITIATED', 'CLEARED', 'QUEUED', 'SENT', 'CONFIRMED', 'COMPLETE']],
  ] as const)('are words of the %s vocabulary, in their order', async (states, waiting, words) => {
    const sandbox = await startTestSandbox({ states, settleMs: 0 });
    const { client, origin, request } = sandbox;
    const makeBlocks = (blockMs: number) =>
      request('PATCH', `${origin}/_sandbox/settings`, { headers: {}, body: { blockMs } });
    try {
      const from = await createFundedWallet(client);
      // Without a block, the transfer waits in a state between the first and the last.
      await makeBlocks(neverMs);
      const seen = await statesOfTransfer(sandbox, from, async (state) => {
        if (state === waiting) await makeBlocks(0);
      });
      expect(words).toEqual(expect.arrayContaining(seen.map(({ state }) => state)));
      const places = seen.map(({ state }) => (words as readonly string[]).indexOf(state));
      expect(places).toEqual([...places].sort());
      expect(seen.map(({ state }) => state)).toContain(waiting);
      expect(seen.at(-1)?.state).toBe('COMPLETE');
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
      const from = await createFundedWallet(client);
      const seen = await statesOfTransfer(sandbox, from);
      expect(seen.at(-1)?.afterMs).toBeGreaterThanOrEqual(settleMs);
      // The settling time is all that holds up a transfer.
      await settle({ settleMs: neverMs });
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
async function statesOfTransfer(
  { client }: TestSandbox,
  from: Wallet,
  onState: (state: string) => Promise<void> = async () => {},
): Promise<{ state: string; afterMs: number }[]> {
  const to = await createWallet(client);
  const askedAtMs = Date.now();
  const { id, state } = await client.createTransfer(transferOf(from, to.address));
  const seen = [{ state, afterMs: 0 }];
  await onState(state);
  while (finalState(seen.at(-1)?.state ?? '') === undefined) {
    const { transaction } = await client.getTransaction({ id });
    if (transaction.state !== seen.at(-1)?.state) {
      seen.push({ state: transaction.state, afterMs: Date.now() - askedAtMs });
      await onState(transaction.state);
    }
    await sleep(5);
  }
  return seen;
}
