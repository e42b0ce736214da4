import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeFunctionData, parseAbi, parseEther } from 'viem';
import { multicallFrom } from '../../src/custody/batch';
import type { CustodyApi } from '../../src/custody/endpoints';
import { NoAnswerError, NotSentError, RefusedError } from '../../src/custody/errors';
import type { Wallet } from '../../src/custody/objects/wallet';
import { openLedger } from '../../src/writer/ledger/openLedger';
import { inSandbox, settled, usdc } from '../support/sandbox';
import { callFrom, limitOf, payee, stranger, transferFrom, writerOf } from './writer';

let wallet: Wallet;
const sandbox = inSandbox();
beforeEach(async () => {
  wallet = await sandbox.usedWallet('EOA');
});

/** All USDC that has left the wallet, by the logs of the chain. */
async function paid(): Promise<bigint[]> {
  const logs = await sandbox.transfers({ from: wallet.address });
  return logs.map(({ value }) => value);
}

const writer = (fields: object = {}, more: object[] = []) =>
  writerOf(sandbox.client, [limitOf(wallet, fields), ...more]);

describe('a transfer', () => {
  it('that a rule names is sent, counts at once, and stays counted when it has settled', async () => {
    const { api, ledger } = writer();
    const { input, how } = transferFrom(wallet, '4.5');
    const window = { scope: { wallet: wallet.id }, money: 'native', hours: 24 };
    const amount = 45n * 10n ** 17n;
    const { id } = await api.createTransfer(input, how);
    expect(await ledger.usage(window)).toEqual({ open: amount, counted: amount });
    const { networkFee = '' } = await settled(api, id);
    expect(await ledger.usage(window)).toEqual({ open: 0n, counted: amount });
    const others = await ledger.outside({ ...window, withFees: true });
    const { counted } = await ledger.usage({ ...window, withFees: true });
    expect(counted - others.counted).toBe(amount + parseEther(networkFee));
    expect(await paid()).toEqual([4_500_000n]);
  });

  it('that would pass the window waits, and says until when', async () => {
    const { api } = writer();
    for (const amount of ['5', '3.99']) {
      const { input, how } = transferFrom(wallet, amount);
      await settled(api, (await api.createTransfer(input, how)).id);
    }
    const { input, how } = transferFrom(wallet, '0.01');
    await expect(api.createTransfer(input, how)).rejects.toMatchObject({
      next: 'again',
      message: expect.stringMatching(
        /window of the rule out is full: 8\.99\d+ of 9 in 24 hours, 0 of it/,
      ),
    });
    expect(await paid()).toEqual([5_000_000n, 3_990_000n]);
  });

  it('that fails at the service gives its part of the window back', async () => {
    const { api } = writer({
      perTransfer: '100',
      perWindow: { amount: '100', hours: 24, over: 'rule' },
    });
    // Its estimate is kept for those that follow, which the service would not estimate.
    const first = transferFrom(wallet, '1');
    await settled(api, (await api.createTransfer(first.input, first.how)).id);
    const tooMuch = transferFrom(wallet, '98.9');
    const { id } = await api.createTransfer(tooMuch.input, tooMuch.how);
    expect(await settled(api, id)).toMatchObject({ state: 'FAILED' });
    const { input, how } = transferFrom(wallet, '2');
    await settled(api, (await api.createTransfer(input, how)).id);
    expect(await paid()).toEqual([1_000_000n, 2_000_000n]);
  });

  it('is sent once under its key, however often it is asked for', async () => {
    const { api } = writer();
    const { input, how } = transferFrom(wallet, '5');
    const [one, other] = await Promise.all([1, 2].map(() => api.createTransfer(input, how)));
    expect(one?.id).toBe(other?.id);
    await settled(api, one?.id ?? '');
    await expect(api.createTransfer(input, how)).rejects.toMatchObject({ next: 'lookUp' });
    expect(await paid()).toEqual([5_000_000n]);
  });

  it('in a hundred tries at once never passes the window', async () => {
    const { api } = writer();
    const tries = Array.from({ length: 100 }, () => transferFrom(wallet, '1'));
    const answers = await Promise.allSettled(
      tries.map(({ input, how }) => api.createTransfer(input, how)),
    );
    const sent = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []));
    for (const id of sent) await settled(api, id);
    expect((await paid()).reduce((sum, value) => sum + value, 0n)).toBe(8_000_000n);
  });
});

describe('the outcome of a call', () => {
  const failing = (error: Error): CustodyApi => ({
    ...sandbox.client,
    createTransfer: () => Promise.reject(error),
  });
  const counted = async (error: Error): Promise<bigint> => {
    const { api, ledger } = writerOf(failing(error), [limitOf(wallet)]);
    const { input, how } = transferFrom(wallet, '3');
    await expect(api.createTransfer(input, how)).rejects.toBe(error);
    const scope = { wallet: wallet.id };
    return (await ledger.usage({ scope, money: 'native', hours: 24 })).counted / 10n ** 18n;
  };

  it('keeps the reservation when it may have been accepted', async () => {
    expect(await counted(new NoAnswerError('time-out'))).toBe(3n);
    expect(await counted(new RefusedError('trouble', { status: 500, code: 500 }))).toBe(3n);
  });

  it('gives the reservation back when it provably had no effect', async () => {
    expect(await counted(new NotSentError('no connection'))).toBe(0n);
    expect(await counted(new RefusedError('bad', { status: 400, code: 2 }))).toBe(0n);
  });
});

