import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Archive, ReceiptFilter } from '../../../src/books/archive/archive';
import { openArchive } from '../../../src/books/archive/openArchive';
import { type ArchivedReceipt, hashOfReceipt } from '../../../src/books/receipt';
import { run } from '../../../src/cli/run';
import { type Orders, runOrders } from '../../support/orders';
import { type StagedSandbox, startStagedSandbox } from '../../support/stages';
import { temporalAddress } from '../../support/temporal';
import { recorder } from '../runCli';

export type Scene = {
  sandbox: StagedSandbox;
  orders: Orders;
  archive: Archive;
  receipts(orderId: string): Promise<ArchivedReceipt[]>;
  /** Runs a command in this process. */
  steadfast(...args: string[]): Promise<{ code: number | undefined; told: string }>;
  /** Runs `receipt verify` on receipts. Without nodes, on the sandbox's own. */
  verify(
    receipts: ArchivedReceipt | readonly ArchivedReceipt[],
    ...rpcUrls: string[]
  ): Promise<{ code: number | undefined; told: string }>;
  /** Variables of all commands that run from now on. */
  env: Record<string, string>;
  /** A file of this scene. */
  path(name: string): string;
  stop(): Promise<void>;
};

/** Orders of a sandbox whose receipts go to an archive in a file. */
export async function startScene({
  readsChain = true,
  through = (archive: Archive): Archive => archive,
} = {}): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-receipts-'));
  const store = `file:${join(folder, 'store.db')}`;
  const [sandbox, archive] = await Promise.all([startStagedSandbox(), openArchive(store)]);
  const { client, rpcUrl, baseUrl } = sandbox;
  const orders = await runOrders(client, {
    baseUrl,
    archive: through(archive),
    ...(readsChain ? { chainRpcUrl: rpcUrl } : {}),
  });
  const steadfast: Scene['steadfast'] = async (...args) => {
    const [stdout, stderr] = [recorder(), recorder()];
    const env = {
      STEADFAST_STORE: store,
      CUSTODY_BASE_URL: baseUrl,
      CUSTODY_API_KEY: sandbox.secrets.apiKey,
      CHAIN_RPC_URL: rpcUrl,
      TEMPORAL_ADDRESS: temporalAddress(),
      ...scene.env,
    };
    const code = await run(args, { env, stdin: new PassThrough(), stdout, stderr });
    return { code, told: stdout.text() + stderr.text() };
  };
  const path = (name: string): string => join(folder, name);
  const scene: Scene = {
    sandbox,
    orders,
    archive,
    steadfast,
    path,
    env: {},
    receipts: (orderId) => receiptsOf(archive, { orderId }),
    verify: async (receipts, ...rpcUrls) => {
      const file = path('receipts.jsonl');
      writeFileSync(
        file,
        [receipts]
          .flat()
          .map((one) => `${JSON.stringify(one)}\n`)
          .join(''),
      );
      const urls = rpcUrls.length === 0 ? [rpcUrl] : rpcUrls;
      return steadfast('receipt', 'verify', file, ...urls.flatMap((url) => ['--rpc', url]));
    },
    stop: async () => {
      await orders.stop();
      await archive.close();
      await sandbox.stop();
      rmSync(folder, { recursive: true });
    },
  };
  return scene;
}

export async function receiptsOf(
  archive: Archive,
  wanted: ReceiptFilter,
): Promise<ArchivedReceipt[]> {
  const found: ArchivedReceipt[] = [];
  for await (const one of archive.receipts(wanted)) found.push(one);
  return found;
}

/** A receipt with changes, under a hash that fits them. */
export function forged(receipt: ArchivedReceipt, change: Partial<ArchivedReceipt>) {
  const other = { ...receipt, ...change };
  return { ...other, hash: hashOfReceipt(other) };
}
