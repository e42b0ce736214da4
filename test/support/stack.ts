import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import {
  createPublicClient,
  getAddress,
  http,
  type PublicClient,
  parseAbiItem,
  parseUnits,
} from 'viem';
import { createSteadfast, type Steadfast } from '../../src/client/client';
import { createCustodyClient } from '../../src/custody/client';
import type { CustodyApi } from '../../src/custody/endpoints';
import type { Wallet } from '../../src/custody/objects/wallet';
import { type StackParts, startStack } from '../../src/local/startStack';
import { type ServiceProxy, startProxy } from './service/proxy';
import { workflowBundle } from './temporal';

/** Temporal, sandbox and worker as real processes, with a proxy between worker and sandbox. */
export type TestStack = {
  parts: StackParts;
  proxy: ServiceProxy;
  steadfast: Steadfast;
  client: Client;
  custody: CustodyApi;
  chain: PublicClient;
  /** A wallet that holds 20 USDC, and an address that holds nothing. */
  fundedWallet(accountType: 'EOA' | 'SCA'): Promise<Wallet>;
  stop(): Promise<void>;
};

export const usdc = '0x3600000000000000000000000000000000000000';
export const blockchain = 'ARC-TESTNET';

export async function startTestStack(
  settleMs = 300,
  workerEnv: Record<string, string> = {},
): Promise<TestStack> {
  const proxy = await startProxy();
  const stack = startStack({
    temporal: { headless: true, port: 0 },
    sandboxPort: 0,
    sandboxEnv: { SANDBOX_SETTLE_MS: String(settleMs), SANDBOX_RATE_LIMIT: 'off' },
    workerEnv: {
      CUSTODY_BASE_URL: proxy.baseUrl,
      STEADFAST_WORKFLOW_BUNDLE: workflowBundle().codePath,
      ...workerEnv,
    },
  });
  const parts = await stack.ready;
  const { baseUrl } = parts.sandbox;
  proxy.forwardTo(baseUrl);
  const connection = await Connection.connect({ address: parts.temporal.address });
  const client = new Client({ connection });
  const custody = createCustodyClient({ ...parts, baseUrl });
  const answer = await fetch(new URL('/_sandbox/info', baseUrl));
  const info = (await answer.json()) as { rpcUrl: string };
  return {
    parts,
    proxy,
    client,
    custody,
    steadfast: createSteadfast({ client, taskQueue: parts.taskQueue }),
    chain: createPublicClient({ transport: http(info.rpcUrl) }),
    fundedWallet: (accountType) => fundedWallet(custody, accountType),
    stop: async () => {
      await connection.close();
      await stack.stop();
      await proxy.close();
    },
  };
}

async function fundedWallet(custody: CustodyApi, accountType: 'EOA' | 'SCA'): Promise<Wallet> {
  const { walletSet } = await custody.createWalletSet({ idempotencyKey: randomUUID() });
  const { wallets } = await custody.createWallets({
    idempotencyKey: randomUUID(),
    walletSetId: walletSet.id,
    blockchains: [blockchain],
    count: 1,
    accountType,
  });
  const [wallet] = wallets;
  if (wallet === undefined) throw new Error('The sandbox created no wallet.');
  await custody.requestDrip({ address: wallet.address, blockchain, usdc: true });
  return wallet;
}

const transferEvent = parseAbiItem(
  'event Transfer(address indexed from, address indexed to, uint256 value)',
);
const deployedEvent = parseAbiItem(
  'event Deployed(address indexed clone, address implementation, bytes32 salt, address deployer)',
);

/** The chain's count of transfers of exactly this amount of USDC: the proof of what was paid. */
export async function countTransfers(
  chain: PublicClient,
  transfer: { from: string; to: string; amount: string },
): Promise<number> {
  const logs = await chain.getLogs({
    address: usdc,
    event: transferEvent,
    args: { from: getAddress(transfer.from), to: getAddress(transfer.to) },
    fromBlock: 0n,
  });
  const value = parseUnits(transfer.amount, 6);
  return logs.filter(({ args }) => args.value === value).length;
}

/** The chain's count of contracts that a wallet deployed. */
export async function countDeployments(chain: PublicClient, deployer: string): Promise<number> {
  const logs = await chain.getLogs({ event: deployedEvent, fromBlock: 0n });
  return logs.filter(({ args }) => args.deployer?.toLowerCase() === deployer.toLowerCase()).length;
}
