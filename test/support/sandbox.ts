import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPublicClient, erc20Abi, getAddress, type Hex, http } from 'viem';
import { nativeLogger } from '../../sandbox/chain/genesis/contracts';
import { readSandboxConfig, type SandboxConfig } from '../../sandbox/config/config';
import { openSandbox, type Sandbox } from '../../sandbox/service/main';
import { createCustodyClient } from '../../src/custody/client';
import type { AbiParameter, CustodyApi } from '../../src/custody/endpoints';
import { encryptEntitySecret, readPublicKey } from '../../src/custody/entitySecret';
import { finalState } from '../../src/custody/objects/state';
import type { Transaction } from '../../src/custody/objects/transaction';
import type { Wallet } from '../../src/custody/objects/wallet';
import { setUp } from './jest/setUp';

export const blockchain = 'ARC-TESTNET';
export const usdc = '0x3600000000000000000000000000000000000000';
export const eurc = '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a';

/** An HTTP answer with status, headers and body. */
export type Exchange = { status: number; headers: Headers; body: unknown };

/** A sandbox in this process, with a client. */
export type TestSandbox = Sandbox & {
  origin: string;
  client: CustodyApi;
  /** Sends any request, with the API key unless other headers are given. */
  request(
    method: string,
    url: string,
    options?: { headers?: Record<string, string>; body?: unknown },
  ): Promise<Exchange>;
  /** Sends a POST with a fresh ciphertext. */
  signed(url: string, body: object): Promise<Exchange>;
  /** A new wallet: one that holds nothing, one with money, and one that has also sent some. */
  wallet(accountType?: AccountType): Promise<Wallet>;
  fundedWallet(accountType?: AccountType): Promise<Wallet>;
  usedWallet(accountType?: AccountType): Promise<Wallet>;
  /** Waits until a transaction is in the given state, or in a final one. */
  settled(id: string, state?: string): Promise<Transaction>;
  /** Pays one USDC, unless the fields change that, and waits for the end. */
  pay(from: Wallet, to: string, fields?: object): Promise<Transaction>;
  /** Calls a contract, and waits for the end. */
  call(from: Wallet, call: Call): Promise<Transaction>;
  /** The balances of a wallet, by symbol and kind. */
  holdings(walletId: string): Promise<Record<string, string>>;
  /** Token transfers in the chain's own logs, oldest first. */
  transfers(between: Between): Promise<Transfers>;
};

/** A call of a contract by the signature of its function. */
type Call = { to: string; signature: string; parameters: AbiParameter[] };
type Between = { from?: string; to?: string };
type Transfers = { to: string; value: bigint; transactionHash: Hex }[];

