import { bundleGas } from '../../chain/account/bundle';
import { toStoredOperation } from '../../chain/account/operation';
import { signUserOperation } from '../../chain/account/userOperation';
import { isBlocked } from '../../chain/blocklist';
import { spentBy } from '../../chain/coinTransfer';
import { type Fees, requireBalance, type WalletCall } from '../../chain/estimateCall';
import { createHoldings } from '../../chain/holdings';
import { leastGas, requireFit } from '../../chain/node/gasLimits';
import { estimateTransaction, signTransaction } from '../../chain/transaction';
import { report } from '../../errors/report';
import type { BroadcastRow } from '../../store/records/broadcasts';
import { callOf, type TransactionRow, type WalletRow } from '../../store/records/records';
import type { Acceptances } from '../../store/records/transactionQueries';
import { accountSalt } from '../keys';
import type { EngineParts } from '../parts';
import { move } from '../stage';
import { nextNonce, toBroadcast } from './broadcastRow';
import { estimateFailure } from './estimateFailure';
import { requireUnderCap } from './feeCap';
import { isUnderpriced, offeredFees, operationGas, toEstimatedFee, underpricedFees } from './fees';

type Parts = Pick<EngineParts, 'store' | 'chain' | 'keys' | 'settings'>;

/** A transaction that is signed, and the facts that its record has from that. */
type Signed = { row: TransactionRow; broadcast: BroadcastRow };

/** The signed part of a wallet's queue, and if the rest needs another turn. */
export type SignedQueue = {
  signed: Signed[];
  /** Some failed for good, which leaves room for others, or are on the chain already. */
  again: boolean;
  failed: boolean;
};

/** The number of transactions of one EOA that may wait for a block, as at the hosted service. */
const eoaInFlightMax = 16;

/**
 * Signs what a wallet may send now, oldest first. What could not succeed ends FAILED. At a fault of
 * the sandbox's own the rest stays queued, and no other wallet learns of it.
 */
export async function signQueue(
  parts: Parts,
  { walletId, accepted }: { walletId: string; accepted: Acceptances },
): Promise<SignedQueue> {
  const { store } = parts;
  const signed: Signed[] = [];
  try {
    const wallet = store.wallets.get(walletId);
    if (wallet === undefined) throw new Error('There is no such wallet.');
    const isSca = wallet.accountType === 'SCA';
    const inFlight = store.broadcasts.inFlight(wallet.address);
    // A smart account has one operation on its way at a time.
    const limit = (isSca ? 1 : eoaInFlightMax) - inFlight.length;
    if (limit <= 0) return { signed, again: false, failed: false };
    const queued = store.transactions.oldestOf(walletId, 'QUEUED', { ...accepted, limit });
    const rows = queued.filter((row) => !isResumed(parts, row));
    if (isSca) await signOperation(parts, { wallet, rows }, signed);
    else await signTransactions(parts, { wallet, rows, inFlight }, signed);
    return { signed, again: signed.length < queued.length, failed: false };
  } catch (error) {
    report(`The sandbox could not sign for wallet ${walletId}, and tries again`, error);
    return { signed, again: false, failed: true };
  }
}

/**
 * Lets a queued transaction go on if it is signed already. The control plane may have put it back
 * into the queue. Its outcome is read from the chain again.
 */
function isResumed({ store }: Parts, row: TransactionRow): boolean {
  const broadcast = store.broadcasts.of(row.id);
  if (broadcast === undefined) return false;
  store.atomically(() => {
    move(store, row, { event: 'sent' });
    if (broadcast.status === 'done') store.broadcasts.update(broadcast.id, { status: 'assigned' });
  });
  return true;
}

type Queue = { wallet: WalletRow; rows: readonly TransactionRow[] };

