import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../src/custody/objects/transaction';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { setUp } from '../../support/jest/setUp';
import { blockchain, callOf, eurc, transferOf, usdc } from '../../support/sandbox';
import { inStagedSandbox, someone } from '../../support/stages';

const coins = [
  ['USDC', usdc],
  ['EURC', eurc],
] as const;
const everything = [...coins, ['the native coin', '']] as const;
/** Arc's node does not run such a transaction. */
const refused = {
  state: 'FAILED',
  errorReason: 'ESTIMATION_ERROR',
  errorDetails: 'Blocked address',
};
/** Arc's precompile moves USDC, so that it is what refuses. EURC looks itself. */
const words = [
  ['USDC', usdc, 'Blocked address'],
  ['EURC', eurc, 'Blacklistable: account is blacklisted'],
] as const;
/** The fee of a call that does nothing. */
const leastFee = 21_000 * 20e-9;

const sandbox = inStagedSandbox();
const eoa = setUp(() => sandbox.usedWallet('EOA'));

const setBlocked = (method: 'PUT' | 'DELETE', address: string) =>
  sandbox.control(method, `blocklist/${address}`);

async function transfer(from: Wallet, to: string, tokenAddress: string): Promise<Transaction> {
  const order = transferOf(from, to, { tokenAddress, amounts: ['0.5'] });
  return sandbox.settled((await sandbox.client.createTransfer(order)).id);
}

async function blockedBy(address: string, account: string): Promise<unknown> {
  const abiFunctionSignature = 'isBlacklisted(address)';
  const query = { address, blockchain, abiFunctionSignature, abiParameters: [account] };
  return (await sandbox.client.queryContract(query)).outputValues;
}

describe('an account on the block list', () => {
  it.each(coins)('is on that of %s when the control plane answers', async (_, coin) => {
    const address = someone();
    expect(await blockedBy(coin, address)).toEqual([false]);
    const blocked = await setBlocked('PUT', address.toUpperCase().replace('0X', '0x'));
    const inAnyCase = expect.stringMatching(new RegExp(`^${address}$`, 'i'));
    expect(blocked).toMatchObject({ status: 200, body: { address: inAnyCase, blocked: true } });
    expect(await blockedBy(coin, address)).toEqual([true]);
    const open = await setBlocked('DELETE', address);
    expect(open).toMatchObject({ status: 200, body: { address: inAnyCase, blocked: false } });
    expect(await blockedBy(coin, address)).toEqual([false]);
  });

  it.each(coins)('receives no %s, and the attempt costs gas', async (_, coin) => {
    const to = someone();
    await setBlocked('PUT', to);
    const before = await sandbox.holdings(eoa.id);
    const failed = await transfer(eoa, to, coin);
    expect(failed).toMatchObject({ state: 'FAILED', errorReason: 'FAILED_ON_CHAIN' });
    const fee = Number(failed.networkFee);
    expect(fee).toBeGreaterThan(leastFee);
    const { native, EURC } = await sandbox.holdings(eoa.id);
    expect(EURC).toBe(before.EURC);
    expect(Number(before.native) - Number(native)).toBeCloseTo(fee, 12);
    expect(await sandbox.transfers({ to })).toEqual([]);
    await setBlocked('DELETE', to);
    expect((await transfer(eoa, to, coin)).state).toBe('COMPLETE');
  });

  it('is paid no native coin, and the attempt is not run, so that it costs nothing', async () => {
    const to = someone();
    await setBlocked('PUT', to);
    const before = await sandbox.holdings(eoa.id);
    const failed = await transfer(eoa, to, '');
    expect(failed).toMatchObject(refused);
    expect([failed.txHash ?? '', failed.networkFee ?? '']).toEqual(['', '']);
    expect(await sandbox.holdings(eoa.id)).toEqual(before);
    const asked = { walletId: eoa.id, destinationAddress: to, amounts: ['0.5'], tokenAddress: '' };
    await expect(sandbox.client.estimateTransfer({ ...asked, blockchain })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(refused.errorDetails),
    });
    await setBlocked('DELETE', to);
    expect((await transfer(eoa, to, '')).state).toBe('COMPLETE');
  });

  it.each(everything)('sends no %s, and the attempt is not run', async (_, coin) => {
    const [wallet, to] = [await sandbox.fundedWallet('EOA'), someone()];
    await setBlocked('PUT', wallet.address);
    expect(await transfer(wallet, to, coin)).toMatchObject(refused);
    await setBlocked('DELETE', wallet.address);
    expect((await transfer(wallet, to, coin)).state).toBe('COMPLETE');
  });

  it.each(words)('has a smart account that pays it %s told why', async (_, coin, errorDetails) => {
    const [wallet, to] = [await sandbox.usedWallet('SCA'), someone()];
    await setBlocked('PUT', to);
    const failed = await transfer(wallet, to, coin);
    const errorReason = 'FAILED_ON_CHAIN';
    expect(failed).toMatchObject({ state: 'FAILED', errorReason, errorDetails });
    expect((await transfer(wallet, to, '')).state).toBe('FAILED');
  });

  it('is paid no native coin in a batch of a smart account', async () => {
    const [wallet, to] = [await sandbox.usedWallet('SCA'), someone()];
    await setBlocked('PUT', to);
    const batch = callOf(wallet, {
      to: wallet.address,
      signature: 'executeBatch((address,uint256,bytes)[])',
      parameters: [[[to, '1', '0x']]],
    });
    const send = async () => sandbox.settled((await sandbox.client.executeContract(batch)).id);
    expect(await send()).toMatchObject(refused);
    await setBlocked('DELETE', to);
    batch.idempotencyKey = randomUUID();
    expect((await send()).state).toBe('COMPLETE');
  });

  it('stops a coin that is signed but in no block yet', async () => {
    const to = someone();
    await sandbox.plan('stuck');
    const id = await sandbox.send(eoa, to);
    await sandbox.inState(id, 'STUCK');
    await setBlocked('PUT', to);
    await sandbox.client.accelerateTransaction({ id, idempotencyKey: randomUUID() });
    const { state } = await sandbox.settled(id);
    expect([state, await sandbox.transfers({ to })]).toEqual(['FAILED', []]);
  });

  it('gets nothing from the faucet', async () => {
    const address = someone();
    await setBlocked('PUT', address);
    const drip = { address, blockchain, eurc: true };
    await expect(sandbox.client.requestDrip(drip)).rejects.toMatchObject({ status: 400 });
  });

  it('is there still after the chain was built once more, and not after a restore', async () => {
    const address = someone();
    const { body } = await sandbox.control('POST', 'snapshots', {});
    await setBlocked('PUT', address);
    process.kill(sandbox.chain.pid() ?? 0, 'SIGKILL');
    expect(await blockedBy(usdc, address)).toEqual([true]);
    const { id } = body as { id: string };
    await sandbox.control('POST', `snapshots/${id}/restore`, {});
    expect(await blockedBy(usdc, address)).toEqual([false]);
  });

  it.each(['0x12', `0x${'0'.repeat(40)}`, 'everybody'])('is no %s', async (address) => {
    const message = expect.stringContaining('is not the address of an account: write 0x and 40');
    expect(await setBlocked('PUT', address)).toMatchObject({
      status: 400,
      body: { errors: [{ location: 'address', message, invalidValue: `"${address}"` }] },
    });
  });
});
