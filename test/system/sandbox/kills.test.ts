import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPublicClient, http, type PublicClient } from 'viem';
import { openStore } from '../../../sandbox/store/store';
import { RefusedError } from '../../../src/custody/errors';
import { templateIds } from '../../../src/custody/objects/template';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { deploymentOf } from '../../support/chain/deployments';
import { newFolder, stopLater } from '../../support/jest/setUp';
import { times } from '../../support/lane';
import {
  createFundedWallet,
  createWallet,
  settled,
  tokenTransfers,
  transferOf,
} from '../../support/sandbox';
import { seeded } from '../../support/seeded';
import { type MortalSandbox, startMortalSandbox } from '../../support/service/mortalSandbox';

const killCount = times({ short: 20, all: 100 });
/** The service's code for a transaction that can no longer be cancelled. */
const tooLate = 155229;
const seed = 4;

/** A transfer in its sender's view. No other transfer has its amount. */
type Order = { key: string; baseUnits: bigint; id?: string; cancelled?: boolean };
type Deployment = { contractId: string; transactionId: string };
type Kind = 'node' | 'process' | 'both';

const dataDir = newFolder();
let sandbox: MortalSandbox;
let chain: PublicClient;
beforeAll(async () => {
  sandbox = await startMortalSandbox(dataDir, { SANDBOX_SETTLE_MS: '300' });
  stopLater(() => sandbox.stop());
  chain = createPublicClient({ transport: http(sandbox.rpcUrl, { retryCount: 0 }) });
});

const random = randomOf(seed);
/** A random source for kills only, so that they do not depend on the order of the clients' calls. */
const killRandom = randomOf(seed + 1);
let isOver = false;
/** Called when a client has received an answer. */
let answered: () => void = () => {};
const unfit: unknown[] = [];

it(`a sandbox that is killed ${killCount} times loses nothing and repeats nothing`, async () => {
  const startedMs = Date.now();
  const wallets = await Promise.all(
    (['EOA', 'EOA', 'SCA', 'SCA'] as const).map((type) => createFundedWallet(sandbox.client, type)),
  );
  const to = await createWallet(sandbox.client);
  const deployer = await createFundedWallet(sandbox.client, 'SCA');
  const orders: Order[] = [];
  const deployments: Deployment[] = [];
  const load = [
    ...wallets.map((from) => transferAgainAndAgain(from, to.address, orders)),
    deployAgainAndAgain(deployer, deployments),
    watchChain(),
  ];
  const kills = await killAgainAndAgain();
  isOver = true;
  await Promise.all(load);
  await sandbox.ready();

  const accepted = orders.flatMap(({ id }) => id ?? []);
  const records = await Promise.all(accepted.map((id) => settled(sandbox.client, id)));
  const stateOf = new Map(records.map(({ id, state }) => [id, state]));
  const isCancelled = ({ id = '' }: Order) => stateOf.get(id) === 'CANCELLED';
  const other = orders.filter(({ id = '' }) => stateOf.get(id) !== 'COMPLETE');
  expect(other.filter((order) => !(order.cancelled && isCancelled(order)))).toEqual([]);
  const transfers = await tokenTransfers(sandbox.rpcUrl, { to: to.address });
  const effects = new Map<bigint, string[]>();
  for (const { value, transactionHash } of transfers) {
    effects.set(value, [...(effects.get(value) ?? []), transactionHash ?? '']);
  }
  const carriedOut = orders.filter((order) => !isCancelled(order));
  const lost = carriedOut.filter(({ baseUnits }) => !effects.has(baseUnits));
  const duplicates = [...effects.values()].filter((hashes) => hashes.length > 1);
  const cancelled = orders.filter(isCancelled);
  tell({ kills, accepted, cancelled, transfers, deployments, duplicates, lost, startedMs });
  expect({ duplicates, lost }).toEqual({ duplicates: [], lost: [] });
  const hashOf = new Map(records.map(({ id, txHash = '' }) => [id, txHash]));
  expect(effects).toEqual(
    new Map(carriedOut.map(({ id = '', baseUnits }) => [baseUnits, [hashOf.get(id)]])),
  );
  await expectDeployed(deployments);
  for (const { address, accountType } of wallets) {
    if (accountType !== 'EOA') continue;
    const sent = await tokenTransfers(sandbox.rpcUrl, { from: address });
    const nonce = await chain.getTransactionCount({ address: address as `0x${string}` });
    expect(nonce).toBeGreaterThanOrEqual(sent.length);
    expect(nonce).toBeLessThanOrEqual(sent.length + cancelled.length);
  }
  expect(unfit).toEqual([]);
  await sandbox.stop();
  expectOnlyOrders(orders);
});

/** Sends one order after the other. Like a careful client it repeats the key until the answer. */
async function transferAgainAndAgain(from: Wallet, to: string, orders: Order[]): Promise<void> {
  for (let isFirst = true; !isOver; isFirst = false) {
    const order: Order = { key: randomUUID(), baseUnits: 0n };
    orders.push(order);
    order.baseUnits = BigInt(orders.length);
    const body = transferOf(from, to, {
      idempotencyKey: order.key,
      amounts: [`0.${String(order.baseUnits).padStart(6, '0')}`],
    });
    order.id = (await untilAnswered(() => sandbox.client.createTransfer(body))).id;
    answered();
    // An SCA that is not yet deployed accepts no second transfer before the first one is queued.
    if (isFirst) await untilAnswered(() => settled(sandbox.client, order.id ?? ''));
    else if (random() < 0.2) order.cancelled = await cancelOrder(order.id);
    await sleep(random() * 200);
  }
}

