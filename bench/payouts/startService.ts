import { randomUUID } from 'node:crypto';
import { createCustodyClient } from '../../src/custody/client';
import type { CustodyApi } from '../../src/custody/endpoints';
import { bareEnvironment } from '../../src/local/bareEnvironment';
import { localKeys } from '../../src/local/localKeys';
import { startReady } from '../../src/local/startReady';
import type { AccountType } from './service/ledger';
import { type Counts, rpcPath, type TransferFacts } from './service/server';
import { blockchain } from './service/tokens';

/** The behaviour of the stub in one bench. */
export type ServiceRules = { settleMs: number; limit?: 'hosted' | 'off' };

/** A wallet that pays. */
export type Payer = { id: string; address: string; accountType: string };

/** The stub in a process of its own: a client for it, and its counts and transfers. */
export type Service = Place & {
  custody: CustodyApi;
  createPayers(count: number, accountType: AccountType): Promise<Payer[]>;
  transfers(): Promise<TransferFacts[]>;
  counts(): Promise<Counts>;
  stop(): Promise<void>;
};

/** The settings with which a process reaches the service. */
export type ServiceKeys = { baseUrl: string; apiKey: string; entitySecret: string };

/** A service to pay with: the stub, or the sandbox. */
export type Place = ServiceKeys & {
  /** True if it has the rate limits of the hosted service. */
  isLimited: boolean;
  /** The address at which its chain is read. */
  rpcUrl: string;
};

const readyMs = 120_000;

/** The command that runs a TypeScript program of the bench. */
export function program(path: string): [string, ...string[]] {
  return [process.execPath, '--require', require.resolve('../../scripts/typescript'), path];
}

/** The command that runs the stub. It prints "Service ready: " and its base URL. */
export function serviceCommand(
  { settleMs, limit = 'off' }: ServiceRules,
  apiKey: string,
): [string, ...string[]] {
  const flags = ['--settle', String(settleMs), '--limit', limit, '--key', apiKey];
  return [...program(require.resolve('./service/main')), ...flags];
}

/** Starts the stub. Resolves once it accepts calls. */
export async function startService(rules: ServiceRules): Promise<Service> {
  const { apiKey, entitySecret } = localKeys();
  const { child, line } = await startReady({
    command: serviceCommand(rules, apiKey),
    env: bareEnvironment(),
    ready: /^Service ready: (\S+)$/,
    timeoutMs: readyMs,
  });
  const service = serviceAt({ baseUrl: line[1] ?? '', apiKey, entitySecret });
  return { ...service, isLimited: rules.limit === 'hosted', stop: () => child.stop() };
}

/** A stub that runs already. */
export function serviceAt(keys: ServiceKeys): Omit<Service, 'isLimited' | 'stop'> {
  const custody = createCustodyClient(keys);
  const { origin } = new URL(keys.baseUrl);
  return {
    ...keys,
    custody,
    rpcUrl: origin + rpcPath,
    createPayers: (count, accountType) => createPayers(custody, count, accountType),
    transfers: () => read<TransferFacts[]>(`${origin}/_bench/transfers`),
    counts: () => read<Counts>(`${origin}/_bench/counts`),
  };
}

async function read<Facts>(url: string): Promise<Facts> {
  return JSON.parse(await (await fetch(url)).text());
}

async function createPayers(
  custody: CustodyApi,
  count: number,
  accountType: AccountType,
): Promise<Payer[]> {
  const { walletSet } = await custody.createWalletSet({ idempotencyKey: randomUUID() });
  const { wallets } = await custody.createWallets({
    idempotencyKey: randomUUID(),
    walletSetId: walletSet.id,
    blockchains: [blockchain],
    count,
    accountType,
  });
  return wallets.map(({ id, address }) => ({ id, address, accountType }));
}
