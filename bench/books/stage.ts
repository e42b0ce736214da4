import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openArchive } from '../../src/books/archive/openArchive';
import { createCustodyClient } from '../../src/custody/client';
import { bareEnvironment } from '../../src/local/bareEnvironment';
import { localKeys } from '../../src/local/localKeys';
import { startReady } from '../../src/local/startReady';
import { startTemporal } from '../../src/local/startTemporal';
import { createAccountIndex } from '../../src/store/index/accountIndex';
import { openIndexFile } from '../../src/store/index/store';
import { program } from '../payouts/startService';
import { archivedOf, type DayShape, dayOf } from './day';
import { type Cost, measured } from './measured';

/** A synthetic day at a service and on a chain, and a command line that reads it. */
export type Stage = {
  folder: string;
  /** Runs a command to its end. It throws unless the command succeeds. */
  run(args: readonly string[]): Promise<Cost & { lists: number }>;
  /** Writes the receipts of all transactions into the archive of the store. */
  archive(): Promise<void>;
  /** Reads the whole list into the account index of the store. */
  warm(): Promise<void>;
  leave(): Promise<void>;
};

const readyMs = 120_000;
const receiptsAtOnce = 1_000;

/** Starts the stub and an empty Temporal server. */
export async function startStage(shape: DayShape): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-bench-'));
  const store = join(folder, 'store.db');
  const { apiKey } = localKeys();
  const temporal = await startTemporal({ headless: true, port: 0 });
  const service = await startReady({
    command: [...program(require.resolve('./service')), '--shape', JSON.stringify(shape)],
    env: bareEnvironment(),
    ready: /^Service ready: (\S+)$/,
    timeoutMs: readyMs,
  });
  const baseUrl = service.line[1] ?? '';
  const { origin } = new URL(baseUrl);
  const env = {
    ...bareEnvironment(),
    TEMPORAL_ADDRESS: temporal.address,
    CUSTODY_BASE_URL: baseUrl,
    CUSTODY_API_KEY: apiKey,
    CHAIN_RPC_URL: `${origin}/rpc`,
    STEADFAST_STORE: `file:${store}`,
  };
  const listsSoFar = async (): Promise<number> => {
    const counts: { lists: number } = JSON.parse(
      await (await fetch(`${origin}/_bench/counts`)).text(),
    );
    return counts.lists;
  };
  return {
    folder,
    run: async (args) => {
      const before = await listsSoFar();
      const cli = require.resolve('../../scripts/steadfast');
      const command = [process.execPath, cli, ...args] as const;
      const { code, last, ...cost } = await measured({ command, env });
      if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${last.join('\n')}`);
      return { ...cost, lists: (await listsSoFar()) - before };
    },
    archive: () => fillArchive(`file:${store}`, shape, baseUrl),
    warm: async () => {
      const custody = createCustodyClient({ baseUrl, apiKey });
      const database = openIndexFile(store);
      await createAccountIndex({ custody, graceMs: 600_000, store: { database, baseUrl } }).lookUp(
        [],
      );
      database.close();
    },
    leave: async () => {
      await service.child.stop();
      await temporal.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function fillArchive(store: string, shape: DayShape, baseUrl: string): Promise<void> {
  const archive = await openArchive(store);
  const day = dayOf(shape);
  for (let first = 0; first < shape.transactions; first += receiptsAtOnce) {
    const count = Math.min(receiptsAtOnce, shape.transactions - first);
    const some = Array.from({ length: count }, (_, place) => day.transaction(first + place));
    await archive.append(some.map((one) => archivedOf(one, baseUrl)));
  }
  await archive.close();
}
