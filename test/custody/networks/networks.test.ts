import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAddress } from 'viem';
import { readChain } from '../../../src/chain/readChain';
import { checkPolicy } from '../../../src/cli/doctor/checkPolicy';
import { checkNetworks } from '../../../src/cli/doctor/service/checkNetworks';
import { readCustodyConfig } from '../../../src/config';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { RefusedError } from '../../../src/custody/errors';
import { networks } from '../../../src/custody/networks/networks';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { checkChain } from '../../../src/health/checkChain';
import { limitWrites } from '../../../src/worker/limitWrites';
import { refuseOtherNode } from '../../../src/worker/refuseOtherNode';
import { readServiceConfig } from '../../../src/worker/workerConfig';
import { runCli } from '../../cli/runCli';
import { listening } from '../../support/service/listening';
import { temporalAddress } from '../../support/temporal';
import { limitOf } from '../../writer/writer';

const folder = mkdtempSync(join(tmpdir(), 'steadfast-networks-'));
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
  rmSync(folder, { recursive: true });
});

const walletId = '5e1d7a3c-0b5c-4a57-9d4e-2f6f0a1b7c11';
const wallet = { id: walletId, address: `0x${'a1'.repeat(20)}` };
const policyPath = join(folder, 'policy.json');
writeFileSync(policyPath, JSON.stringify({ version: 1, rules: [limitOf(wallet as Wallet)] }));

/** Another account's service: it has no wallet, and serves what a TEST_ key may use. */
const service = (code: number): CustodyApi =>
  ({
    getWallet: () => Promise.reject(refused(404, 156001)),
    getFeeParameters: ({ blockchain }: { blockchain: string }) =>
      blockchain === 'ARC' ? Promise.reject(refused(400, code)) : Promise.resolve({}),
  }) as unknown as CustodyApi;

function refused(status: number, code: number): RefusedError {
  return new RefusedError(`code ${code}`, { status, code } as never);
}

type Lies = {
  chainId?: number;
  baseFee?: bigint;
  code?: string;
  decimals?: number;
  call?: string;
};

/** A node of Arc testnet, but for what it is told to say otherwise. */
async function nodeOf({ chainId = 5042002, code = '0xef', ...lies }: Lies): Promise<string> {
  const { baseFee = 20_000_000_000n, decimals = 6 } = lies;
  const hex = (number: number | bigint): string => `0x${number.toString(16)}`;
  const results: Record<string, unknown> = {
    eth_chainId: hex(chainId),
    eth_getBlockByNumber: { number: '0x1', baseFeePerGas: hex(baseFee), transactions: [] },
    eth_blockNumber: '0x1',
    eth_getCode: code,
    eth_call: lies.call ?? `0x${decimals.toString(16).padStart(64, '0')}`,
  };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => {
      text += part;
    });
    request.on('end', () => {
      type Call = { id: number; method: string };
      const answer = ({ id, method }: Call) => ({ jsonrpc: '2.0', id, result: results[method] });
      const body: Call | Call[] = JSON.parse(text);
      const answers = Array.isArray(body) ? body.map(answer) : answer(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers));
    });
  });
  servers.push(server);
  return (await listening(server)).url;
}

const env = {
  CUSTODY_BASE_URL: 'https://127.0.0.1:1/v1/w3s',
  CUSTODY_API_KEY: 'TEST_API_KEY:an-id:a-secret',
  CUSTODY_ENTITY_SECRET: '5eed'.repeat(16),
};
const liveKey = 'LIVE_API_KEY:an-id:a-secret';
const main = {
  ...env,
  CUSTODY_API_KEY: liveKey,
  CUSTODY_BLOCKCHAIN: 'ARC',
  CUSTODY_PUBLIC_KEY_SHA256: 'a'.repeat(64),
  CHAIN_RPC_URL: 'https://127.0.0.1:1',
  STEADFAST_POLICY_FILE: policyPath,
  STEADFAST_LIVE: '1',
};

type Refusal = { doctor: string; worker: string };

/** The first words of a worker that signs about an environment. */
function workerOf(given: NodeJS.ProcessEnv): string {
  try {
    readServiceConfig(['writes'], given);
    return 'starts';
  } catch (error) {
    return String(error);
  }
}

/** The words of the doctor's command, and those of a worker. */
async function byEnvironment(given: Record<string, string>): Promise<Refusal> {
  const { stdout, code } = await runCli(['doctor'], {
    ...given,
    TEMPORAL_ADDRESS: temporalAddress(),
  });
  expect({ code, stdout }).toMatchObject({ code: 2 });
  return { doctor: stdout, worker: workerOf(given) };
}

