import { Pool, type PoolClient } from 'pg';
import { saying } from './postgresFault';
import type { Contents, OpenDatabase, Row, Work } from './work';

/** Changes wait this long for each other, and for the server. They take milliseconds. */
const busyMs = 5_000;
/** So that the server, which knows the reason, is the first to give up. */
const deafMs = busyMs + 3_000;
/** Changes follow one another. The others are reads. */
const connectionsMax = 4;

/**
 * Begins a transaction in one round trip. A process that falls silent in the middle does not hold
 * up the others for long. A change that was answered outlives a crash of the server.
 */
const beginning = ({ schema }: Contents): string => `BEGIN ISOLATION LEVEL READ COMMITTED;
  SET LOCAL search_path TO ${schema};
  SET LOCAL statement_timeout TO ${busyMs};
  SET LOCAL idle_in_transaction_session_timeout TO ${busyMs};
  SET LOCAL synchronous_commit TO on`;

/**
 * Opens a Postgres database, for processes on several hosts, and carries out the first work on it.
 * Its tables are in a schema of their own. Changes follow one another, as in a file. Throws the
 * contents' fault if it cannot be used.
 */
export async function openPostgres<T>(
  url: string,
  contents: Contents,
  first: () => Work<T>,
): Promise<{ database: OpenDatabase; opened: T }> {
  const reading = beginning(contents);
  // Read committed: what follows sees all that the holders before have changed.
  const changing = `${reading}; SELECT pg_advisory_xact_lock(${contents.lockId})`;
  return saying(url, contents, async () => {
    const pool = new Pool({
      connectionString: url,
      application_name: `steadfast-${contents.name}`,
      max: connectionsMax,
      connectionTimeoutMillis: busyMs,
      query_timeout: deafMs,
      keepAlive: true,
      allowExitOnIdle: true,
    });
    // Work on a connection that breaks has its own fault. The next work opens another one.
    const ignore = (): void => {};
    pool.on('error', ignore).on('connect', (client) => client.on('error', ignore));
    const run = <R>(begins: string, work: Work<R>): Promise<R> =>
      saying(url, contents, () => transact(pool, begins, work));
    try {
      const opened = await run(changing, opening(contents, first));
      return {
        opened,
        database: {
          change: (work) => run(changing, work),
          read: (work) => run(reading, work),
          close: () => pool.end(),
        },
      };
    } catch (error) {
      await pool.end();
      throw error;
    }
  });
}

/** Makes the tables that a database lacks. A user of the tables needs no other right. */
function* opening<T>(contents: Contents, first: () => Work<T>): Work<T> {
  const { schema, tables, indexes, newestTable, absent, Fault } = contents;
  const [found] = yield { text: `SELECT to_regclass('${newestTable}') AS newest`, values: [] };
  if (found?.newest === null && absent !== undefined) throw new Fault(absent);
  if (found?.newest === null) {
    const texts = [`CREATE SCHEMA IF NOT EXISTS ${schema}`, ...tables, ...indexes];
    for (const text of texts) yield { text, values: [] };
  }
  return yield* first();
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
