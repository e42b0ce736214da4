import type { Ledger } from '../../src/writer/ledger/ledger';
import { openLedger } from '../../src/writer/ledger/openLedger';
import { inSandbox } from '../support/sandbox';
import { limitOf, payee, stranger, transferFrom, writerOf } from './writer';

const words = 'has version 1, and version 2 is in force';
let ledger: Ledger;
const sandbox = inSandbox();
beforeEach(() => {
  ledger = openLedger(':memory:', { keyLifetimeMs: 3_600_000 });
});
afterEach(() => ledger.close());

describe('a writer with an older policy', () => {
  it('pays nothing once a newer one has refused everything', async () => {
    const wallet = await sandbox.usedWallet('EOA');
    const older = writerOf(sandbox.client, [limitOf(wallet)], { ledger });
    const stop = { id: 'stop', kind: 'deny', to: [payee] };
    const newer = writerOf(sandbox.client, [limitOf(wallet), stop], { ledger, version: 2 });
    const { input, how } = transferFrom(wallet, '1');
    await expect(newer.api.createTransfer(input, how)).rejects.toMatchObject({ next: 'stop' });
    const other = transferFrom(wallet, '1');
    const waits = { next: 'again', message: expect.stringContaining(words) };
    await expect(older.api.createTransfer(other.input, other.how)).rejects.toMatchObject(waits);
    expect(await sandbox.transfers({ from: wallet.address })).toEqual([]);
  });

  it('refuses nothing that the newer one allows', async () => {
    const wallet = await sandbox.usedWallet('EOA');
    const older = writerOf(sandbox.client, [limitOf(wallet)], { ledger });
    const to = [payee, stranger];
    const newer = writerOf(sandbox.client, [limitOf(wallet, { to })], { ledger, version: 2 });
    const first = transferFrom(wallet, '1');
    await newer.api.createTransfer(first.input, first.how);
    const { input, how } = transferFrom(wallet, '1', { destinationAddress: stranger });
    const waits = { next: 'again', message: expect.stringContaining(words) };
    await expect(older.api.createTransfer(input, how)).rejects.toMatchObject(waits);
    expect((await newer.api.createTransfer(input, how)).id).toBeDefined();
  });
});