describe('a rule', () => {
  it('that denies a recipient wins over one that allows anyone', async () => {
    const denial = { id: 'never', kind: 'deny', to: [stranger] };
    const { api } = writer({ to: 'anyone' }, [denial]);
    const { input, how } = transferFrom(wallet, '1', { destinationAddress: stranger });
    await expect(api.createTransfer(input, how)).rejects.toThrow('The rule never denies it.');
    expect(await paid()).toEqual([]);
  });

  it('must pass together with all others that name the write', async () => {
    const small = limitOf(wallet, { id: 'small', perTransfer: '2' });
    const { api } = writer({}, [small]);
    const { input, how } = transferFrom(wallet, '3');
    await expect(api.createTransfer(input, how)).rejects.toThrow('3 is more than 2');
  });

  it('that names a call lets it out, if every address in it is a recipient', async () => {
    const call = { contract: usdc, function: 'approve(address,uint256)' };
    const { api } = writer({ calls: [call] });
    const good = callFrom(wallet, 'approve(address,uint256)', { abiParameters: [payee, '1'] });
    const { id } = await api.executeContract(good.input, good.how);
    expect(await settled(api, id)).toMatchObject({ state: 'COMPLETE' });
    const bad = callFrom(wallet, 'approve(address,uint256)', { abiParameters: [stranger, '1'] });
    await expect(api.executeContract(bad.input, bad.how)).rejects.toThrow(
      'but not every address that it is given',
    );
    const approval = encodeFunctionData({
      abi: parseAbi(['function approve(address spender, uint256 amount)']),
      args: [payee, 1n],
    });
    const filled = callFrom(wallet, 'aggregate3((address,bool,bytes)[])', {
      contractAddress: multicallFrom,
      abiParameters: [[[usdc, false, `${approval}${'ff'.repeat(1_000)}`]]],
    });
    await expect(api.executeContract(filled.input, filled.how)).rejects.toThrow(
      'or it has more bytes than its arguments',
    );
  });

  it('counts a transfer as a call of the token in the same window', async () => {
    const { api } = writer();
    const first = callFrom(wallet, 'transfer(address,uint256)', {
      abiParameters: [payee, '5000000'],
    });
    await settled(api, (await api.executeContract(first.input, first.how)).id);
    const { input, how } = transferFrom(wallet, '4');
    await expect(api.createTransfer(input, how)).rejects.toThrow(/is full: 5\.00\d+ of 9/);
    expect(await paid()).toEqual([5_000_000n]);
  });

  it('that limits fees reserves the largest fee, and counts the one that was paid', async () => {
    const { api, ledger } = writer({ maxFeePerWindow: '1' });
    const fees = { scope: { wallet: wallet.id }, money: 'fee', hours: 24 };
    const { input, how } = transferFrom(wallet, '1');
    const { id } = await api.createTransfer(input, how);
    const { open } = await ledger.usage(fees);
    const { networkFee = '' } = await settled(api, id);
    // The wallet was made by somebody else, who has paid a fee too.
    const others = (await ledger.outside(fees)).counted;
    const counted = (await ledger.usage(fees)).counted - others;
    expect(Number(counted) / 1e18).toBeCloseTo(Number(networkFee), 15);
    expect(open).toBeGreaterThan(counted);
  });
});

it('sends nothing while its ledger cannot be used, and tries again later', async () => {
  const ledger = openLedger(':memory:', { keyLifetimeMs: 1 });
  ledger.close();
  const { api } = writerOf(sandbox.client, [limitOf(wallet)], { ledger });
  const { input, how } = transferFrom(wallet, '1');
  await expect(api.createTransfer(input, how)).rejects.toMatchObject({ next: 'again' });
  expect(await paid()).toEqual([]);
});

it('never sends again what a lost ledger has forgotten: it is found in the list of the service', async () => {
  const first = transferFrom(wallet, '1');
  const { id } = await writer().api.createTransfer(first.input, first.how);
  await sandbox.settled(id);
  const { api } = writer();
  await expect(api.createTransfer(first.input, first.how)).rejects.toMatchObject({
    next: 'lookUp',
    message: expect.stringContaining(
      'The service has a record of it that this ledger does not know',
    ),
  });
  const next = transferFrom(wallet, '2');
  await settled(api, (await api.createTransfer(next.input, next.how)).id);
  expect(await paid()).toEqual([1_000_000n, 2_000_000n]);
});

it('never sends again what an older copy of its ledger does not know', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-ledger-'));
  const [path, copy] = [join(folder, 'ledger.db'), join(folder, 'copy.db')];
  const options = { keyLifetimeMs: 3_600_000 };
  const rules = [limitOf(wallet)];
  const first = writerOf(sandbox.client, rules, { ledger: openLedger(path, options) });
  const before = transferFrom(wallet, '0.5');
  await settled(first.api, (await first.api.createTransfer(before.input, before.how)).id);
  first.ledger.close();
  copyFileSync(path, copy);
  const second = writerOf(sandbox.client, rules, { ledger: openLedger(path, options) });
  const { input, how } = transferFrom(wallet, '1');
  await settled(second.api, (await second.api.createTransfer(input, how)).id);
  const restored = writerOf(sandbox.client, rules, { ledger: openLedger(copy, options) });
  await expect(restored.api.createTransfer(input, how)).rejects.toThrow(
    'The service has a record of it that this ledger does not know.',
  );
  expect(await paid()).toEqual([500_000n, 1_000_000n]);
  rmSync(folder, { recursive: true });
});