/** Starts a sandbox in memory, on a free port, with short times, unless the test changes that. */
export async function startTestSandbox(config: Partial<SandboxConfig> = {}): Promise<TestSandbox> {
  const sandbox = await openSandbox({
    ...readSandboxConfig({ SANDBOX_PORT: '0', SANDBOX_SETTLE_MS: '50', SANDBOX_RATE_LIMIT: 'off' }),
    cacheFolder: readSandboxConfig().cacheFolder,
    ...config,
  });
  const { baseUrl, secrets } = sandbox;
  // A machine with other work may answer late. That is no fault of the sandbox.
  const client = createCustodyClient({ baseUrl, ...secrets, deadlineMs: 60_000 });
  const request: TestSandbox['request'] = async (method, url, options = {}) => {
    const { body, headers = { authorization: `Bearer ${secrets.apiKey}` } } = options;
    const sent =
      body === undefined
        ? { headers }
        : {
            headers: { ...headers, 'content-type': 'application/json' },
            body: typeof body === 'string' ? body : JSON.stringify(body),
          };
    const response = await fetch(new URL(url, `${baseUrl}/`), { method, ...sent });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
  return {
    ...sandbox,
    origin: new URL(baseUrl).origin,
    client,
    request,
    signed: async (url, body) => {
      const { publicKey } = await client.getPublicKey({});
      const ciphertext = encryptEntitySecret(secrets.entitySecret, readPublicKey(publicKey));
      return request('POST', url, { body: { ...body, entitySecretCiphertext: ciphertext } });
    },
    wallet: (accountType) => createWallet(client, accountType),
    fundedWallet: (accountType) => createFundedWallet(client, accountType),
    usedWallet: (accountType) => createUsedWallet(client, accountType),
    settled: (id, state) => settled(client, id, state),
    pay: async (from, to, fields) => {
      const { id } = await client.createTransfer(transferOf(from, to, fields));
      return settled(client, id);
    },
    call: async (from, call) => {
      const { id } = await client.executeContract(callOf(from, call));
      return settled(client, id);
    },
    holdings: (walletId) => holdings(client, walletId),
    transfers: (between) => tokenTransfers(sandbox.rpcUrl, between),
  };
}

/** A sandbox for the tests of a file or a group. It starts before them, and stops after them. */
export function inSandbox(config: Partial<SandboxConfig> = {}) {
  const sandbox = setUp(() => startTestSandbox(config));
  /** Stops it and starts it with the same settings, as after an update. */
  const restart = async (): Promise<void> => {
    await sandbox.stop();
    Object.assign(sandbox, await startTestSandbox(config));
  };
  return Object.assign(sandbox, { restart });
}

/** Creates wallets in a new set. */
export async function createWallets(
  client: CustodyApi,
  options: { count?: number; accountType?: AccountType; blockchains?: string[] } = {},
): Promise<Wallet[]> {
  const { walletSet } = await client.createWalletSet({
    idempotencyKey: randomUUID(),
    name: 'test',
  });
  const { wallets } = await client.createWallets({
    idempotencyKey: randomUUID(),
    walletSetId: walletSet.id,
    blockchains: [blockchain],
    count: 1,
    ...options,
  });
  return wallets;
}

type AccountType = 'SCA' | 'EOA';

/** Creates one wallet in a new set. */
export async function createWallet(
  client: CustodyApi,
  accountType: AccountType = 'EOA',
): Promise<Wallet> {
  const [wallet] = await createWallets(client, { accountType });
  if (wallet === undefined) throw new Error('No wallet was created.');
  return wallet;
}

/** A wallet with 20 of each token from the faucet: native, USDC and EURC. */
export async function createFundedWallet(
  client: CustodyApi,
  accountType: AccountType = 'SCA',
): Promise<Wallet> {
  const wallet = await createWallet(client, accountType);
  await client.requestDrip({ address: wallet.address, blockchain, usdc: true, eurc: true });
  return wallet;
}

/**
 * A wallet that has also sent a little of the native coin. An SCA is then deployed, and accepts as
 * many transactions at a time as an EOA.
 */
export async function createUsedWallet(
  client: CustodyApi,
  accountType: AccountType = 'SCA',
): Promise<Wallet> {
  const wallet = await createFundedWallet(client, accountType);
  const order = { tokenAddress: '', amounts: ['0.000001'] };
  const { id } = await client.createTransfer(transferOf(wallet, wallet.address, order));
  await settled(client, id);
  return wallet;
}

/** Waits until a transaction is in the given state, or in a final one. */
export async function settled(client: CustodyApi, id: string, word?: string): Promise<Transaction> {
  const deadline = Date.now() + 100_000;
  for (;;) {
    const { transaction } = await client.getTransaction({ id });
    const { state } = transaction;
    if (state === word || finalState(state) !== undefined) return transaction;
    if (Date.now() > deadline) throw new Error(`${id} is still ${transaction.state}.`);
    await sleep(20);
  }
}

/** A transfer order of one USDC, unless the fields change that. */
export function transferOf(from: Wallet, to: string, fields: object = {}) {
  return {
    idempotencyKey: randomUUID(),
    walletId: from.id,
    destinationAddress: to,
    tokenAddress: usdc,
    blockchain,
    amounts: ['1'],
    feeLevel: 'MEDIUM' as const,
    ...fields,
  };
}

/** An order for a call of a contract. */
export function callOf({ id: walletId }: Wallet, { to, signature, parameters }: Call) {
  return {
    idempotencyKey: randomUUID(),
    walletId,
    contractAddress: to,
    abiFunctionSignature: signature,
    abiParameters: parameters,
    feeLevel: 'MEDIUM' as const,
  };
}

/** The balances of a wallet, by symbol and kind, as the service lists them. */
export async function holdings(
  client: CustodyApi,
  walletId: string,
): Promise<Record<string, string>> {
  const { tokenBalances } = await client.listBalances({ id: walletId });
  return Object.fromEntries(
    tokenBalances.map(({ token, amount }) => [
      token.isNative ? 'native' : (token.symbol ?? token.id),
      amount,
    ]),
  );
}

/** Token transfers in the chain's own logs, oldest first. What the system tells is of USDC too. */
export async function tokenTransfers(rpcUrl: string, between: Between): Promise<Transfers> {
  const logs = await createPublicClient({ transport: http(rpcUrl) }).getContractEvents({
    abi: erc20Abi,
    eventName: 'Transfer',
    args: {
      ...(between.from === undefined ? {} : { from: getAddress(between.from) }),
      ...(between.to === undefined ? {} : { to: getAddress(between.to) }),
    },
    fromBlock: 0n,
    strict: true,
  });
  const own = logs.filter(({ address }) => getAddress(address) !== nativeLogger);
  return own.map(({ args, transactionHash }) => ({
    to: args.to.toLowerCase(),
    value: args.value,
    transactionHash,
  }));
}
