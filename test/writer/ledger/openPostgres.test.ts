import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { Client } from 'pg';
import { killAndStart } from '../../../proof/kill/kills';
import { type Postgres, startPostgres } from '../../../proof/kill/postgres';
import { type Ledger, LedgerError } from '../../../src/writer/ledger/ledger';
import { ledgerAt } from '../../../src/writer/ledger/ledgerAt';
import { times } from '../../support/lane';
import { newDatabase, query, urlOf, withPostgres } from './kinds';
import { lifetimeMs, transferOf, usdc, window } from './reservations';
import { startSpender } from './spenders';
import { startWire, type Wire } from './wire';

const password = 'pass-w0rd';
let server: Postgres;
let place: string;
let name: string;
const open: Ledger[] = [];

async function started(at = place): Promise<Ledger> {
  const ledger = await ledgerAt(at, { keyLifetimeMs: lifetimeMs });
  open.push(ledger);
  return ledger;
}

const counted = async (): Promise<bigint> => (await (await started()).usage(window)).counted;

/** The fault of some work on a ledger. */
async function faultOf(work: Promise<unknown>): Promise<LedgerError> {
  const error = await work.then(
    () => new Error('It had no fault.'),
    (error: unknown) => error,
  );
  if (!(error instanceof LedgerError)) throw error;
  return error;
}

