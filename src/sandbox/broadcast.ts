import { parseTransaction } from 'viem';
import { signBundle, splitIntoBundles } from './chain/bundle';
import { CallRevertedError, InsufficientNativeBalanceError } from './chain/revert';
import { estimateTransaction, type SignedTransaction, signTransaction } from './chain/transaction';
import { type SignedUserOperation, signUserOperation } from './chain/userOperation';
import { feesOf, operationGas, toEstimatedFee } from './fees';
import { accountSalt } from './keys';
import { nextStage } from './lifecycle';
import type { BroadcastRow, TransactionRow, WalletRow } from './records';
import type { Service } from './service';

type Parts = Pick<Service, 'store' | 'chain' | 'keys'>;

/** How many transactions of one EOA may wait for a block (hosted-service facts §4). */
const eoaInFlightMax = 16;
/** The most gas that one transaction may ask for since Osaka (EIP-7825). */
const transactionGasMax = 16_777_216n;

/**
 * A queued transaction with what carries it: a transaction of its own, or an operation in a bundle.
 */
type Ready =
  | { row: TransactionRow; broadcast: BroadcastRow }
  | { row: TransactionRow; operation: SignedUserOperation };

/**
 * Signs what is queued, in the order of each wallet, and stores it: QUEUED to SENT. Nothing has
 * left yet; what is stored is mined with the next block, also after a crash.
 */
export async function broadcastQueued(parts: Parts): Promise<void> {
  const { store } = parts;
  const queues = byWallet(store.transactions.where('stage', 'QUEUED'));
  const ready = (
    await Promise.all([...queues].map(([walletId, rows]) => signQueue(parts, walletId, rows)))
  ).flat();
  const operations = ready.flatMap((one) => ('operation' in one ? [one] : []));
  const bundles = await bundle(parts, operations);
  store.atomically(() => {
    for (const one of ready) {
      if ('broadcast' in one) send(parts, one.row, one.broadcast);
    }
    for (const { rows, broadcast } of bundles) {
      store.broadcasts.insert(broadcast);
      for (const row of rows) sent(parts, row, broadcast.id);
    }
  });
}

function byWallet(rows: TransactionRow[]): Map<string, TransactionRow[]> {
  const queues = new Map<string, TransactionRow[]>();
  for (const row of rows) queues.set(row.walletId, [...(queues.get(row.walletId) ?? []), row]);
  return queues;
}

async function signQueue(parts: Parts, walletId: string, rows: TransactionRow[]): Promise<Ready[]> {
  const wallet = parts.store.wallets.get(walletId);
  if (wallet === undefined) throw new Error(`There is no wallet ${walletId}.`);
  const inFlight = parts.store.broadcasts
    .where('sender', wallet.address)
    .filter(({ status }) => status !== 'done');
  if (wallet.accountType === 'SCA') return signFirstOperation(parts, wallet, rows);
  return signTransactions(parts, { wallet, rows, inFlight });
}

/** A smart account has one operation on its way at a time; the rest waits its turn. */
async function signFirstOperation(
  parts: Parts,
  wallet: WalletRow,
  rows: TransactionRow[],
): Promise<Ready[]> {
  const busy = parts.store.transactions
    .where('walletId', wallet.id)
    .some(({ stage }) => stage === 'SENT');
  const [row] = rows;
  if (busy || row === undefined) return [];
  const { chain, keys } = parts;
  const fees = feesOf(row.feeLevel, chain.baseFeePerGas);
  try {
    const operation = await signUserOperation(chain, {
      owner: keys.owner(wallet),
      salt: accountSalt,
      call: callOf(row),
      fees,
    });
    const gas = operationGas(operation.estimate);
    const estimatedFee = toEstimatedFee(gas, fees, chain.baseFeePerGas);
    return [{ row: { ...row, estimatedFee, userOpHash: operation.userOpHash }, operation }];
  } catch (error) {
    failEstimate(parts, row, error);
    return [];
  }
}

async function signTransactions(
  parts: Parts,
  queue: { wallet: WalletRow; rows: TransactionRow[]; inFlight: BroadcastRow[] },
): Promise<Ready[]> {
  const { chain, keys } = parts;
  const { wallet, rows, inFlight } = queue;
  const account = keys.owner(wallet);
  let nonce = await nextNonce(parts, wallet.address);
  let committed = inFlight.reduce((sum, { costMax }) => sum + BigInt(costMax), 0n);
  const ready: Ready[] = [];
  for (const row of rows.slice(0, eoaInFlightMax - inFlight.length)) {
    const fees = feesOf(row.feeLevel, chain.baseFeePerGas);
    const call = callOf(row);
    try {
      const gas = await estimateTransaction(chain, { from: wallet.address, call, fees });
      requireFit(gas);
      const cost = call.value + gas * fees.maxFeePerGas;
      await requireFunds(parts, { wallet, required: committed + cost });
      const signed = await signTransaction(chain, { account, call, nonce, gas, fees });
      const estimatedFee = toEstimatedFee(gas, fees, chain.baseFeePerGas);
      const broadcast = toBroadcast(signed, { sender: wallet.address, nonce, gas, cost });
      ready.push({ row: { ...row, estimatedFee }, broadcast });
      nonce += 1;
      committed += cost;
    } catch (error) {
      failEstimate(parts, row, error);
    }
  }
  return ready;
}