/** Cancels a transfer, at a moment that may be early, in time or too late. */
async function cancelOrder(id: string): Promise<boolean> {
  const body = { id, idempotencyKey: randomUUID() };
  await sleep(random() * 150);
  return untilAnswered(() =>
    sandbox.client.cancelTransaction(body).catch((error: unknown) => {
      if (error instanceof RefusedError && error.code === tooLate) return undefined;
      throw error;
    }),
  ).then((answer) => answer !== undefined);
}

async function deployAgainAndAgain(from: Wallet, deployments: Deployment[]): Promise<void> {
  for (let isFirst = true; !isOver; isFirst = false) {
    const body = { id: templateIds.fungible, ...deploymentOf(from) };
    const answer = await untilAnswered(() => sandbox.client.deployTemplate(body));
    const { contractIds, transactionId } = answer;
    deployments.push({ contractId: contractIds[0] ?? '', transactionId });
    answered();
    if (isFirst) await untilAnswered(() => settled(sandbox.client, transactionId));
    await sleep(1_000 + random() * 2_000);
  }
}

async function untilAnswered<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      // A killed service gives no answer. So any refusal is a fault.
      if (error instanceof RefusedError) {
        unfit.push(error);
        throw error;
      }
      await sleep(20);
    }
  }
}

/** Watches the chain as readers do: a block keeps its hash, and the chain never gets shorter. */
async function watchChain(): Promise<void> {
  const hashes = new Map<bigint, string>();
  let highest = 0n;
  while (!isOver) {
    await sleep(50);
    const block = await chain.getBlock().catch(() => undefined);
    if (block === undefined) continue;
    if (block.number < highest) unfit.push(`block ${block.number} after ${highest}`);
    highest = block.number;
    hashes.set(block.number, block.hash);
  }
  await sandbox.ready();
  for (const [blockNumber, hash] of hashes) {
    const block = await chain.getBlock({ blockNumber });
    if (block.hash !== hash) unfit.push(`block ${blockNumber} was ${hash}, is ${block.hash}`);
  }
}

async function killAgainAndAgain(): Promise<Record<Kind, number>> {
  const kills = { node: 0, process: 0, both: 0 };
  while (kills.node + kills.process + kills.both < killCount) {
    // Most kills hit a sandbox that is ready, and some hit one that is just starting.
    const dice = killRandom();
    if (killRandom() < 0.6) await sandbox.ready();
    if (killRandom() < 0.3) await nextAnswer();
    else await sleep(killRandom() * 300);
    if (dice < 0.45) kills.node += (await sandbox.killNode()) ? 1 : 0;
    else if (dice < 0.75) {
      await sandbox.killProcess();
      kills.process += 1;
    } else {
      kills[(await sandbox.killNode()) ? 'both' : 'process'] += 1;
      await sandbox.killProcess();
    }
  }
  return kills;
}

function nextAnswer(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 500);
    answered = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

async function expectDeployed(deployments: readonly Deployment[]): Promise<void> {
  const addresses = new Set<string>();
  for (const { contractId, transactionId } of deployments) {
    expect(await settled(sandbox.client, transactionId)).toMatchObject({ state: 'COMPLETE' });
    const { contract } = await sandbox.client.getContract({ id: contractId });
    expect(contract.status).toBe('COMPLETE');
    const address = (contract.contractAddress ?? '') as `0x${string}`;
    expect(await chain.getCode({ address })).toMatch(/^0x.{40}/);
    addresses.add(address);
  }
  expect(addresses.size).toBe(deployments.length);
}

/** Expects one record for each order, and no transaction that waits for a block. */
function expectOnlyOrders(orders: readonly Order[]): void {
  const store = openStore(dataDir);
  const rows = store.transactions.where('kind', 'OUTBOUND TRANSFER');
  const open = ['pending', 'assigned', 'replacing', 'underpriced'].flatMap((status) =>
    store.broadcasts.where('status', status),
  );
  store.close();
  expect(rows.map(({ id }) => id).sort()).toEqual(orders.map(({ id }) => id).sort());
  expect(open).toEqual([]);
}

function tell(facts: {
  kills: Record<Kind, number>;
  accepted: unknown[];
  cancelled: unknown[];
  transfers: unknown[];
  deployments: unknown[];
  duplicates: unknown[];
  lost: unknown[];
  startedMs: number;
}): void {
  const { kills } = facts;
  const rows = {
    'kills of the node': kills.node,
    'kills of the process': kills.process,
    'kills of both': kills.both,
    'transfers accepted': facts.accepted.length,
    'of these cancelled': facts.cancelled.length,
    'transfers on the chain': facts.transfers.length,
    'contracts deployed': facts.deployments.length,
    duplicates: facts.duplicates.length,
    lost: facts.lost.length,
    seconds: Math.round((Date.now() - facts.startedMs) / 1000),
  };
  const lines = Object.entries(rows).map(([what, count]) => `${what.padEnd(24)}${count}`);
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}

/** The same numbers from 0 to 1 for the same seed. */
function randomOf(seed: number): () => number {
  const next = seeded(seed);
  return () => next(2 ** 32) / 2 ** 32;
}
