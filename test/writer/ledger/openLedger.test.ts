import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import type { Ledger } from '../../../src/writer/ledger/ledger';
import { openLedger } from '../../../src/writer/ledger/openLedger';
import { lifetimeMs, transferOf, usdc, window } from './reservations';

let folder: string;
let path: string;
const open: Ledger[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'steadfast-ledger-'));
  path = join(folder, 'ledger.db');
});

afterEach(() => {
  for (const ledger of open.splice(0)) ledger.close();
  rmSync(folder, { recursive: true });
});

/** A writer that has just started. */
function started(): Ledger {
  const ledger = openLedger(path, { keyLifetimeMs: lifetimeMs });
  open.push(ledger);
  return ledger;
}

describe('changes that are asked for at the same time', () => {
  const stranger = { hash: 'ab'.repeat(32), generation: 0 };
  const finding = { person: 'ann', statement: '{}', signature: 'none' };

  it('never pass a limit together, and one that fails undoes no other', async () => {
    const ledger = started();
    const asked = await Promise.allSettled([
      ledger.reserve(transferOf(60n * usdc)),
      ledger.found(stranger, finding),
      ledger.reserve(transferOf(60n * usdc)),
      ledger.reserve(transferOf(40n * usdc)),
    ]);
    const told = asked.map((one) => (one.status === 'rejected' ? 'failed' : one.value?.kind));
    expect(told).toEqual(['reserved', 'failed', 'wait', 'reserved']);
    expect((await started().usage(window)).counted).toBe(100n * usdc);
  });

  it('are all refused when none can be kept, and each can be asked for again', async () => {
    const ledger = started();
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    const both = [transferOf(60n * usdc), transferOf(40n * usdc)];
    const asked = await Promise.allSettled(both.map((one) => ledger.reserve(one)));
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    other.exec('ROLLBACK');
    other.close();
    const again = await Promise.all(both.map((one) => ledger.reserve(one)));
    expect(again).toEqual([{ kind: 'reserved' }, { kind: 'reserved' }]);
  });

  it('are kept when the ledger is closed before they are answered', async () => {
    const ledger = started();
    const asked = ledger.reserve(transferOf(60n * usdc));
    await ledger.close();
    expect(await asked).toEqual({ kind: 'reserved' });
    expect((await started().usage(window)).counted).toBe(60n * usdc);
  });
});

describe('a file', () => {
  it('is readable by its owner alone', () => {
    started();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('that another process has locked is told, and nothing was reserved', async () => {
    const ledger = started();
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    await expect(ledger.reserve(transferOf(usdc))).rejects.toThrow(
      `The ledger ${path} is locked by another process. End that process, or wait for it.`,
    );
    other.exec('ROLLBACK');
    other.close();
    expect((await ledger.usage(window)).counted).toBe(0n);
  });

  it('of an earlier version is refused at the start, before it forgets a line', () => {
    const earlier = new Database(path);
    earlier.exec('CREATE TABLE lines (mark TEXT PRIMARY KEY, key TEXT) WITHOUT ROWID');
    earlier.close();
    expect(() => started()).toThrow(
      `The ledger ${path} has the form of another version. Restore it from a backup, or move it`,
    );
  });

  it('that is damaged is refused at the start, and left as it is', () => {
    const rubbish = 'not a database '.repeat(1_000);
    writeFileSync(path, rubbish);
    expect(() => started()).toThrow(`The ledger ${path} is damaged. Restore it from a backup`);
    expect(readFileSync(path, 'utf8')).toBe(rubbish);
  });
});
