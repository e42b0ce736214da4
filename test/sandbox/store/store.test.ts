import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { atomically } from '../../../sandbox/store/statements';
import { openStore } from '../../../sandbox/store/store';
import {
  createFundedWallet,
  createWallet,
  createWallets,
  holdings,
  startTestSandbox,
} from '../../support/sandbox';

describe('a change that fails', () => {
  it('says why, also where it is rolled back already', () => {
    const database = new Database(':memory:');
    const work = () => {
      // As the database does by itself when the disk is full.
      database.exec('ROLLBACK');
      throw new Error('The disk is full.');
    };
    expect(() => atomically(database, work)).toThrow('The disk is full.');
    database.close();
  });
});

describe('a list', () => {
  it('is found by any number of values in several columns', () => {
    const store = openStore(undefined);
    const filters = {
      walletId: Array.from({ length: 100 }, () => randomUUID()),
      stage: 'COMPLETE',
      kind: ['OUTBOUND TRANSFER', 'INBOUND TRANSFER'],
      tokenId: Array.from({ length: 1_000 }, () => randomUUID()),
    };
    expect(store.transactions.list({ filters })).toEqual([]);
    store.close();
  });

  it('prepares as few statements for many values as for two, since each one is kept', () => {
    const store = openStore(undefined);
    const listOf = (count: number) => {
      const walletId = Array.from({ length: count }, () => randomUUID());
      return store.transactions.list({ filters: { walletId } });
    };
    listOf(2);
    const prepare = jest.spyOn(Database.prototype, 'prepare');
    for (let count = 3; count < 100; count += 1) listOf(count);
    expect(prepare).not.toHaveBeenCalled();
    prepare.mockRestore();
    store.close();
  });
});

describe('a data folder', () => {
  it('that cannot be written is refused by its name', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'steadfast-'));
    await mkdir(join(dataDir, 'sandbox.lock'));
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    for (const folder of [dataDir, file]) {
      await expect(startTestSandbox({ dataDir: folder })).rejects.toThrow(
        `SANDBOX_DATA_DIR: the folder ${folder} cannot be written to`,
      );
    }
    await rm(dataDir, { recursive: true });
  });

  it('keeps wallets, balances, keys and places through a restart, and secrets to its owner', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'steadfast-'));
    const first = await startTestSandbox({ dataDir });
    const body = { idempotencyKey: randomUUID(), name: 'kept' };
    const { walletSet } = await first.client.createWalletSet(body);
    const wallet = await createFundedWallet(first.client);
    await first.stop();

    const second = await startTestSandbox({ dataDir });
    try {
      const { mode } = await stat(join(dataDir, 'secrets.json'));
      const next = await createWallet(second.client, 'SCA');
      expect(mode & 0o777).toBe(0o600);
      expect(second.secrets).toEqual(first.secrets);
      expect(await second.client.getWallet({ id: wallet.id })).toEqual({ wallet });
      expect(await second.client.createWalletSet(body)).toEqual({ walletSet });
      expect(await holdings(second.client, wallet.id)).toEqual({
        native: '20',
        USDC: '20',
        EURC: '20',
      });
      expect(next.address).not.toBe(wallet.address);
    } finally {
      await second.stop();
      await rm(dataDir, { recursive: true });
    }
  });

  it('whose secrets cannot be read is refused, and the file is left as it is', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'steadfast-'));
    const file = join(dataDir, 'secrets.json');
    const first = await startTestSandbox({ dataDir });
    await createWallets(first.client);
    await first.stop();
    const refusal = `SANDBOX_DATA_DIR: the secrets in ${file} cannot be read`;
    for (const text of ['{', '{}']) {
      await writeFile(file, text);
      await expect(startTestSandbox({ dataDir })).rejects.toThrow(refusal);
      expect(await readFile(file, 'utf8')).toBe(text);
    }
    await rm(file);
    await expect(startTestSandbox({ dataDir })).rejects.toThrow(refusal);
    await expect(stat(file)).rejects.toThrow('ENOENT');
    await rm(dataDir, { recursive: true });
  });

  it('that another version of the sandbox wrote is refused, with the way out', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'steadfast-'));
    const database = new Database(join(dataDir, 'sandbox.db'));
    database.exec('CREATE TABLE wallets (id TEXT)');
    database.close();
    await expect(startTestSandbox({ dataDir })).rejects.toThrow(
      `SANDBOX_DATA_DIR: the records in ${dataDir} were written by another version of the ` +
        'sandbox. Remove that folder to start afresh, or name another one.',
    );
    await rm(dataDir, { recursive: true });
  });

  it('whose accounts are of other contracts is refused in the same words', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'steadfast-'));
    const first = await startTestSandbox({ dataDir });
    await createWallets(first.client, { accountType: 'SCA' });
    await first.stop();
    await (await startTestSandbox({ dataDir })).stop();
    for (const change of ["UPDATE settings SET value = 'other'", 'DELETE FROM settings']) {
      const database = new Database(join(dataDir, 'sandbox.db'));
      database.exec(`${change} WHERE name = 'contracts'`);
      database.close();
      await expect(startTestSandbox({ dataDir })).rejects.toThrow(
        `SANDBOX_DATA_DIR: the records in ${dataDir} were written by another version of the ` +
          'sandbox. Remove that folder to start afresh, or name another one.',
      );
    }
    await rm(dataDir, { recursive: true });
  });

  it('gives the wallet at one place in the tree the same address from the same seed', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'steadfast-'));
    const addresses: (string | undefined)[] = [];
    for (const _start of [1, 2]) {
      const fresh = await startTestSandbox({ dataDir });
      const wallet = await createWallet(fresh.client, 'SCA');
      addresses.push(wallet.address);
      await fresh.stop();
      // The records are gone, and the seed is kept: the first place is free again.
      for (const file of ['sandbox.db', 'sandbox.db-wal', 'sandbox.db-shm']) {
        await rm(join(dataDir, file), { force: true });
      }
    }
    await rm(dataDir, { recursive: true });
    expect(addresses[0]).toMatch(/^0x/);
    expect(addresses[1]).toBe(addresses[0]);
  });
});