/** What no block takes would wait for ever, and hold up all that waits behind it. */
function requireFit(gas: bigint): void {
  if (gas <= transactionGasMax) return;
  throw new CallRevertedError({ reason: `The call needs ${gas} gas: too much for a transaction.` });
}

/** What waits for a block already is spent, so that no signed transaction can be refused for it. */
async function requireFunds(
  { chain }: Parts,
  { wallet, required }: { wallet: WalletRow; required: bigint },
): Promise<void> {
  const balance = await chain.client.getBalance({ address: wallet.address });
  if (balance < required) throw new InsufficientNativeBalanceError({ balance, required });
}

async function bundle(
  parts: Parts,
  ready: { row: TransactionRow; operation: SignedUserOperation }[],
): Promise<{ rows: TransactionRow[]; broadcast: BroadcastRow }[]> {
  if (ready.length === 0) return [];
  const { chain } = parts;
  const { address } = chain.operators.bundler;
  const fees = feesOf('HIGH', chain.baseFeePerGas);
  const bundles: { rows: TransactionRow[]; broadcast: BroadcastRow }[] = [];
  let nonce = await nextNonce(parts, address);
  for (const userOperations of splitIntoBundles(ready.map((one) => one.operation.userOperation))) {
    const rows = ready.flatMap(({ row, operation }) =>
      userOperations.includes(operation.userOperation) ? [row] : [],
    );
    try {
      const signed = await signBundle(chain, { userOperations, nonce, fees });
      const { gas = 0n } = parseTransaction(signed.transaction);
      const cost = gas * fees.maxFeePerGas;
      bundles.push({ rows, broadcast: toBroadcast(signed, { sender: address, nonce, gas, cost }) });
      nonce += 1;
    } catch (error) {
      // Signing asks the chain nothing: this is one operation that no transaction can hold.
      const reason = error instanceof Error ? error.message : String(error);
      for (const row of rows) failEstimate(parts, row, new CallRevertedError({ reason }));
    }
  }
  return bundles;
}

export function toBroadcast(
  signed: SignedTransaction,
  facts: { sender: `0x${string}`; nonce: number; gas: bigint; cost: bigint },
): BroadcastRow {
  return {
    id: signed.hash,
    sender: facts.sender,
    nonce: facts.nonce,
    raw: signed.transaction,
    gas: facts.gas.toString(),
    status: 'pending',
    costMax: facts.cost.toString(),
  };
}

/**
 * The nonce after all that is mined or waits to be. Never a sum of the two, since a block may be
 * mined between counting them.
 */
export async function nextNonce(
  { store, chain }: Pick<Service, 'store' | 'chain'>,
  address: `0x${string}`,
): Promise<number> {
  const waiting = store.broadcasts.where('sender', address).filter((row) => row.status !== 'done');
  const mined = await chain.client.getTransactionCount({ address });
  return Math.max(mined, ...waiting.map(({ nonce }) => nonce + 1));
}

function send(parts: Parts, row: TransactionRow, broadcast: BroadcastRow): void {
  parts.store.broadcasts.insert(broadcast);
  sent(parts, row, broadcast.id);
}

function sent(parts: Parts, row: TransactionRow, txHash: string): void {
  const { estimatedFee, userOpHash } = row;
  parts.store.transactions.update(row.id, {
    stage: nextStage(row.stage, 'sent'),
    txHash,
    updatedAtMs: Date.now(),
    ...(estimatedFee === undefined ? {} : { estimatedFee }),
    ...(userOpHash === undefined ? {} : { userOpHash }),
  });
}

function callOf(row: TransactionRow) {
  return { ...row.call, value: BigInt(row.call.value) };
}

/** A transaction that could not succeed is not sent: it fails with the reason of its estimate. */
function failEstimate(parts: Parts, row: TransactionRow, error: unknown): void {
  const failure = estimateFailure(row, error);
  const now = Date.now();
  parts.store.transactions.update(row.id, {
    stage: nextStage(row.stage, 'failed'),
    updatedAtMs: now,
    ...failure,
  });
  if (row.contractId !== undefined) {
    parts.store.contracts.update(row.contractId, {
      status: 'FAILED',
      updatedAtMs: now,
      ...failure,
    });
  }
}

const tooLittleToken = /exceeds balance|ERC20InsufficientBalance/;

function estimateFailure(
  row: TransactionRow,
  error: unknown,
): { errorReason: string; errorDetails: string } {
  if (error instanceof InsufficientNativeBalanceError) {
    return { errorReason: 'INSUFFICIENT_NATIVE_TOKEN', errorDetails: error.message };
  }
  if (!(error instanceof CallRevertedError)) throw error;
  const isShort = row.operation === 'TRANSFER' && tooLittleToken.test(error.reason);
  return {
    errorReason: isShort ? 'INSUFFICIENT_TOKEN' : 'ESTIMATION_ERROR',
    errorDetails: error.reason,
  };
}
