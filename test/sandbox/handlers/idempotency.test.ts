import { randomUUID } from 'node:crypto';
import { setUp } from '../../support/jest/setUp';
import { blockchain, inSandbox, transferOf } from '../../support/sandbox';
import { someone } from '../../support/stages';

const sandbox = inSandbox();
const sender = setUp(() => sandbox.fundedWallet());

describe('an idempotency key', () => {
  it('is answered with 201 the first time, and with 200 and the same answer after that', async () => {
    const body = { idempotencyKey: randomUUID(), name: 'first' };
    const first = await sandbox.signed('developer/walletSets', body);
    const second = await sandbox.signed('developer/walletSets', body);
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
  });

  it('gets the first answer also with another body, which has no effect', async () => {
    const order = transferOf(sender, someone(), { amounts: ['1'] });
    const other = { ...order, destinationAddress: someone(), amounts: ['2'] };
    const first = await sandbox.client.createTransfer(order);
    const second = await sandbox.client.createTransfer(other);
    expect(second).toEqual(first);
    const record = await sandbox.settled(second.id);
    expect(record).toMatchObject({
      amounts: ['1'],
      destinationAddress: order.destinationAddress.toLowerCase(),
    });
    expect(await transfersTo(other.destinationAddress)).toEqual([]);
  });

  it('gets the first answer in its first words, however far the transaction has come', async () => {
    const order = transferOf(sender, someone());
    const first = await sandbox.client.createTransfer(order);
    await sandbox.settled(first.id);
    await expect(sandbox.client.createTransfer(order)).resolves.toEqual({
      id: first.id,
      state: 'INITIATED',
    });
  });

  it('is the same key in upper case', async () => {
    const order = transferOf(sender, someone());
    const first = await sandbox.client.createTransfer(order);
    const idempotencyKey = order.idempotencyKey.toUpperCase();
    await expect(sandbox.client.createTransfer({ ...order, idempotencyKey })).resolves.toEqual(
      first,
    );
  });

  it('of a transaction that has failed keeps its answer, so that a repeat moves nothing', async () => {
    const order = transferOf(sender, someone(), { amounts: ['1000'] });
    const first = await sandbox.client.createTransfer(order);
    expect((await sandbox.settled(first.id)).state).toBe('FAILED');
    await expect(sandbox.client.createTransfer({ ...order, amounts: ['1'] })).resolves.toEqual(
      first,
    );
    expect(await transfersTo(order.destinationAddress)).toEqual([]);
  });

  it.each([
    ['wallets', 'developer/walletSets', 403, 156020, 'Please use a new idempotency key.'],
    [
      'contracts',
      'templates/a1b74add-23e0-4712-88d1-6b3009e85a86/deploy',
      409,
      175403,
      'please use a new idempotency key',
    ],
  ])(
    'that a transfer has used is refused by another endpoint of the %s side',
    async (side, url, status, code, message) => {
      const order = transferOf(sender, someone());
      await sandbox.client.createTransfer(order);
      const { idempotencyKey } = order;
      const deployment = { name: 'T', walletId: sender.id, blockchain, feeLevel: 'MEDIUM' };
      const body = { idempotencyKey, ...(side === 'contracts' ? deployment : {}) };
      const answer = await sandbox.signed(url, body);
      expect({ status: answer.status, body: answer.body }).toEqual({
        status,
        body: { code, message },
      });
    },
  );

  it('is not burnt by a refusal: the corrected request goes through under it', async () => {
    const order = transferOf(sender, someone());
    await expect(
      sandbox.client.createTransfer({ ...order, destinationAddress: '0x1' }),
    ).rejects.toThrow(
      'createTransfer was answered with 400, code 155219: Invalid destination address.',
    );
    const { id } = await sandbox.client.createTransfer(order);
    expect((await sandbox.settled(id)).state).toBe('COMPLETE');
  });

  it('makes one transfer on the chain of twenty requests that arrive together', async () => {
    const order = transferOf(sender, someone());
    const requests = Array.from({ length: 20 }, () =>
      sandbox.signed('developer/transactions/transfer', order),
    );
    const answers = await Promise.all(requests);
    const ids = answers.map(({ body }) => (body as { data: { id: string } }).data.id);
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(ids).size).toBe(1);
    await sandbox.settled(ids[0] ?? '');
    expect(await transfersTo(order.destinationAddress)).toEqual([1_000_000n]);
  });

  it('makes one transfer of twenty calls in one moment, before any could be kept', async () => {
    const order = transferOf(sender, someone());
    const calls = Array.from({ length: 20 }, () => sandbox.api.createTransfer(order));
    const ids = (await Promise.all(calls)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
    await sandbox.settled(ids[0] ?? '');
    expect(await transfersTo(order.destinationAddress)).toEqual([1_000_000n]);
  });

  it('makes one wallet set of twenty requests that arrive together', async () => {
    const body = { idempotencyKey: randomUUID(), name: 'once' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => sandbox.client.createWalletSet(body)),
    );
    expect(new Set(answers.map(({ walletSet }) => walletSet.id)).size).toBe(1);
  });

  it('lets the next of many requests try when the first is refused', async () => {
    const empty = await sandbox.wallet('SCA');
    const order = transferOf(empty ?? sender, someone());
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => sandbox.signed('developer/transactions/transfer', order)),
    );
    expect(answers.map(({ body }) => (body as { code: number }).code)).toEqual(
      Array(5).fill(155258),
    );
    const address = empty.address;
    await sandbox.client.requestDrip({ address, blockchain, usdc: true });
    const { id } = await sandbox.client.createTransfer(order);
    expect((await sandbox.settled(id)).state).toBe('COMPLETE');
  });
});

/** Base units of every token transfer to an address, as the chain's own logs have it. */
async function transfersTo(to: string): Promise<bigint[]> {
  return (await sandbox.transfers({ to })).map(({ value }) => value);
}