async function byNode(lies: Lies): Promise<Refusal> {
  const chainRpcUrl = await nodeOf(lies);
  const { words } = await checkChain(chainRpcUrl, 'ARC-TESTNET');
  const worker = refuseOtherNode({ chainRpcUrl, blockchain: 'ARC-TESTNET' });
  return { doctor: words, worker: await worker.then(() => 'starts', String) };
}

async function byPolicy(blockchain: string): Promise<Refusal> {
  const place = { policyPath, ledgerPlace: join(folder, 'none.db') };
  const findings = await checkPolicy(place, blockchain, service(156006));
  const own = readCustodyConfig(blockchain === 'ARC' ? main : env);
  const custody = { ...own, replaces: undefined };
  const authority = { ...place, replaces: undefined, namespace: 'default' };
  const worker = limitWrites(service(156006), custody, authority as never);
  return {
    doctor: findings.map(({ words }) => words).join(' '),
    worker: await worker.then(() => 'starts', String),
  };
}

function lack(name: keyof typeof main): Record<string, string> {
  const { [name]: _, ...others } = main;
  return others;
}

/** Wrong set-ups, each with words that doctor and worker both say. */
const setUps: readonly [name: string, set: () => Refusal | Promise<Refusal>, words: string][] = [
  [
    'a main-network key on a test network',
    () => byEnvironment({ ...env, CUSTODY_API_KEY: liveKey }),
    'CUSTODY_API_KEY: is a LIVE_ key, and CUSTODY_BLOCKCHAIN is ARC-TESTNET, a test network.',
  ],
  [
    'a test key on a main network',
    () => byEnvironment({ ...main, CUSTODY_API_KEY: env.CUSTODY_API_KEY }),
    'CUSTODY_API_KEY: is a TEST_ key, and CUSTODY_BLOCKCHAIN is ARC, a main network.',
  ],
  [
    'a main network that nobody has meant',
    () => byEnvironment(lack('STEADFAST_LIVE')),
    'ARC is a main network, where money is real. STEADFAST_LIVE: is not 1.',
  ],
  [
    'a main network without a pinned key',
    () => byEnvironment(lack('CUSTODY_PUBLIC_KEY_SHA256')),
    'CUSTODY_PUBLIC_KEY_SHA256: is not set.',
  ],
  [
    'a main network without a node',
    () => byEnvironment(lack('CHAIN_RPC_URL')),
    'CHAIN_RPC_URL: is not set. A node of the chain has to confirm what the service says.',
  ],
  [
    'a main network without a policy',
    () => byEnvironment(lack('STEADFAST_POLICY_FILE')),
    'STEADFAST_POLICY_FILE: is not set. A writer needs a policy whose limits name signedBy',
  ],
  [
    'a policy whose limits want no signature, on a main network',
    () => byPolicy('ARC'),
    'the rule out names no signedBy, which a main network needs.',
  ],
  [
    'a policy for another account',
    () => byPolicy('ARC-TESTNET'),
    `is for another account: the account of CUSTODY_API_KEY has no wallet ${walletId}.`,
  ],
  [
    'a node of another network',
    () => byNode({ chainId: 5042 }),
    'CHAIN_RPC_URL is chain 5042, but ARC-TESTNET is chain 5042002',
  ],
  [
    'a node whose chain lacks the tokens',
    () => byNode({ code: '0x' }),
    'EURC of ARC-TESTNET is 0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a, and the node of ' +
      'CHAIN_RPC_URL has no token there',
  ],
  [
    'a node that has code without decimals at the address of a token',
    () => byNode({ call: '0x' }),
    'EURC of ARC-TESTNET is 0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a, and the node of ' +
      'CHAIN_RPC_URL has no token there',
  ],
  [
    'a node whose token has other decimals',
    () => byNode({ decimals: 18 }),
    'USDC of ARC-TESTNET is 0x3600000000000000000000000000000000000000, and the node of ' +
      'CHAIN_RPC_URL has one of 18 decimals there, not 6',
  ],
  [
    'a node with a base fee below the floor',
    () => byNode({ baseFee: 7_000_000_000n }),
    'The base fee at CHAIN_RPC_URL is 7 gwei, and ARC-TESTNET has never less than 20',
  ],
];

/** The variables that a refusal names, in its order. */
function namesIn(words: string): string[] {
  return [...words.matchAll(/([A-Z_0-9]+): (?:is|must|the rule)\b/g)].map(([, name = '']) => name);
}