withPostgres('a ledger in Postgres', () => {
  beforeAll(async () => {
    server = await startPostgres();
    const admin = urlOf(server, 'postgres');
    await query(admin, `CREATE ROLE writer LOGIN PASSWORD '${password}'`);
    // Everybody else is trusted.
    const [{ file = '' } = {}] = await query(admin, "SELECT current_setting('hba_file') AS file");
    const rules = readFileSync(String(file), 'utf8');
    writeFileSync(String(file), `host all writer all scram-sha-256\n${rules}`);
    await query(admin, 'SELECT pg_reload_conf()');
  });
  afterAll(() => server.stop());

  beforeEach(async () => {
    place = await newDatabase(server);
    name = `postgres://${new URL(place).host}${new URL(place).pathname}`;
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((ledger) => ledger.close()));
  });

  const asWriter = (own = password, at = place): string =>
    at.replace('steadfast@', `writer:${own}@`);

  it('is used by a role that may only read and change its rows', async () => {
    await started();
    await query(
      place,
      `GRANT USAGE ON SCHEMA steadfast_ledger TO writer;
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA steadfast_ledger TO writer`,
    );
    const ledger = await started(asWriter());
    expect(await ledger.reserve(transferOf(usdc))).toEqual({ kind: 'reserved' });
  });

  it.each([
    ['a wrong password', () => asWriter('wr0ng-pass'), 'refuses this user or password'],
    ['no right to make its tables', () => asWriter(), 'Grant it the schema steadfast_ledger'],
    ['no such database', () => urlOf({ url: place }, 'absent'), 'has no database of that name'],
    ['no server', () => place.replace(/:\d+\//, ':9/'), 'ECONNREFUSED 127.0.0.1:9'],
  ])('with %s is told in a sentence without the password', async (_, url, words) => {
    const fault = await faultOf(ledgerAt(url()));
    expect(fault.message).toContain(words);
    expect(fault.message).toMatch(
      /^The ledger postgres:\/\/127\.0\.0\.1:\d+\/\w+ cannot be used: /,
    );
    expect(inspect(fault, { depth: 9, showHidden: true })).not.toMatch(/pass-w0rd|wr0ng-pass/);
  });

  it.each([
    'postgres://writer:pa#ss@db/ledger',
    'postgres://writer:pa/ss@db/ledger',
    'postgres://writer:pa?ss@db/ledger',
    'postgres://writer:pa@ss@db/ledger',
    'postgres://writer:pass@db',
  ])('is not looked for at a URL that may be read in two ways, such as %s', async (url) => {
    const fault = await faultOf(ledgerAt(url));
    expect(fault.message).toMatch(/^The URL of the ledger cannot be read\. Write postgres:/);
    expect(inspect(fault)).not.toMatch(/pa.?ss@|:pa/);
  });

  it('on a server that is read-only is told, and nothing was reserved', async () => {
    const ledger = await started();
    const { pathname } = new URL(place);
    await query(
      urlOf(server, 'postgres'),
      `ALTER DATABASE ${pathname.slice(1)} SET default_transaction_read_only = on`,
    );
    await ledger.close();
    open.splice(0);
    const fault = await faultOf(ledgerAt(place));
    expect(fault.message).toContain('its server is read-only. Name the one that accepts changes');
  });

  it('that another process holds locked is told after five seconds', async () => {
    const ledger = await started();
    const other = new Client({ connectionString: place });
    await other.connect();
    await other.query('BEGIN; LOCK TABLE steadfast_ledger.facts');
    const fault = await faultOf(ledger.reserve(transferOf(usdc)));
    expect(fault.message).toBe(
      `The ledger ${name} cannot be used: another process holds it locked. End that process, or ` +
        'wait for it (canceling statement due to statement timeout).',
    );
    await other.query('ROLLBACK');
    await other.end();
    expect(await counted()).toBe(0n);
  });

  it('whose connection breaks in the middle of a change has reserved nothing', async () => {
    const ledger = await started();
    const other = new Client({ connectionString: place });
    await other.connect();
    await other.query('BEGIN; LOCK TABLE steadfast_ledger.charges');
    const asked = transferOf(usdc);
    const fault = faultOf(ledger.reserve(asked));
    await sleep(300);
    await query(
      place,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'steadfast-ledger' AND state = 'active'`,
    );
    expect((await fault).message).toContain('the connection to its server was lost');
    await other.query('ROLLBACK');
    await other.end();
    expect(await counted()).toBe(0n);
    expect(await ledger.reserve(asked)).toEqual({ kind: 'reserved' });
  });

  it('survives a server that is killed while two writers race, and counts each payment once', async () => {
    await started();
    const spenders = [1, 2].map(() => startSpender(place, times({ short: 150, all: 500 })));
    await Promise.all(spenders.map((one) => one.isReady()));
    for (const one of spenders) one.begin();
    await spenders[0]?.hasPaid();
    await killAndStart({ name: 'Postgres', ...server }, 200);
    await Promise.all(spenders.map((one) => one.done()));
    expect(spenders.reduce((sum, one) => sum + one.paid(), 0)).toBe(100);
    expect(await counted()).toBe(100n * usdc);
  });

  describe('behind a wire that fails', () => {
    let wire: Wire;
    let ledger: Ledger;
    beforeEach(async () => {
      wire = await startWire(server.port);
      ledger = await started(place.replace(`:${server.port}/`, `:${wire.port}/`));
    });
    afterEach(() => wire.close());

    it('repeats a reservation of which the answer was lost, and counts it once', async () => {
      wire.onSent = (text) => (text.includes('COMMIT\0') ? 'loseAnswer' : 'pass');
      const asked = transferOf(60n * usdc);
      const fault = await faultOf(ledger.reserve(asked));
      expect(fault.message).toContain('Connection terminated unexpectedly');
      wire.onSent = () => 'pass';
      const { grounds } = asked;
      expect(await ledger.reserve(asked)).toEqual({ kind: 'repeated', grounds });
      expect(await counted()).toBe(60n * usdc);
    });

    it('is let go by a writer that falls silent in the middle of a change', async () => {
      wire.onSent = (text) => (text.includes('INSERT INTO charges') ? 'swallow' : 'pass');
      const silent = await faultOf(ledger.reserve(transferOf(99n * usdc)));
      expect(silent.message).toContain('terminating connection due to idle-in-transaction timeout');
      const other = await started();
      expect(await other.reserve(transferOf(2n * usdc))).toEqual({ kind: 'reserved' });
      expect(await counted()).toBe(2n * usdc);
    });

    it('gives up on a server that says nothing, and closes all the same', async () => {
      wire.onSent = () => 'swallow';
      const fault = await faultOf(ledger.reserve(transferOf(usdc)));
      expect(fault.message).toContain('the connection to its server was lost, or cannot be made');
      await Promise.all(open.splice(0).map((one) => one.close()));
      expect(await counted()).toBe(0n);
    });
  });
});
