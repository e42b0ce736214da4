import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CustodyApi } from '../../../../src/custody/endpoints';
import {
  blockchain,
  createFundedWallet,
  createWallet,
  settled,
  transferOf,
  usdc,
} from '../../../support/sandbox';
import { readChain } from '../chain';
import { type Given, rigOf } from '../subject/subject';

/** An address that the default rules deny because of its last digits. */
const sanctioned = '0x0000000000000000000000000000999999999999';

export function describeTransactions(given: Given): void {
  describe('the check of an address', () => {
    it.each([
      ['0x3600000000000000000000000000000000000000', true],
      ['0x36', false],
    ])('says of %s: %s', async (address, isValid) => {
      const { api } = given.subject();
      expect(await api.validateAddress({ address, blockchain })).toEqual({ isValid });
    });
  });

  given.describeFunded('a transfer that does not simply settle', () => {
    it('is DENIED when screening forbids it, and moves nothing', async () => {
      const { api } = given.subject();
      const { id } = await api.createTransfer(
        transferOf(await createFundedWallet(api), sanctioned),
      );
      expect(await settled(api, id)).toMatchObject({
        state: 'DENIED',
        transactionScreeningEvaluation: { actions: expect.arrayContaining(['DENY']) },
      });
      expect(await held(given, sanctioned)).toBe(0n);
    });

    it.each(kinds)('is accelerated when it is STUCK, from an %s wallet', async (kind) => {
      const { api } = given.subject();
      const { id, to } = await stuckTransfer(given, kind);
      const idempotencyKey = randomUUID();
      expect(await api.accelerateTransaction({ id, idempotencyKey })).toEqual({ id });
      expect(await settled(api, id)).toMatchObject({ state: 'COMPLETE' });
      expect(await held(given, to)).toBe(1_000_000n);
    });

    it.each(kinds)('is cancelled when it is STUCK, from an %s wallet', async (kind) => {
      const { api } = given.subject();
      const { id, to } = await stuckTransfer(given, kind);
      const cancelled = await api.cancelTransaction({ id, idempotencyKey: randomUUID() });
      expect(cancelled).toEqual({ id, state: expect.any(String) });
      expect(await settled(api, id)).toMatchObject({ state: 'CANCELLED' });
      expect(await held(given, to)).toBe(0n);
    });

    it('is neither cancelled nor accelerated once it is COMPLETE', async () => {
      const { api } = given.subject();
      const receiver = await createWallet(api);
      const order = transferOf(await createFundedWallet(api), receiver.address);
      const { id } = await api.createTransfer(order);
      await settled(api, id);
      for (const change of [api.cancelTransaction, api.accelerateTransaction]) {
        await expect(change({ id, idempotencyKey: randomUUID() })).rejects.toMatchObject({
          status: 400,
          code: 155229,
        });
      }
    });
  });
}

const kinds = ['SCA', 'EOA'] as const;

function held(given: Given, address: string): Promise<bigint> {
  return readChain(rigOf(given).rpcUrl).balance(usdc, address);
}

/** A transfer of one USDC to a new wallet that no block includes. */
async function stuckTransfer(given: Given, kind: (typeof kinds)[number]) {
  const { api } = given.subject();
  const receiver = await createWallet(api);
  const to = receiver.address;
  const order = transferOf(await createFundedWallet(api, kind), to);
  const { id } = await rigOf(given).transferThatSticks(order);
  await isIn(api, id, 'STUCK');
  return { id, to };
}

async function isIn(api: CustodyApi, id: string, state: string): Promise<void> {
  const deadline = Date.now() + 100_000;
  for (;;) {
    const { transaction } = await api.getTransaction({ id });
    if (transaction.state === state) return;
    if (Date.now() > deadline) throw new Error(`${id} is ${transaction.state}, not ${state}.`);
    await sleep(20);
  }
}
