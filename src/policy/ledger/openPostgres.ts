import { Pool, type PoolClient } from 'pg';
import type { Ledger } from './ledger';
import { saying } from './postgresFault';
import { begin, type Facts, type LedgerOptions, sqlLedger } from './sqlLedger';
import type { Row, Work } from './statements';
import { indexes, newestTable, tables } from './tables';

const schema = 'steadfast_ledger';
/** Any number that no other program locks in this database: "ledger" as bytes. */
const lockId = 0x6c_65_64_67_65_72;
/** Writers wait so long for each other, and for the server. Their transactions take milliseconds. */
const busyMs = 5_000;
/** So that the server, which knows the reason, is the first to give up. */
const deafMs = busyMs + 3_000;
/** Changes follow one another. The others are reads. */
const connectionsMax = 4;

/**
 * Begins a transaction in one round trip. A writer that falls silent in the middle does not hold up
 * the others for long. A reservation that was answered outlives a crash of the server.
 */
const beginning = `BEGIN ISOLATION LEVEL READ COMMITTED;
  SET LOCAL search_path TO ${schema};
  SET LOCAL statement_timeout TO ${busyMs};
  SET LOCAL idle_in_transaction_session_timeout TO ${busyMs};
  SET LOCAL synchronous_commit TO on`;
/** Read committed: what follows sees all that the holders before have changed. */
const changing = `${beginning}; SELECT pg_advisory_xact_lock(${lockId})`;

/**
 * Opens the ledger in a Postgres database, for writers on several hosts. Its tables are in a schema
 * of their own. Changes follow one another, as in a file.
 */
export async function openPostgres(url: string, options: LedgerOptions = {}): Promise<Ledger> {
  return saying(url, async () => {
    const pool = new Pool({
      connectionString: url,
      application_name: 'steadfast-ledger',
      max: connectionsMax,
      connectionTimeoutMillis: busyMs,
      query_timeout: deafMs,
      keepAlive: true,
      allowExitOnIdle: true,
    });
    // Work on a connection that breaks has its own fault. The next work opens another one.
    const ignore = (): void => {};
    pool.on('error', ignore).on('connect', (client) => client.on('error', ignore));
    const run = <T>(begins: string, work: Work<T>): Promise<T> =>
      saying(url, () => transact(pool, begins, work));
    try {
      const facts = await run(changing, opening(options));
      return sqlLedger(
        {
          change: (work) => run(changing, work),
          read: (work) => run(beginning, work),
          close: () => pool.end(),
        },
        { ...options, ...facts },
      );
    } catch (error) {
      await pool.end();
      throw error;
    }
  });
}

/** Makes the tables that a database lacks. Whoever may only use them needs no other right. */
function* opening(options: LedgerOptions): Work<Facts> {
  const [found] = yield { text: `SELECT to_regclass('${newestTable}') AS newest`, values: [] };
  if (found?.newest === null) {
    const texts = [`CREATE SCHEMA IF NOT EXISTS ${schema}`, ...tables, ...indexes];
    for (const text of texts) yield { text, values: [] };
  }
  return yield* begin(options);
}

/** Carries out work as one transaction. A fault closes the connection, which takes it all back. */
async function transact<T>(pool: Pool, begins: string, work: Work<T>): Promise<T> {
  const client = await pool.connect();
  let isWhole = false;
  try {
    await client.query(begins);
    const result = await answered(client, work);
    await client.query('COMMIT');
    isWhole = true;
    return result;
  } finally {
    client.release(!isWhole);
  }
}

async function answered<T>(client: PoolClient, work: Work<T>): Promise<T> {
  let step = work.next();
  while (!step.done) {
    const { text, values } = step.value;
    const { rows } = await client.query<Row>(numbered(text), [...values]);
    step = work.next(rows);
  }
  return step.value;
}

/** Postgres numbers the marks that values stand for. */
function numbered(text: string): string {
  let count = 0;
  return text.replace(/\?(\d*)/g, (_, number: string) => {
    count += 1;
    return `$${number === '' ? count : number}`;
  });
}
