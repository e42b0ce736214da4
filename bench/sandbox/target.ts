import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { Pool } from 'undici';
import { z } from 'zod';
import { createCustodyClient } from '../../src/custody/client';
import type { CustodyApi } from '../../src/custody/endpoints';
import { encryptEntitySecret, readPublicKey } from '../../src/custody/entitySecret';
import type { Wallet } from '../../src/custody/objects/wallet';
import { spawnSandbox } from '../../src/local/spawnSandbox';

/** A sandbox in a process of its own: a client for it, and direct access to its store. */
export type Target = {
  client: CustodyApi;
  rpcUrl: string;
  dataDir: string;
  /** Makes a request with its ciphertext, so that the measured time does not include it. */
  prepare(path: string, body: object): PreparedRequest;
  /** Sends a request. Throws unless the answer is a success. */
  send(request: PreparedRequest): Promise<unknown>;
  /** The number of transactions that are not final yet. */
  unsettled(): number;
  stop(): Promise<void>;
};

export type PreparedRequest = { method: 'GET' | 'POST'; path: string; body?: string };

export const blockchain = 'ARC-TESTNET';
const connections = 32;
const infoSchema = z.object({ rpcUrl: z.string() });
const countSchema = z.object({ count: z.number() });

/** Starts a sandbox that settles at once and limits nobody, in a folder that goes with it. */
export async function startTarget(
  /** Fills the folder before the start. */
  fill?: (dataDir: string) => void,
): Promise<Target> {
  const { NODE_OPTIONS } = process.env;
  const dataDir = mkdtempSync(join(tmpdir(), 'steadfast-bench-'));
  const apiKey = `TEST_API_KEY:${hex(16)}:${hex(16)}`;
  const entitySecret = hex(32);
  const env = {
    SANDBOX_PORT: '0',
    SANDBOX_DATA_DIR: dataDir,
    SANDBOX_API_KEY: apiKey,
    SANDBOX_ENTITY_SECRET: entitySecret,
    SANDBOX_SETTLE_MS: '0',
    SANDBOX_RATE_LIMIT: 'off',
    // The only variable that is passed on. It allows a profiler to attach.
    ...(NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS }),
  };
  if (fill !== undefined) {
    // A folder with records and without secrets is refused.
    await (await spawnSandbox({ env })).stop();
    fill(dataDir);
  }
  const sandbox = await spawnSandbox({ env });
  const { baseUrl } = sandbox;
  const { origin, pathname } = new URL(baseUrl);
  const client = createCustodyClient({ baseUrl, apiKey, entitySecret });
  const publicKey = readPublicKey((await client.getPublicKey({})).publicKey);
  const pool = new Pool(origin, { connections });
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const database = new Database(join(dataDir, 'sandbox.db'), { readonly: true });
  const unsettled = database.prepare(unsettledSql);
  const info = await (await fetch(`${origin}/_sandbox/info`)).json();
  return {
    client,
    dataDir,
    rpcUrl: infoSchema.parse(info).rpcUrl,
    prepare: (path, body) => {
      const entitySecretCiphertext = encryptEntitySecret(entitySecret, publicKey);
      const sent = { ...body, idempotencyKey: randomUUID(), entitySecretCiphertext };
      return { method: 'POST', path: pathname + path, body: JSON.stringify(sent) };
    },
    send: async (request) => {
      const { body = null } = request;
      const answer = await pool.request({ ...request, body, headers });
      const text = await answer.body.text();
      if (answer.statusCode < 300) return JSON.parse(text);
      throw new Error(`${request.method} ${request.path}: ${answer.statusCode} ${text}`);
    },
    unsettled: () => countSchema.parse(unsettled.get()).count,
    stop: async () => {
      await pool.destroy();
      database.close();
      await sandbox.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const unsettledSql = `SELECT count(*) AS count FROM transactions
  WHERE stage IN ('INITIATED', 'CLEARED', 'QUEUED', 'SENT', 'CONFIRMED')`;

function hex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

const walletsPerCall = 100;

/** Wallets in a set of their own, each with what the faucet gives. */
export async function createRichWallets(
  { client }: Target,
  { count, accountType }: { count: number; accountType: 'EOA' | 'SCA' },
): Promise<Wallet[]> {
  const idempotencyKey = randomUUID();
  const { walletSet } = await client.createWalletSet({ idempotencyKey, name: 'bench' });
  const rich: Wallet[] = [];
  while (rich.length < count) {
    const { wallets } = await client.createWallets({
      idempotencyKey: randomUUID(),
      walletSetId: walletSet.id,
      blockchains: [blockchain],
      count: Math.min(walletsPerCall, count - rich.length),
      accountType,
    });
    await Promise.all(
      wallets.map(({ address }) => client.requestDrip({ address, blockchain, usdc: true })),
    );
    rich.push(...wallets);
  }
  return rich;
}
