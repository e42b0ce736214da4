import { MockActivityEnvironment } from '@temporalio/testing';
import type { WriteOf } from '../../activities/attempt';
import { walletActivities } from '../../activities/wallets';
import type { CallOptions, CustodyApi } from '../../src/custody/endpoints';
import { UnexpectedAnswerError } from '../../src/custody/errors';

const settings = {
  baseUrl: 'http://127.0.0.1:9',
  uptimeMs: () => 0,
  lookupGraceMs: 1,
  keyLifetimeMs: 3_600_000,
};

describe('the activity that creates wallets', () => {
  it.each([0, -1, 1.5, 201, 200_000_000])(
    'refuses %p wallets before it makes anything of the number',
    async (count) => {
      const asked: unknown[] = [];
      const custody = { createWallets: async (input: unknown) => asked.push(input) };
      const { createWallets } = walletActivities(custody as unknown as CustodyApi, settings);
      const parts = { workflowId: 'provision:1', step: 'wallets', item: '1', generation: 0 };
      const write = { parts, input: { count } } as unknown as WriteOf<'createWallets'>;
      const attempt = new MockActivityEnvironment().run(() => createWallets(write));
      await expect(attempt).rejects.toMatchObject({
        type: 'Refused',
        message: `count: ${count} must be a whole number from 1 to 200.`,
      });
      expect(asked).toEqual([]);
    },
  );
});

describe('the activity that asks the faucet', () => {
  it('takes a received record that cannot be read for one', async () => {
    const asked: unknown[] = [];
    const custody = {
      listTransactions: async (_: unknown, how?: CallOptions) => {
        const read = how?.salvage?.({ id: 'dust', amounts: 5 });
        if (read === undefined) throw new UnexpectedAnswerError('odd', { status: 200 });
        return { transactions: [read] };
      },
      requestDrip: async (input: unknown) => asked.push(input),
    };
    const { requestDrip } = walletActivities(custody as unknown as CustodyApi, settings);
    const drip = { walletId: 'w', address: '0x1', blockchain: 'ARC-TESTNET', token: 'USDC' };
    const ask = (askedSinceMs?: number) =>
      new MockActivityEnvironment().run(() => requestDrip({ ...drip, askedSinceMs }));
    await ask(1);
    expect(asked).toEqual([]);
    await ask();
    expect(asked).toHaveLength(1);
  });
});
