import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import { fromBaseUnits, toBaseUnits } from '../src/custody/amount';
import type { Wallet } from '../src/custody/wallet';
import type { Boundary } from './boundary';
import type { Effect, Flow } from './flow';
import type { Lane } from './lane';

/** The service has taken the transfer, and the order knows. */
const isAccepted = ({ call, point }: Boundary): boolean =>
  call === 'activity createTransfer completed' && point === 'after';
/** It waits for the transfer to settle. */
const isSettling = ({ call, point }: Boundary): boolean =>
  call === 'workflow task: start a timer' && point === 'after';
/** By then it has settled, and the order has not looked yet. */
const settledMs = 1_200;

const blockchain = 'ARC-TESTNET';
const usdc = '0x3600000000000000000000000000000000000000';
const decimals = { usdc: 6, token: 18 };

/** Read by a worker before its first write, whichever order that is of, and then kept. */
export const publicKey = /^service getPublicKey$/;

/** Every flow that is swept: its boundaries are found by running it once. */
export const flows: readonly Flow[] = [
  transfer('EOA'),
  transfer('SCA'),
  { ...transfer('EOA'), name: 'first write of a worker', needsFreshWorker: true, calls: publicKey },
  { name: 'transfer, woken', prepare: prepareWoken },
  { name: 'transfer, cancelled in time', prepare: prepareCancelled },
  { name: 'transfer, cancelled too late', prepare: prepareCancelledLate },
  { name: 'fund from treasury', prepare: prepareFunding },
  { name: 'deploy and mint', prepare: prepareDeployment },
  { name: 'deployment sequence', prepare: prepareDeploymentSequence },
  { name: 'transfer sequence', prepare: prepareTransferSequence },
];

type Order = { name: string; number: number };

function transfer(accountType: 'EOA' | 'SCA'): Flow {
  return {
    name: `transfer, ${accountType}`,
    prepare: (lane, order) => prepareTransfer(lane, order, accountType),
  };
}

async function prepareTransfer(lane: Lane, order: Order, accountType: 'EOA' | 'SCA') {
  return transferFrom(await fundedWallet(lane, accountType), lane, order);
}

function transferFrom(wallet: Wallet, lane: Lane, order: Order) {
  const [to, amount] = [newAddress(), amountOf(order)];
  const from = { walletId: wallet.id };
  const body = { from, to, amount, token: 'USDC' };
  return {
    start: () => lane.steadfast.start('transferStablecoin', order.name, body),
    effects: [moved({ from: wallet.address, to, amount })],
    hashes: onlyTxHash,
  };
}

/** A signal reaches the order while its transfer settles, as a webhook would send it. */
async function prepareWoken(lane: Lane, order: Order) {
  const play = await prepareTransfer(lane, order, 'EOA');
  return {
    ...play,
    act: async () => {
      await lane.gate.passed(order.name, isSettling);
      await unlessEnded(handleOf(lane, order).signal('wake', {}));
    },
  };
}

/** The service can still cancel what no block has taken, and no block takes it by itself. */
async function prepareCancelled(lane: Lane, order: Order) {
  const wallet = await fundedWallet(lane, 'EOA');
  await lane.decide(wallet.id, 'stuck');
  return {
    ...transferFrom(wallet, lane, order),
    isCancelled: true,
    act: async () => {
      await lane.gate.passed(order.name, isAccepted);
      await cancel(lane, order);
    },
  };
}

/** The transfer has settled before the cancellation comes: the order ends as completed. */
async function prepareCancelledLate(lane: Lane, order: Order) {
  const play = await prepareTransfer(lane, order, 'EOA');
  return {
    ...play,
    isCancelled: true,
    act: async () => {
      await lane.gate.passed(order.name, isSettling);
      await sleep(settledMs);
      await cancel(lane, order);
    },
  };
}

/** Under one id, so that asking again is asking once. */
function cancel(lane: Lane, order: Order): Promise<void> {
  const handle = handleOf(lane, order);
  const args: [{ reason: string }] = [{ reason: 'swept' }];
  return unlessEnded(handle.executeUpdate('cancel', { args, updateId: 'cancel' }));
}

