import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Hex, parseUnits } from 'viem';
import { templateIds } from '../../../../src/custody/objects/template';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { deploymentOf } from '../../../support/chain/deployments';
import { setUp } from '../../../support/jest/setUp';
import { blockchain, usdc } from '../../../support/sandbox';
import { inStagedSandbox, someone } from '../../../support/stages';

const sandbox = inStagedSandbox();
const client = setUp(async () => sandbox.client);

const both = ['SCA', 'EOA'] as const;
const eligible = /400, code 155229/;

function cancel(id: string) {
  return client.cancelTransaction({ id, idempotencyKey: randomUUID() });
}

function accelerate(id: string) {
  return client.accelerateTransaction({ id, idempotencyKey: randomUUID() });
}

/** Has a wallet call USDC, which must succeed. */
async function execute(from: Wallet, signature: string, parameters: string[]): Promise<void> {
  const { state } = await sandbox.call(from, { to: usdc, signature, parameters });
  expect(state).toBe('COMPLETE');
}

/** The balance that an address really has. */
async function received(to: string): Promise<bigint[]> {
  return (await sandbox.transfers({ to })).map(({ value }) => value);
}

/** The most that a transaction may offer for gas, in the native coin. */
async function setFeeCap(feeCap: string): Promise<void> {
  const url = `${sandbox.origin}/_sandbox/settings`;
  const change = { headers: {}, body: { feeCap } };
  expect((await sandbox.request('PATCH', url, change)).status).toBe(200);
}

describe.each(both)('a transfer of an %s whose new fee is above the cap', (type) => {
  it('is not accelerated, and settles with the fee that it has', async () => {
    const from = await sandbox.usedWallet(type);
    await sandbox.stopBlocks();
    const id = await sandbox.send(from, someone());
    const sent = await sandbox.inState(id, 'SENT');
    await setFeeCap('0.000001');
    await expect(accelerate(id)).rejects.toThrow(/400, code 155211/);
    await setFeeCap('1');
    await sandbox.run();
    const { estimatedFee } = sent;
    expect(await sandbox.settled(id)).toMatchObject({ state: 'COMPLETE', estimatedFee });
  });
});

describe.each(both)('a transfer of an %s that is cancelled', (type) => {
  it('before it is signed ends CANCELLED at once, and nothing leaves', async () => {
    const from = await sandbox.usedWallet(type);
    const to = someone();
    await sandbox.stopTime();
    const id = await sandbox.send(from, to);
    expect(await cancel(id)).toEqual({ id, state: 'CANCELLED' });
    await sandbox.run();
    const next = await sandbox.settled(await sandbox.send(from, to));
    const { transaction } = await client.getTransaction({ id });
    expect([transaction.state, transaction.txHash]).toEqual(['CANCELLED', undefined]);
    expect(next.state).toBe('COMPLETE');
    expect(await received(to)).toEqual([1_000_000n]);
  });

  it('is found by its id in upper case too', async () => {
    const from = await sandbox.usedWallet(type);
    await sandbox.stopTime();
    const id = await sandbox.send(from, someone());
    expect(await cancel(id.toUpperCase())).toEqual({ id, state: 'CANCELLED' });
    await sandbox.run();
  });

  it.each(['SENT', 'STUCK'])(
    'when it is %s ends CANCELLED by another of its nonce',
    async (state) => {
      const from = await sandbox.usedWallet(type);
      const to = someone();
      if (state === 'STUCK') await sandbox.plan('stuck');
      else await sandbox.stopBlocks();
      const id = await sandbox.send(from, to);
      const sent = await sandbox.inState(id, state);
      // No block ends it between the two calls.
      await sandbox.stopBlocks();
      expect(await cancel(id)).toEqual({ id, state });
      // Once more, with another key: nothing changes.
      expect(await cancel(id)).toEqual({ id, state });
      const behind = type === 'EOA' ? [await sandbox.send(from, to)] : [];
      await sandbox.run();
      const record = await sandbox.settled(id);
      expect(record).toMatchObject({
        state: 'CANCELLED',
        networkFee: expect.stringMatching(/^0\.\d+$/),
      });
      expect([record.txHash, record.userOpHash]).toEqual([sent.txHash, sent.userOpHash]);
      if (sent.txHash !== undefined) {
        const hash = sent.txHash as Hex;
        await expect(sandbox.chain.client.getTransactionReceipt({ hash })).rejects.toThrow();
      }
      for (const next of [...behind, await sandbox.send(from, to)]) {
        expect(await sandbox.settled(next)).toMatchObject({ state: 'COMPLETE' });
      }
      expect(await received(to)).toEqual([...behind.map(() => 1_000_000n), 1_000_000n]);
    },
  );

  it('as the first one of its wallet leaves it usable', async () => {
    await sandbox.run();
    const from = await sandbox.fundedWallet(type);
    const to = someone();
    await sandbox.stopBlocks();
    const id = await sandbox.send(from, to);
    await sandbox.inState(id, 'SENT');
    await cancel(id);
    await sandbox.run();
    expect(await sandbox.settled(id)).toMatchObject({ state: 'CANCELLED' });
    expect(await sandbox.settled(await sandbox.send(from, to))).toMatchObject({
      state: 'COMPLETE',
    });
    expect(await received(to)).toEqual([1_000_000n]);
  });

  it('when it is final is refused', async () => {
    const from = await sandbox.usedWallet(type);
    const id = await sandbox.send(from, someone());
    await sandbox.settled(id);
    await expect(cancel(id)).rejects.toThrow(eligible);
    await expect(accelerate(id)).rejects.toThrow(eligible);
  });

  it('is not accelerated any more', async () => {
    const from = await sandbox.usedWallet(type);
    await sandbox.stopBlocks();
    const id = await sandbox.send(from, someone());
    await sandbox.inState(id, 'SENT');
    await cancel(id);
    await expect(accelerate(id)).rejects.toThrow(eligible);
    await sandbox.run();
    expect(await sandbox.settled(id)).toMatchObject({ state: 'CANCELLED' });
  });
});