async function signOperation(
  parts: Parts,
  { wallet, rows }: Queue,
  signed: Signed[],
): Promise<void> {
  const { chain, keys } = parts;
  for (const row of rows) {
    const fees = feesFor(parts, row);
    const called = await callFor(parts, wallet, row);
    await orFail(parts, row, async () => {
      const { userOperation, userOpHash } = await signUserOperation(chain, {
        owner: keys.owner(wallet),
        salt: accountSalt,
        isDeployed: wallet.deployed,
        ...called,
        fees,
      });
      const gas = bundleGas([userOperation]);
      requireFit(gas);
      requireUnderCap(parts, operationGas(userOperation), fees);
      const broadcast = toBroadcast({
        transactionId: row.id,
        sender: wallet.address,
        nonce: Number(userOperation.nonce),
        operation: toStoredOperation(userOperation),
        userOpHash,
        gas,
        costMax: 0n,
        status: statusFor(parts, fees),
      });
      const estimatedFee = toEstimatedFee(operationGas(userOperation), fees, chain.baseFeePerGas);
      signed.push({ row: { ...row, estimatedFee, userOpHash }, broadcast });
    });
  }
}

async function signTransactions(
  parts: Parts,
  { wallet, rows, inFlight }: Queue & { inFlight: readonly BroadcastRow[] },
  signed: Signed[],
): Promise<void> {
  const { chain, keys } = parts;
  const { address } = wallet;
  const account = keys.owner(wallet);
  const held = createHoldings(chain, address);
  let nonce = await nextNonce(parts, address);
  // The cost of waiting transactions counts as spent. So no signed transaction lacks the money.
  let committed = inFlight.reduce((sum, { costMax }) => sum + BigInt(costMax), 0n);
  for (const row of rows) {
    const fees = feesFor(parts, row);
    const { call, callGasLimit } = await callFor(parts, wallet, row);
    await orFail(parts, row, async () => {
      const gasLimit = row.gasLimit === undefined ? undefined : BigInt(row.gasLimit);
      const request = { from: address, call, fees, gasLimit, held };
      const gas = callGasLimit ?? (await estimateTransaction(chain, request));
      requireFit(gas);
      requireUnderCap(parts, gas, fees);
      const costMax = spentBy(chain, call) + gas * fees.maxFeePerGas;
      requireBalance({ balance: await held.native(), required: committed + costMax });
      const { transaction: raw, hash: txHash } = await signTransaction(chain, {
        account,
        call,
        nonce,
        gas,
        fees,
      });
      const estimatedFee = toEstimatedFee(gas, fees, chain.baseFeePerGas);
      const transactionId = row.id;
      const status = statusFor(parts, fees);
      const facts = { transactionId, sender: address, nonce, raw, txHash, gas, costMax, status };
      signed.push({ row: { ...row, estimatedFee, txHash }, broadcast: toBroadcast(facts) });
      nonce += 1;
      committed += costMax;
    });
  }
}

function feesFor({ chain }: Parts, row: TransactionRow): Fees {
  if (row.fate === 'stuck') return underpricedFees(chain.baseFeePerGas);
  return offeredFees(row, chain.baseFeePerGas);
}

function statusFor({ chain }: Parts, fees: Fees): BroadcastRow['status'] {
  return isUnderpriced(fees, chain.baseFeePerGas) ? 'underpriced' : 'pending';
}

/** Enough for a call that reverts at once. */
const revertGas = 100_000n;

/** Too little for the call of any account. */
const shortGas = 1_000n;

/**
 * The call of the record. If it is to fail, it gets too little gas, so the chain shows the ordered
 * call. A transfer of the native coin alone would succeed even so. A call that reverts replaces it.
 * The call of an account with a key that may not be run is found out by its estimate.
 */
async function callFor(
  { chain }: Parts,
  { address, accountType }: WalletRow,
  row: TransactionRow,
): Promise<{ call: WalletCall; callGasLimit?: bigint }> {
  const call = callOf(row);
  const isSca = accountType === 'SCA';
  // Arc reverts these inside of the operation. A stock node moves the native coin for everybody.
  const isRefused = isSca && call.value > 0n && (await isBlocked(chain, [address, call.to]));
  if (row.fate !== 'failOnChain' && !isRefused) return { call };
  if (isSca) return { call, callGasLimit: shortGas };
  if (call.data !== '0x') return { call, callGasLimit: leastGas(call.data) };
  // The entry point has no function of this name, and nothing to fall back on.
  const reverting: WalletCall = { to: chain.contracts.entryPoint, value: 0n, data: '0xffffffff' };
  return { call: reverting, callGasLimit: revertGas };
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
    store.atomically(() => {
      // It may have been cancelled in the meantime.
      const now = store.transactions.get(row.id);
      if (now?.stage === 'QUEUED') move(store, now, { event: 'failed', ...failure });
    });
  }
}
