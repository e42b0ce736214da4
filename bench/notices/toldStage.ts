import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { createSteadfast, type Steadfast } from '../../src/client/client';
import { createCustodyClient } from '../../src/custody/client';
import type { CustodyApi } from '../../src/custody/endpoints';
import type { Wallet } from '../../src/custody/objects/wallet';
import { startStack } from '../../src/local/startStack';
import { type Notice, readNotice } from '../../src/notices/http/notice';
import { subscribe, unsubscribe } from '../../src/notices/subscriptions';

/** Orders hear of their ends, or they poll. */
export type Told = 'told' | 'polling';

/** A local stack with a receiver, and somebody who notes when each transaction has settled. */
export type ToldStage = {
  steadfast: Steadfast;
  client: Client;
  custody: CustodyApi;
  /** One wallet for orders, and one for the script. */
  payers: readonly [Wallet, Wallet];
  blockchain: string;
  usdc: string;
  use(mode: Told): Promise<void>;
  settleIn(ms: number): Promise<void>;
  /** The service's own time of a transaction's end. */
  settledMs(transactionId: string): Promise<number>;
  stop(): Promise<void>;
};

const blockchain = 'ARC-TESTNET';
const usdc = '0x3600000000000000000000000000000000000000';

export async function startToldStage(): Promise<ToldStage> {
  const stack = startStack({
    temporal: { headless: true, port: 0 },
    sandboxPort: 0,
    webhooksPort: 0,
    sandboxEnv: { SANDBOX_RATE_LIMIT: 'off' },
  });
  const parts = await stack.ready;
  const { baseUrl } = parts.sandbox;
  const custody = createCustodyClient({ ...parts, baseUrl });
  const [own] = await untilSubscribed(custody);
  const witness = await startWitness(custody);
  const connection = await Connection.connect({ address: parts.temporal.address });
  const client = new Client({ connection });
  return {
    steadfast: createSteadfast({ client, taskQueue: parts.taskQueue }),
    client,
    custody,
    payers: [await fundedWallet(custody), await fundedWallet(custody)],
    blockchain,
    usdc,
    use: async (mode) => {
      if (mode === 'told') await subscribe(custody, own);
      else await unsubscribe(custody, own);
    },
    settleIn: async (settleMs) => {
      const body = JSON.stringify({ settleMs });
      const headers = { 'content-type': 'application/json' };
      const url = new URL('/_sandbox/settings', baseUrl);
      await fetch(url, { method: 'PATCH', headers, body });
    },
    settledMs: witness.settledMs,
    stop: async () => {
      witness.stop();
      await connection.close();
      await stack.stop();
    },
  };
}

async function untilSubscribed(custody: CustodyApi): Promise<[endpoint: string]> {
  for (;;) {
    const [own] = await custody.listSubscriptions({});
    if (own !== undefined) return [own.endpoint];
    await sleep(100);
  }
}

/** Receives all notices too, in both modes, and keeps the times of final ones. */
async function startWitness(custody: CustodyApi) {
  const ends = new Map<string, number>();
  const keep = (notice: Notice | undefined): void => {
    if (notice?.final !== undefined) ends.set(notice.transactionId, notice.atMs);
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    keep(readNotice(Buffer.concat(chunks)));
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  await subscribe(custody, `http://127.0.0.1:${port}/`);
  return {
    settledMs: async (id: string): Promise<number> => {
      while (!ends.has(id)) await sleep(10);
      return ends.get(id) ?? 0;
    },
    stop: () => void server.close().closeAllConnections(),
  };
}

async function fundedWallet(custody: CustodyApi): Promise<Wallet> {
  const { walletSet } = await custody.createWalletSet({ idempotencyKey: randomUUID() });
  const { wallets } = await custody.createWallets({
    idempotencyKey: randomUUID(),
    walletSetId: walletSet.id,
    blockchains: [blockchain],
    count: 1,
    accountType: 'EOA',
  });
  const [wallet] = wallets;
  if (wallet === undefined) throw new Error('The sandbox created no wallet.');
  await custody.requestDrip({ address: wallet.address, blockchain, usdc: true, native: true });
  return wallet;
}
