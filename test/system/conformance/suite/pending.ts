import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { setUp } from '../../../support/jest/setUp';
import { blockchain, createFundedWallet, createWallet, transferOf } from '../../../support/sandbox';
import { type Given, rigOf } from '../subject/subject';

export function describePending(given: Given): void {
  describe('the current gas price', () => {
    it('is given for each level, as twice the base fee and a tip', async () => {
      const { low, medium, high } = await given.subject().api.getFeeParameters({ blockchain });
      for (const { baseFee, priorityFee, maxFee } of [low, medium, high]) {
        expect(Number(maxFee)).toBeCloseTo(2 * Number(baseFee) + Number(priorityFee), 9);
      }
      expect(Number(low.priorityFee)).toBeLessThan(Number(medium.priorityFee));
      expect(Number(medium.priorityFee)).toBeLessThan(Number(high.priorityFee));
    });
  });

  describe('the transaction of the lowest nonce', () => {
    it('is absent when nothing waits for a block', async () => {
      const { api } = given.subject();
      const wallet = await createWallet(api);
      expect(await api.getLowestNonceTransaction({ walletId: wallet.id })).toBeUndefined();
    });
  });

  given.describeFunded('a transaction that sticks', () => {
    let stuck: string;
    const wallet = setUp(() => createFundedWallet(given.subject().api, 'EOA'));
    beforeAll(async () => {
      const order = transferOf(wallet, wallet.address, { feeLevel: 'LOW' });
      stuck = (await rigOf(given).transferThatSticks(order)).id;
    });

    it('has the lowest nonce, by the id of its wallet and by its address', async () => {
      const { api } = given.subject();
      const found = await untilSent(() => api.getLowestNonceTransaction({ walletId: wallet.id }));
      expect(found?.transaction).toMatchObject({ id: stuck, walletId: wallet.id });
      const { address } = wallet;
      const again = await api.getLowestNonceTransaction({ address, blockchain });
      expect(again?.transaction.id).toBe(stuck);
      expect(Number(found?.feeInfo.feeDifferenceAmount)).toBeGreaterThan(0);
      expect(found?.feeInfo.newHighEstimatedFee.priorityFee).toBe('4.45');
    });

    it('no longer has the lowest nonce once it has been accelerated', async () => {
      const { api } = given.subject();
      await api.accelerateTransaction({ id: stuck, idempotencyKey: randomUUID() });
      await untilGone(() => api.getLowestNonceTransaction({ walletId: wallet.id }));
    });
  });
}

const deadlineMs = 100_000;

async function untilSent<Found>(ask: () => Promise<Found | undefined>): Promise<Found | undefined> {
  for (const endMs = Date.now() + deadlineMs; Date.now() < endMs; ) {
    const found = await ask();
    if (found !== undefined) return found;
    await sleep(20);
  }
  throw new Error('No transaction waits for a block.');
}

async function untilGone(ask: () => Promise<unknown>): Promise<void> {
  for (const endMs = Date.now() + deadlineMs; Date.now() < endMs; ) {
    if ((await ask()) === undefined) return;
    await sleep(20);
  }
  throw new Error('A transaction still waits for a block.');
}
