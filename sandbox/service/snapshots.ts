import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pLimit from 'p-limit';
import type { Mark } from '../chain/node/marks';
import type { Secrets } from '../config/secrets';
import { changeSettings } from '../config/settings';
import type { Snapshot, Snapshots } from '../control/snapshotRoutes';
import { recordedHead } from '../engine/confirm/recordedHead';
import { ApiError } from '../errors/errors';
import { contractsSetting } from '../store/requireContracts';
import { SnapshotError } from '../store/snapshotFile';
import type { Current } from './current';
import type { RunningParts } from './running';
import { readFacts, type SnapshotFacts } from './snapshotFacts';

type SnapshotParts = Omit<RunningParts, 'shown'> & {
  /** Snapshots are kept in here, and are gone at the end where there is none. */
  dataDir: string | undefined;
  current: Current;
};

const extension = '.db';

/** Takes snapshots of a sandbox and restores them, one after the other. */
export function createSnapshots(parts: SnapshotParts): Snapshots {
  const { records, chain, current, settings, faults } = parts;
  const folder = createFolder(parts.dataDir);
  const marks = new Map<string, Mark>();
  const inTurn = pLimit(1);
  const requireKnown = (id: string): void => {
    if (!folder.known().includes(id)) throw new ApiError(`There is no snapshot ${id}.`, notFound);
  };
  const read = (id: string): SnapshotFacts => {
    requireKnown(id);
    try {
      return readFacts(folder.fileOf(id));
    } catch (error) {
      if (error instanceof SnapshotError) throw new ApiError(error.message, conflict);
      throw error;
    }
  };
  const get = (id: string): Snapshot => shown(read(id), folder.fileOf(id));
  /** Not what was put into the folder under another name, or cannot be read. */
  const readable = (id: string): Snapshot[] => {
    try {
      const snapshot = get(id);
      return snapshot.id === id ? [snapshot] : [];
    } catch (error) {
      if (error instanceof ApiError) return [];
      throw error;
    }
  };
  const mark = async (id: string, work: () => void): Promise<void> => {
    const made = await chain.mark(work);
    if (made === undefined) marks.delete(id);
    else marks.set(id, made);
  };
  return {
    take: () =>
      inTurn(async () => {
        const id = randomUUID();
        await mark(id, () => records.save(folder.fileOf(id), factsOf(parts, id)));
        return get(id);
      }),
    list: () =>
      folder
        .known()
        .flatMap(readable)
        .sort((one, other) => (one.createdAt < other.createdAt ? -1 : 1)),
    get,
    remove: (id) =>
      inTurn(async () => {
        requireKnown(id);
        rmSync(folder.fileOf(id));
        marks.delete(id);
      }),
    restore: (id) =>
      inTurn(async () => {
        const file = folder.fileOf(id);
        const facts = read(id);
        requireOwn(facts, parts.secrets);
        const marked = marks.get(id);
        await current.replace(async () => {
          records.load(file);
          changeSettings(settings, facts.settings);
          faults.resume(facts.faults);
          const isBack = marked !== undefined && (await chain.goBack(marked));
          // Rebuilds the chain from the records, unless it already is theirs.
          await recordedHead({ store: records, chain });
          if (!isBack) await mark(id, () => {});
        });
        return shown(facts, file);
      }),
    close: folder.close,
  };
}

const notFound = { status: 404, code: 404 };
const conflict = { status: 409, code: 409 };

function factsOf({ records, secrets, settings, faults }: SnapshotParts, id: string): SnapshotFacts {
  const [last] = records.blocks.newest(1);
  return {
    id,
    createdAt: new Date().toISOString(),
    block: last?.number ?? 1,
    contracts: records.setting(contractsSetting) ?? '',
    secrets,
    settings: { ...settings },
    faults: faults.state(),
  };
}

/** Another seed has other keys, and so another chain. */
function requireOwn({ id, secrets }: SnapshotFacts, own: Secrets): void {
  if (secrets.seed === own.seed) return;
  throw new ApiError(
    `Snapshot ${id} is of another sandbox: start one from it, with SANDBOX_SNAPSHOT.`,
    conflict,
  );
}

function shown({ id, createdAt, block }: SnapshotFacts, file: string): Snapshot {
  return { id, createdAt, block, file };
}

/** Removes files that a killed process has left half written. */
function removeParts(path: string): void {
  if (!existsSync(path)) return;
  for (const name of readdirSync(path)) {
    if (name.endsWith('.part')) rmSync(join(path, name));
  }
}

/** The folder of the snapshots' files. Without a data folder it is made for the first one. */
function createFolder(dataDir: string | undefined) {
  let path = dataDir === undefined ? undefined : resolve(dataDir, 'snapshots');
  if (path !== undefined) removeParts(path);
  return {
    known: (): string[] => {
      if (path === undefined) return [];
      mkdirSync(path, { recursive: true, mode: 0o700 });
      const names = readdirSync(path).filter((name) => name.endsWith(extension));
      return names.map((name) => name.slice(0, -extension.length));
    },
    fileOf: (id: string): string => {
      path ??= mkdtempSync(join(tmpdir(), 'steadfast-snapshots-'));
      mkdirSync(path, { recursive: true, mode: 0o700 });
      return join(path, `${id}${extension}`);
    },
    close: (): void => {
      if (dataDir === undefined && path !== undefined) rmSync(path, { recursive: true });
    },
  };
}