describe.each(both)('a transfer of an %s that is stuck', (type) => {
  it('holds up those behind it, and is mined once when it is accelerated', async () => {
    const from = await sandbox.usedWallet(type);
    const to = someone();
    await sandbox.plan('stuck');
    const id = await sandbox.send(from, to);
    const stuck = await sandbox.inState(id, 'STUCK');
    const behind = await sandbox.send(from, to);
    const other = await sandbox.usedWallet(type);
    await sandbox.settled(await sandbox.send(other, someone()));
    const waiting = type === 'SCA' ? 'QUEUED' : 'SENT';
    expect((await client.getTransaction({ id: behind })).transaction.state).toBe(waiting);
    expect(await accelerate(id)).toEqual({ id });
    const record = await sandbox.settled(id);
    expect(record.state).toBe('COMPLETE');
    expect(record.txHash).not.toBe(stuck.txHash);
    expect(Number(record.estimatedFee?.priorityFee)).toBeGreaterThanOrEqual(4.45);
    expect(await sandbox.settled(behind)).toMatchObject({ state: 'COMPLETE' });
    expect(await received(to)).toEqual([1_000_000n, 1_000_000n]);
  });

  it('is mined once when it is accelerated twice, and SENT in between', async () => {
    const from = await sandbox.usedWallet(type);
    const to = someone();
    await sandbox.plan('stuck');
    const id = await sandbox.send(from, to);
    await sandbox.inState(id, 'STUCK');
    await sandbox.stopBlocks();
    await accelerate(id);
    await sandbox.inState(id, 'SENT');
    await accelerate(id);
    await sandbox.run();
    expect(await sandbox.settled(id)).toMatchObject({ state: 'COMPLETE' });
    expect(await received(to)).toEqual([1_000_000n]);
  });
});

describe('a transfer whose wallet cannot pay for what is wanted in its place', () => {
  it.each(['cancel', 'accelerate'] as const)('gets it once it can: %s', async (wanted) => {
    await sandbox.run();
    const from = await sandbox.fundedWallet('EOA');
    const other = await sandbox.usedWallet('EOA');
    await execute(from, 'approve(address,uint256)', [other.address, '20000000']);
    await sandbox.plan('stuck');
    const to = someone();
    const id = await sandbox.send(from, to);
    await sandbox.inState(id, 'STUCK');
    const { USDC = '' } = await sandbox.holdings(from.id);
    const taken = String(parseUnits(USDC, 6));
    await execute(other, 'transferFrom(address,address,uint256)', [from.address, someone(), taken]);
    await (wanted === 'cancel' ? cancel : accelerate)(id);
    await sandbox.settled(await sandbox.send(other, someone()));
    expect((await client.getTransaction({ id })).transaction.state).toBe('STUCK');
    await client.requestDrip({ address: from.address, blockchain, native: true });
    const state = wanted === 'cancel' ? 'CANCELLED' : 'COMPLETE';
    expect(await sandbox.settled(id)).toMatchObject({ state });
    expect(await received(to)).toHaveLength(wanted === 'cancel' ? 0 : 1);
  });
});

describe.each(both)('a transfer of an %s that is accelerated again and again', (type) => {
  it('has a HIGH fee and no more, and holds up no block', async () => {
    const from = await sandbox.usedWallet(type);
    const other = await sandbox.usedWallet(type);
    await sandbox.control('PATCH', 'settings', { settleMs: 0, blockMs: 500 });
    const id = await sandbox.send(from, someone());
    const behind = await sandbox.send(other, someone());
    const state = async () => (await client.getTransaction({ id: behind })).transaction.state;
    await sandbox.inState(id, 'SENT');
    const fees = new Set<string | undefined>();
    for (let time = 0; time < 600 && (await state()) !== 'COMPLETE'; time++) {
      await accelerate(id).catch(() => {});
      const { transaction } = await client.getTransaction({ id });
      fees.add(transaction.estimatedFee?.priorityFee);
      await sleep(50);
    }
    expect(await state()).toBe('COMPLETE');
    expect([...fees].map(Number).filter((fee) => fee > 4.45)).toEqual([]);
  });
});

describe('a cancelled deployment', () => {
  it.each(both)('of an %s has a contract that is FAILED', async (type) => {
    const from = await sandbox.usedWallet(type);
    await sandbox.stopBlocks();
    const { contractIds, transactionId } = await client.deployTemplate({
      id: templateIds.fungible,
      ...deploymentOf(from),
    });
    await sandbox.inState(transactionId, 'SENT');
    await cancel(transactionId);
    await sandbox.run();
    await sandbox.settled(transactionId);
    const { contract } = await client.getContract({ id: contractIds[0] ?? '' });
    expect(contract).toMatchObject({ status: 'FAILED', deploymentErrorReason: 'CANCELLED' });
  });
});

describe('a transaction that is not there', () => {
  it('is neither cancelled nor accelerated', async () => {
    await expect(cancel(randomUUID())).rejects.toThrow(/404, code 156003/);
    await expect(accelerate(randomUUID())).rejects.toThrow(/404, code 156003/);
  });
});