describe('a wrong set-up', () => {
  test('is refused by a worker that reads alone: a main network without a node', () => {
    const reading = { ...lack('CHAIN_RPC_URL'), CUSTODY_ENTITY_SECRET: '' };
    expect(() => readServiceConfig(['reads'], reading)).toThrow('CHAIN_RPC_URL: is not set.');
  });

  test.each(setUps)('is told by doctor and refused by a worker: %s', async (_name, set, words) => {
    const { doctor, worker } = await set();
    expect(doctor).toContain(words);
    expect(worker).toContain(words);
    expect(worker).toMatch(/^ConfigError/);
  });

  test('says all that a main network lacks at once', () => {
    const bare = { ...env, CUSTODY_API_KEY: liveKey, CUSTODY_BLOCKCHAIN: 'ARC' };
    expect(namesIn(workerOf({ ...bare, CUSTODY_BASE_URL: 'http://127.0.0.1:1' }))).toEqual([
      'STEADFAST_LIVE',
      'CUSTODY_BASE_URL',
      'CUSTODY_PUBLIC_KEY_SHA256',
      'STEADFAST_POLICY_FILE',
      'CHAIN_RPC_URL',
    ]);
  });

  test('says with it what is malformed, and that the key is of the other environment', () => {
    const given = { ...main, CUSTODY_API_KEY: env.CUSTODY_API_KEY, CUSTODY_ENTITY_SECRET: '5eed' };
    const worker = workerOf({ ...given, STEADFAST_LIVE: '', CHAIN_RPC_URL: '' });
    expect(namesIn(worker)).toEqual([
      'CUSTODY_ENTITY_SECRET',
      'CUSTODY_API_KEY',
      'STEADFAST_LIVE',
      'CHAIN_RPC_URL',
    ]);
  });

  test('says of a malformed key nothing but that, and of no network it does not know', () => {
    expect(namesIn(workerOf({ ...main, CUSTODY_API_KEY: 'a key' }))).toEqual(['CUSTODY_API_KEY']);
    const elsewhere = { ...main, CUSTODY_BLOCKCHAIN: 'MARS' };
    expect(namesIn(workerOf(elsewhere))).toEqual(['CUSTODY_BLOCKCHAIN']);
  });

  test('is refused by the worker command with its ledger and its policy in one answer', async () => {
    const { code, stderr } = await runCli(['worker'], { ...main, STEADFAST_LIVE: '' });
    expect(code).toBe(2);
    expect(namesIn(stderr)).toEqual([
      'STEADFAST_LEDGER',
      'STEADFAST_LIVE',
      'STEADFAST_POLICY_FILE',
    ]);
    expect(stderr).toContain('the rule out names no signedBy, which a main network needs.');
  });
});

describe('a right set-up', () => {
  test('starts on a main network, and a process that only reads needs less', () => {
    expect(readServiceConfig(['writes'], main)?.blockchain).toBe('ARC');
    const reading = { ...main, STEADFAST_POLICY_FILE: undefined };
    expect(readServiceConfig(['reads'], reading)?.blockchain).toBe('ARC');
    const unchecked = { ...reading, CHAIN_RPC_URL: undefined };
    expect(readCustodyConfig(unchecked, { signs: false }).blockchain).toBe('ARC');
  });

  test('is fine for a node that has the tokens and the fees of its network', async () => {
    expect(await byNode({})).toEqual({
      doctor: 'id 5042002 answers, with USDC, EURC as ARC-TESTNET has them',
      worker: 'starts',
    });
  });

  test('starts without a node that answers, and reads it only as the right chain', async () => {
    const url = await nodeOf({ chainId: 5042 });
    const server = servers.at(-1);
    const { port } = new URL(url);
    await new Promise((resolve) => server?.close(resolve).closeAllConnections());
    await expect(
      refuseOtherNode({ chainRpcUrl: url, blockchain: 'ARC-TESTNET' }),
    ).resolves.toBeUndefined();
    await new Promise<void>((resolve) => server?.listen(Number(port), '127.0.0.1', resolve));
    const read = () => readChain(url, (chain) => chain.getGasPrice());
    const words = 'CHAIN_RPC_URL is chain 5042, but ARC-TESTNET is chain 5042002.';
    await expect(read()).rejects.toThrow(words);
    await expect(read()).rejects.toThrow(words);
  });
});

describe('the service is asked what it serves', () => {
  test.each([
    [156006, 'code 156006: the service serves it to LIVE_ keys'],
    [156016, 'code 156016: the entity secret is registered for the other environment.'],
  ])('and its code %s is explained', async (code, words) => {
    const [own, other] = await checkNetworks(service(code), 'ARC-TESTNET');
    expect(own).toMatchObject({ name: 'Network ARC-TESTNET', state: 'fine' });
    expect(other).toMatchObject({ name: 'Network ARC', state: 'skipped' });
    expect(other?.words).toContain(words);
    const [asOwn] = await checkNetworks(service(code), 'ARC');
    expect(asOwn).toMatchObject({ state: 'fault', belongsTo: 'configuration' });
  });
});

test.each(Object.entries(networks))(
  'the addresses of %s have their checksums',
  (_name, network) => {
    const addresses = network.tokens.flatMap(({ address }) => address || []);
    expect(addresses).toEqual(addresses.map((address) => getAddress(address)));
  },
);
