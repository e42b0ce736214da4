import { randomUUID } from 'node:crypto';
import { templateIds } from '../../../src/custody/objects/template';
import { deploymentOf } from '../../support/chain/deployments';
import { setUp } from '../../support/jest/setUp';
import { inStagedSandbox, someone } from '../../support/stages';

const sandbox = inStagedSandbox();
const client = setUp(async () => sandbox.client);

const both = ['SCA', 'EOA'] as const;

async function arrivals(to: string): Promise<number> {
  return (await sandbox.transfers({ to })).length;
}

async function waitForArrivals(to: string, count: number): Promise<void> {
  for (let look = 0; look < 5_000 && (await arrivals(to)) < count; look++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(await arrivals(to)).toBe(count);
}

describe.each(both)('a transfer of an %s whose record is forced', (type) => {
  it.each(['FAILED', 'CANCELLED', 'DENIED', 'COMPLETE'])(
    'to %s while it is SENT moves the money all the same, once',
    async (state) => {
      const from = await sandbox.usedWallet(type);
      const to = someone();
      await sandbox.stopBlocks();
      const id = await sandbox.send(from, to);
      await sandbox.inState(id, 'SENT');
      await sandbox.force(id, state);
      const shown = await client.getTransaction({ id });
      await sandbox.run();
      await waitForArrivals(to, 1);
      const next = await sandbox.settled(await sandbox.send(from, to));
      const { transaction } = await client.getTransaction({ id });
      expect([shown.transaction.state, next.state]).toEqual([state, 'COMPLETE']);
      expect(transaction.state).toBe(state);
      expect(transaction.txHash).toMatch(/^0x/);
      expect(await arrivals(to)).toBe(2);
    },
  );

  it.each(['INITIATED', 'CLEARED', 'QUEUED', 'SENT'])(
    'back to %s when it is COMPLETE comes back to COMPLETE, and is not sent again',
    async (state) => {
      const from = await sandbox.usedWallet(type);
      const to = someone();
      const id = await sandbox.send(from, to);
      const before = await sandbox.settled(id);
      await sandbox.force(id, state);
      const after = await sandbox.inState(id, 'COMPLETE');
      const next = await sandbox.settled(await sandbox.send(from, to));
      expect([after.txHash, next.state]).toEqual([before.txHash, 'COMPLETE']);
      expect(await arrivals(to)).toBe(2);
    },
  );

  it('back to SENT when other blocks have followed comes back to COMPLETE', async () => {
    const from = await sandbox.usedWallet(type);
    const id = await sandbox.send(from, someone());
    const before = await sandbox.settled(id);
    await sandbox.settled(await sandbox.send(from, someone()));
    await sandbox.force(id, 'SENT');
    const after = await sandbox.inState(id, 'COMPLETE');
    expect(after.blockHash).toBe(before.blockHash);
    expect((await sandbox.settled(await sandbox.send(from, someone()))).state).toBe('COMPLETE');
  });

  it('back to QUEUED while it is SENT is mined once', async () => {
    const from = await sandbox.usedWallet(type);
    const to = someone();
    await sandbox.stopBlocks();
    const id = await sandbox.send(from, to);
    await sandbox.inState(id, 'SENT');
    await sandbox.force(id, 'QUEUED');
    await sandbox.run();
    expect(await sandbox.settled(id)).toMatchObject({ state: 'COMPLETE' });
    expect(await arrivals(to)).toBe(1);
  });

  it('to STUCK is held, and lets the next ones go on when it is SENT again', async () => {
    const from = await sandbox.usedWallet(type);
    const to = someone();
    await sandbox.stopBlocks();
    const id = await sandbox.send(from, to);
    await sandbox.inState(id, 'SENT');
    await sandbox.force(id, 'STUCK');
    await sandbox.run();
    const behind = await sandbox.send(from, to);
    const other = await sandbox.usedWallet(type);
    await sandbox.settled(await sandbox.send(other, someone()));
    expect((await client.getTransaction({ id })).transaction.state).toBe('STUCK');
    expect(await arrivals(to)).toBe(0);
    await sandbox.force(id, 'SENT');
    expect(await sandbox.settled(id)).toMatchObject({ state: 'COMPLETE' });
    expect(await sandbox.settled(behind)).toMatchObject({ state: 'COMPLETE' });
    expect(await arrivals(to)).toBe(2);
  });

  it.each(['cancel', 'accelerate'] as const)(
    'to STUCK when it is COMPLETE comes back to that by %s',
    async (wanted) => {
      const from = await sandbox.usedWallet(type);
      const to = someone();
      const id = await sandbox.send(from, to);
      await sandbox.settled(id);
      await sandbox.force(id, 'STUCK');
      await client[`${wanted}Transaction`]({ id, idempotencyKey: randomUUID() });
      await sandbox.inState(id, 'COMPLETE');
      expect(await sandbox.settled(await sandbox.send(from, to))).toMatchObject({
        state: 'COMPLETE',
      });
      expect(await arrivals(to)).toBe(2);
    },
  );

  it('to STUCK while it is being replaced is held, and then replaced', async () => {
    const from = await sandbox.usedWallet(type);
    const to = someone();
    await sandbox.stopBlocks();
    const id = await sandbox.send(from, to);
    await sandbox.inState(id, 'SENT');
    const fault = new Error('The chain does not answer.');
    const silent = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const reads = [
      jest.spyOn(sandbox.chain.client, 'getBalance').mockRejectedValue(fault),
      jest.spyOn(sandbox.chain, 'readNumber').mockRejectedValue(fault),
    ];
    await client.cancelTransaction({ id, idempotencyKey: randomUUID() });
    await sandbox.force(id, 'STUCK');
    for (const mock of [silent, ...reads]) mock.mockRestore();
    await sandbox.run();
    const other = await sandbox.usedWallet(type);
    await sandbox.settled(await sandbox.send(other, someone()));
    expect((await client.getTransaction({ id })).transaction.state).toBe('STUCK');
    await sandbox.force(id, 'SENT');
    expect(await sandbox.settled(id)).toMatchObject({ state: 'CANCELLED' });
    expect(await arrivals(to)).toBe(0);
  });

  it('to SENT when its fee was too low to be mined gets a better one', async () => {
    const from = await sandbox.usedWallet(type);
    const to = someone();
    await sandbox.plan('stuck');
    const id = await sandbox.send(from, to);
    await sandbox.inState(id, 'STUCK');
    await sandbox.force(id, 'SENT');
    expect(await sandbox.settled(id)).toMatchObject({ state: 'COMPLETE' });
    expect(await arrivals(to)).toBe(1);
  });

  it('to FAILED before it was signed sends nothing, and takes the reason it is given', async () => {
    const from = await sandbox.usedWallet(type);
    const to = someone();
    await sandbox.stopTime();
    const id = await sandbox.send(from, to);
    await sandbox.force(id, 'FAILED', 'INSUFFICIENT_TOKEN');
    await sandbox.run();
    expect(await sandbox.settled(await sandbox.send(from, to))).toMatchObject({
      state: 'COMPLETE',
    });
    expect((await client.getTransaction({ id })).transaction).toMatchObject({
      state: 'FAILED',
      errorReason: 'INSUFFICIENT_TOKEN',
    });
    expect(await arrivals(to)).toBe(1);
  });
});

describe('a deployment whose record is forced', () => {
  it('takes its contract with it', async () => {
    const from = await sandbox.usedWallet('SCA');
    const { contractIds, transactionId } = await client.deployTemplate({
      id: templateIds.fungible,
      ...deploymentOf(from),
    });
    await sandbox.settled(transactionId);
    const status = async () =>
      (await client.getContract({ id: contractIds[0] ?? '' })).contract.status;
    expect(await status()).toBe('COMPLETE');
    await sandbox.force(transactionId, 'FAILED');
    expect(await status()).toBe('FAILED');
    await sandbox.force(transactionId, 'COMPLETE');
    expect(await status()).toBe('COMPLETE');
  });
});

describe.each(both)('the record of what an %s has received', (type) => {
  const inbound = async (walletId: string): Promise<string> => {
    const query = { walletIds: walletId, txType: 'INBOUND' as const };
    const { transactions } = await client.listTransactions(query);
    return transactions[0]?.id ?? '';
  };

  it('is not forced into what is never sent, and holds up nothing', async () => {
    const from = await sandbox.usedWallet(type);
    const id = await inbound(from.id);
    for (const state of ['INITIATED', 'CLEARED', 'QUEUED', 'SENT', 'STUCK', 'DENIED']) {
      const answer = await sandbox.control('POST', `transactions/${id}/state`, { state });
      expect(answer).toMatchObject({ status: 400, body: { code: 2 } });
    }
    expect(await sandbox.settled(await sandbox.send(from, someone()))).toMatchObject({
      state: 'COMPLETE',
    });
  });

  it('is forced into what a block may make of it, and neither cancelled nor accelerated', async () => {
    const from = await sandbox.usedWallet(type);
    const id = await inbound(from.id);
    for (const state of ['FAILED', 'COMPLETE', 'CONFIRMED']) {
      await sandbox.force(id, state);
      const key = () => ({ id, idempotencyKey: randomUUID() });
      await expect(client.cancelTransaction(key())).rejects.toThrow(/code 155229/);
      await expect(client.accelerateTransaction(key())).rejects.toThrow(/code 155229/);
    }
    await sandbox.inState(id, 'COMPLETE');
  });
});

describe('a state that cannot be forced', () => {
  it.each([
    [randomUUID(), { state: 'FAILED' }, 404, 156003],
    [randomUUID(), { state: 'LOST' }, 400, 2],
    [randomUUID(), {}, 400, 2],
  ])('is refused', async (id, body, status, code) => {
    const answer = await sandbox.control('POST', `transactions/${id}/state`, body);
    expect(answer).toMatchObject({ status, body: { code } });
  });
});
