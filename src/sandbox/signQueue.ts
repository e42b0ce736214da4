import { nextNonce, toBroadcast } from './broadcastRow';
import { bundleGas } from './chain/bundle';
import { GasLimitExceededError, GasLimitTooLowError, requireFit } from './chain/gasLimits';
import { CallRevertedError, InsufficientNativeBalanceError } from './chain/revert';
import { estimateTransaction, signTransaction } from './chain/transaction';
import { type SignedUserOperation, signUserOperation } from './chain/userOperation';
import { type Failure, failTransaction } from './failTransaction';
import { offeredFees, operationGas, toEstimatedFee } from './fees';
import { accountSalt } from './keys';
import { type BroadcastRow, callOf, type TransactionRow, type WalletRow } from './records';
import { report } from './report';
import type { Service } from './service';

type Parts = Pick<Service, 'store' | 'chain' | 'keys'>;

/** What one wallet has queued, oldest first. */
export type Queue = { walletId: string; rows: TransactionRow[] };

/** A queued transaction that is signed: one of its own, or an operation that wants a bundle. */
export type ReadyTransaction = { row: TransactionRow; broadcast: BroadcastRow };
export type ReadyOperation = { row: TransactionRow; operation: SignedUserOperation };
export type Ready = { transactions: ReadyTransaction[]; operations: ReadyOperation[] };

/** How many transactions of one EOA may wait for a block (hosted-service facts §4). */
const eoaInFlightMax = 16;

/**
 * Signs what a wallet may send now. What could not succeed ends FAILED; at a fault of the sandbox's
 * own the rest stays queued, and no other wallet learns of it.
 */
export async function signQueue(parts: Parts, { walletId, rows }: Queue): Promise<Ready> {
  const ready: Ready = { transactions: [], operations: [] };
  try {
    const wallet = parts.store.wallets.get(walletId);
    if (wallet === undefined) throw new Error('There is no such wallet.');
    const sign = wallet.accountType === 'SCA' ? signFirstOperation : signTransactions;
    await sign(parts, { wallet, rows }, ready);
  } catch (error) {
    report(`The sandbox could not sign for wallet ${walletId}, and tries again`, error);
  }
  return ready;
}

type WalletQueue = { wallet: WalletRow; rows: TransactionRow[] };

/** A smart account has one operation on its way at a time; the rest waits its turn. */
async function signFirstOperation(
  parts: Parts,
  { wallet, rows }: WalletQueue,
  ready: Ready,
): Promise<void> {
  const { store, chain, keys } = parts;
  const [row] = rows;
  const busy = store.transactions
    .where('walletId', wallet.id)
    .some(({ stage }) => stage === 'SENT');
  if (busy || row === undefined) return;
  const fees = offeredFees(row, chain.baseFeePerGas);
  await orFail(parts, row, async () => {
    const operation = await signUserOperation(chain, {
      owner: keys.owner(wallet),
      salt: accountSalt,
      call: callOf(row),
      fees,
    });
    requireFit(bundleGas([operation.userOperation]));
    const gas = operationGas(operation.estimate);
    const estimatedFee = toEstimatedFee(gas, fees, chain.baseFeePerGas);
    const { userOpHash } = operation;
    ready.operations.push({ row: { ...row, estimatedFee, userOpHash }, operation });
  });
}

async function signTransactions(
  parts: Parts,
  { wallet, rows }: WalletQueue,
  ready: Ready,
): Promise<void> {
  const { store, chain, keys } = parts;
  const { address } = wallet;
  const inFlight = store.broadcasts
    .where('sender', address)
    .filter(({ status }) => status !== 'done');
  const account = keys.owner(wallet);
  let nonce = await nextNonce(parts, address);
  // What waits for a block is spent already, so that no signed transaction can be refused for it.
  let committed = inFlight.reduce((sum, { costMax }) => sum + BigInt(costMax), 0n);
  for (const row of rows.slice(0, eoaInFlightMax - inFlight.length)) {
    const fees = offeredFees(row, chain.baseFeePerGas);
    const call = callOf(row);
    await orFail(parts, row, async () => {
      const gas = await estimateTransaction(chain, {
        ...{ from: address, call, fees },
        gasLimit: row.gasLimit === undefined ? undefined : BigInt(row.gasLimit),
      });
      requireFit(gas);
      const cost = call.value + gas * fees.maxFeePerGas;
      await requireFunds(parts, { wallet, required: committed + cost });
      const signed = await signTransaction(chain, { account, call, nonce, gas, fees });
      const estimatedFee = toEstimatedFee(gas, fees, chain.baseFeePerGas);
      const broadcast = toBroadcast(signed, { sender: address, nonce, gas, cost });
      ready.transactions.push({ row: { ...row, estimatedFee }, broadcast });
      nonce += 1;
      committed += cost;
    });
  }
}

async function requireFunds(
  { chain }: Parts,
  { wallet, required }: { wallet: WalletRow; required: bigint },
): Promise<void> {
  const balance = await chain.client.getBalance({ address: wallet.address });
  if (balance < required) throw new InsufficientNativeBalanceError({ balance, required });
}

/** A transaction that could not succeed is not sent: it fails with the reason of its estimate. */
async function orFail(
  { store }: Parts,
  row: TransactionRow,
  sign: () => Promise<void>,
): Promise<void> {
  try {
    await sign();
  } catch (error) {
    const failure = estimateFailure(row, error);
    if (failure === undefined) throw error;
    store.atomically(() => failTransaction(store, row, failure));
  }
}

const tooLittleToken = /exceeds balance|ERC20InsufficientBalance/;

/** What the chain has against the transaction; undefined when that is not what went wrong. */
function estimateFailure(row: TransactionRow, error: unknown): Failure | undefined {
  if (error instanceof InsufficientNativeBalanceError) {
    return { errorReason: 'INSUFFICIENT_NATIVE_TOKEN', errorDetails: error.message };
  }
  if (error instanceof GasLimitTooLowError) {
    return { errorReason: 'GAS_LIMIT_TOO_LOW', errorDetails: error.message };
  }
  if (error instanceof GasLimitExceededError) {
    return { errorReason: 'ESTIMATION_ERROR', errorDetails: error.message };
  }
  if (!(error instanceof CallRevertedError)) return undefined;
  const isShort = row.operation === 'TRANSFER' && tooLittleToken.test(error.reason);
  return {
    errorReason: isShort ? 'INSUFFICIENT_TOKEN' : 'ESTIMATION_ERROR',
    errorDetails: error.reason,
  };
}