/** An order that has ended by itself meanwhile needs nothing any more. */
async function unlessEnded(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

function handleOf({ caller }: Lane, { name }: Order): WorkflowHandle {
  return caller.workflow.getHandle(name);
}

async function prepareFunding(lane: Lane, order: Order) {
  const [treasury, [wallet]] = await Promise.all([
    fundedWallet(lane, 'EOA'),
    createWallets(lane, 'SCA'),
  ]);
  const amount = amountOf(order);
  const body = {
    ...{ wallet: { walletId: wallet.id }, source: { walletId: treasury.id } },
    ...{ amount, token: 'USDC' },
  };
  return {
    start: () => lane.steadfast.start('fundWallet', order.name, body),
    effects: [moved({ from: treasury.address, to: wallet.address, amount })],
    hashes: () => [undefined],
  };
}

async function prepareDeployment(lane: Lane, order: Order) {
  const wallet = await fundedWallet(lane, 'EOA');
  const { deployment, effects } = deploymentOf(order);
  const body = { ...deployment, walletId: wallet.id };
  return {
    start: () => lane.steadfast.start('deployContract', order.name, body),
    ...{ effects, hashes: bothHashes },
  };
}

async function prepareDeploymentSequence(lane: Lane, order: Order) {
  const { deployment, effects } = deploymentOf(order);
  return {
    start: () => lane.steadfast.start('deploymentSequence', order.name, deployment),
    ...{ effects, hashes: bothHashes },
  };
}

async function prepareTransferSequence(lane: Lane, order: Order) {
  const amount = amountOf(order);
  const body = { name: order.name, amount, token: 'USDC', source: 'faucet' as const };
  return {
    start: () => lane.steadfast.start('transferSequence', order.name, body),
    effects: [moved({ amount })],
    hashes: onlyTxHash,
    // The faucet takes no key, so it is asked once. When that is lost, the order asks for funds.
    mend: () => fundSender(lane, order),
  };
}

/** Does what the order asks of an operator: sends it the funds that it waits for. */
async function fundSender({ observer, custody }: Lane, { name }: Order): Promise<void> {
  const handle = observer.workflow.getHandle(name);
  const { status, waitingFor } = await handle.query<{ status: string; waitingFor: string }>(
    'progress',
  );
  const [address] = waitingFor.match(/0x[0-9a-fA-F]{40}/) ?? [];
  if (status !== 'Waiting' || address === undefined) return;
  await custody.requestDrip({ address, blockchain, usdc: true, native: true });
}

function deploymentOf({ name, number }: Order) {
  const [to, amount] = [newAddress(), amountOf({ number })];
  const deployment = {
    ...{ name, template: 'fungible', mint: { to, amount } },
    parameters: { name, symbol: 'SWEEP' },
  };
  const value = toBaseUnits(amount, decimals.token);
  const effects: Effect[] = [
    { what: 'deployment', name },
    { what: 'mint', to, value },
  ];
  return { deployment, effects };
}

/** More than one unit, and no two orders have the same: one lost and one paid twice both show. */
function amountOf({ number }: Pick<Order, 'number'>): string {
  return fromBaseUnits(BigInt(1_000_000 + number), decimals.usdc);
}

function moved(transfer: { from?: string; to?: string; amount: string }): Effect {
  const { amount, ...ends } = transfer;
  const lower = Object.entries(ends).map(([end, address]) => [end, address.toLowerCase()]);
  const value = toBaseUnits(amount, decimals.usdc);
  return { what: 'transfer', token: usdc, value, ...Object.fromEntries(lower) };
}

const onlyTxHash: (receipt: { txHash?: string | undefined }) => (string | undefined)[] = ({
  txHash,
}) => [txHash];

function bothHashes(receipt: {
  txHash?: string | undefined;
  supply?: { mintTxHash?: string | undefined } | undefined;
}) {
  return [receipt.txHash, receipt.supply?.mintTxHash];
}

function newAddress(): string {
  return `0x${randomBytes(20).toString('hex')}`;
}

async function createWallets(lane: Lane, accountType: 'EOA' | 'SCA'): Promise<[Wallet]> {
  const { custody } = lane;
  const { walletSet } = await custody.createWalletSet({ idempotencyKey: randomUUID() });
  const { wallets } = await custody.createWallets({
    idempotencyKey: randomUUID(),
    walletSetId: walletSet.id,
    blockchains: [blockchain],
    ...{ count: 1, accountType },
  });
  const [wallet] = wallets;
  if (wallet === undefined) throw new Error('The sandbox created no wallet.');
  return [wallet];
}

async function fundedWallet(lane: Lane, accountType: 'EOA' | 'SCA'): Promise<Wallet> {
  const [wallet] = await createWallets(lane, accountType);
  await lane.custody.requestDrip({ address: wallet.address, blockchain, usdc: true, native: true });
  return wallet;
}
