import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type Postgres, startPostgres } from '../../../proof/kill/postgres';
import { missingPrograms } from '../../support/missingPrograms';

/** A kind of database for ledgers. Each place that it makes has none yet. */
export type Kind = {
  name: string;
  start(): Promise<void>;
  newPlace(): Promise<string>;
  stop(): Promise<void>;
};

const missing = missingPrograms(['initdb', 'postgres']);

/** Describes tests that need the programs of Postgres. */
export const withPostgres = missing.length === 0 ? describe : describe.skip;

function files(): Kind {
  let folder: string;
  let count = 0;
  return {
    name: 'a file',
    start: async () => {
      folder = mkdtempSync(join(tmpdir(), 'steadfast-ledger-'));
    },
    newPlace: async () => {
      count += 1;
      return join(folder, `ledger-${count}.db`);
    },
    stop: async () => rmSync(folder, { recursive: true }),
  };
}

function databases(): Kind {
  let server: Postgres;
  return {
    name: 'Postgres',
    start: async () => {
      server = await startPostgres();
    },
    newPlace: () => newDatabase(server),
    stop: () => server.stop(),
  };
}

/** The kinds of which this machine has the programs. */
export const kinds: readonly Kind[] = [files(), ...(missing.length === 0 ? [databases()] : [])];

let databaseCount = 0;

/** Makes a database, and returns its URL. */
export async function newDatabase(server: Postgres): Promise<string> {
  databaseCount += 1;
  const name = `ledger_${databaseCount}`;
  await query(urlOf(server, 'postgres'), `CREATE DATABASE ${name}`);
  return urlOf(server, name);
}

/** The URL of a database, for the administrator. */
export function urlOf({ url }: Pick<Postgres, 'url'>, database: string): string {
  return url.replace(/[^/]+$/, database);
}

/** Runs one statement on a connection of its own. */
export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
