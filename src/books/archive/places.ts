import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { openFile } from '../../store/openFile';
import { openPostgres } from '../../store/openPostgres';
import { isPostgres } from '../../store/place';
import { type Contents, type OpenDatabase, statement } from '../../store/work';
import { DifferenceError, StatementError, UntoldError } from '../statementError';
import { ArchiveError } from './archive';

type Call = { method: string; params: readonly unknown[] };

/** The places of a reading of the chain: all that a node has told of final blocks. */
export type ReadingPlaces = {
  kept: { get(call: Call): Promise<unknown>; set(call: Call, answer: unknown): Promise<void> };
  /**
   * Answers what a reading answers. Its places are forgotten at its end. Where it fails, they are
   * kept, unless an answer of the node may be the reason: the next reading would fail by it again.
   */
  during<T>(reading: () => Promise<T>): Promise<T>;
};

/** A reading that nobody goes on with is forgotten after this long. */
const forgottenMs = 30 * 86_400_000;
/** A longer answer is packed. */
const plainMax = 500;
const packed = 'z';

const contents: Contents = {
  name: 'places of readings',
  schema: 'steadfast_places',
  // "places" as bytes.
  lockId: 0x70_6c_61_63_65_73,
  tables: [
    `CREATE TABLE IF NOT EXISTS answers (
      reading TEXT, call TEXT, answer TEXT NOT NULL, "timeMs" BIGINT NOT NULL,
      PRIMARY KEY (reading, call))`,
  ],
  indexes: [],
  newestTable: 'answers',
  whenDamaged: 'Delete it: readings begin again.',
  Fault: ArchiveError,
};

const sql = {
  get: statement('SELECT answer FROM answers WHERE reading = ? AND call = ?'),
  set: statement('INSERT INTO answers VALUES (?, ?, ?, ?) ON CONFLICT (reading, call) DO NOTHING'),
  forgetReading: statement('DELETE FROM answers WHERE reading = ?'),
  forgetOld: statement('DELETE FROM answers WHERE "timeMs" < ?'),
};

/**
 * The places of a reading in a store, so that it goes on after a stop. Without a store, or where
 * nothing may be written there, nothing is kept.
 */
export function openPlaces(
  store: string | undefined,
  { url, fromMs }: { url: string; fromMs: number },
): ReadingPlaces {
  const name = nameOf(url, `${fromMs}`);
  // Calls that are under way are answered later, and not kept.
  let isOver = false;
  let opening: Promise<OpenDatabase | undefined> | undefined;
  const opened = (): Promise<OpenDatabase | undefined> => {
    opening ??= store ? open(store).catch(() => undefined) : Promise.resolve(undefined);
    return opening;
  };
  const forget = async (): Promise<void> => {
    isOver = true;
    const database = await opened();
    await database?.change(sql.forgetReading.run(name));
    await database?.change(sql.forgetOld.run(Date.now() - forgottenMs));
  };
  return {
    kept: {
      async get(call) {
        if (!isLasting(call)) return undefined;
        const database = await opened();
        const row = await database?.read(sql.get.get(name, callName(call)));
        return row === undefined ? undefined : unpacked(String(row.answer));
      },
      async set(call, answer) {
        if (!isLasting(call) || isOver) return;
        const database = await opened();
        await database?.change(sql.set.run(name, callName(call), pack(answer), Date.now()));
      },
    },
    async during(reading) {
      try {
        const answer = await reading();
        await forget();
        return answer;
      } catch (error) {
        // The error itself is told. Places that cannot be forgotten are no reason for another one.
        if (isOfAnswers(error)) await forget().catch(() => undefined);
        throw error;
      } finally {
        isOver = true;
        await (await opening)?.close();
      }
    },
  };
}

/** True for an error by which the books say that the answers do not fit together. */
function isOfAnswers(error: unknown): boolean {
  if (error instanceof UntoldError) return false;
  return error instanceof StatementError || error instanceof DifferenceError;
}

async function open(store: string): Promise<OpenDatabase> {
  const first = () => sql.forgetOld.run(Date.now() - forgottenMs);
  if (isPostgres(store)) return (await openPostgres(store, contents, first)).database;
  const [, form, path = ''] = /^(file|folder):(.+)$/.exec(store) ?? [];
  if (form === 'folder') mkdirSync(path, { recursive: true, mode: 0o700 });
  const file = form === 'folder' ? join(path, 'places.db') : `${path}.places`;
  return openFile(file, contents, first).database;
}

/** Calls by the place at which the number of a final block stands in their parameters. */
const places: Record<string, number> = {
  eth_getBlockByNumber: 0,
  eth_getBlockReceipts: 0,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_call: 1,
};

/** True for a call whose answer stays. The books ask for final blocks alone. */
function isLasting({ method, params }: Call): boolean {
  if (method === 'eth_getLogs' || method === 'hasTimeFor') return true;
  const block = params[places[method] ?? params.length];
  return typeof block === 'string' && block.startsWith('0x');
}

function callName({ method, params }: Call): string {
  return nameOf(method, JSON.stringify(params));
}

/** The URL may hold a key, and calls are long. */
function nameOf(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64');
}

function pack(answer: unknown): string {
  const text = JSON.stringify(answer);
  return text.length <= plainMax ? text : packed + deflateRawSync(text).toString('base64');
}

function unpacked(text: string): unknown {
  if (!text.startsWith(packed)) return JSON.parse(text);
  return JSON.parse(inflateRawSync(Buffer.from(text.slice(1), 'base64')).toString());
}
