import { parseTransaction } from 'viem';
import { bundleGas } from '../../chain/account/bundle';
import { fromStoredOperation, toStoredOperation } from '../../chain/account/operation';
import { replaceUserOperation } from '../../chain/account/userOperation';
import { spentBy } from '../../chain/coinTransfer';
import { requireBalance } from '../../chain/estimateCall';
import { InsufficientNativeBalanceError } from '../../chain/revert';
import { signTransaction } from '../../chain/transaction';
import { report } from '../../errors/report';
import type { BroadcastRow } from '../../store/records/broadcasts';
import type { TransactionRow, WalletRow } from '../../store/records/records';
import { stageAfter } from '../lifecycle';
import type { EngineParts } from '../parts';
import { setStage } from '../stage';
import { offeredBy } from './broadcastRow';
import { isUnderpriced, operationGas, replacementFees, toEstimatedFee } from './fees';

type Parts = Pick<EngineParts, 'store' | 'chain' | 'keys'>;

/** The new holder of a nonce, and the fields for the record unless it is being cancelled. */
type Replacement = { broadcast: Partial<BroadcastRow>; record: Partial<TransactionRow> };
type Wanted = { broadcast: BroadcastRow; wallet: WalletRow };

/** A plain transfer, which is what an EOA fills a nonce with. */
const emptyTransferGas = 21_000n;

/**
 * Signs what was asked for in the place of signed transactions, and stores it: the same again with
 * a higher fee, or nothing at all. False where one could not be signed and has to be tried again.
 */
export async function replaceWanted(parts: Parts): Promise<boolean> {
  let done = true;
  for (const broadcast of parts.store.broadcasts.where('status', 'replacing')) {
    try {
      await replace(parts, broadcast);
    } catch (error) {
      done = false;
      report(`The sandbox could not replace a transaction of ${broadcast.sender}`, error);
    }
  }
  return done;
}

async function replace(parts: Parts, broadcast: BroadcastRow): Promise<void> {
  const { store } = parts;
  const row = store.transactions.get(broadcast.transactionId ?? '');
  const wallet = store.wallets.get(row?.walletId ?? '');
  if (row === undefined || wallet === undefined) throw new Error('It belongs to no wallet.');
  const replacement = await sign(parts, { broadcast, wallet }).catch((error: unknown) => {
    if (error instanceof InsufficientNativeBalanceError) return keep(parts, broadcast);
    throw error;
  });
  if (replacement === undefined) return;
  store.atomically(() => {
    const now = store.transactions.get(row.id) ?? row;
    const { status, wanted } = store.broadcasts.get(broadcast.id) ?? {};
    // Asked for something else in the meantime: that is signed with the next turn.
    if (status !== 'replacing' || wanted !== broadcast.wanted) return;
    store.broadcasts.update(broadcast.id, replacement.broadcast);
    if (replacement.broadcast.purpose !== 'carryOut') return;
    const stage = stageAfter(now.stage, 'accelerated') ?? now.stage;
    setStage(store, now, { ...replacement.record, stage });
  });
}

/**
 * A wallet that cannot pay for a replacement keeps what it has signed. Where no block takes that,
 * what is wanted waits for a block that brings the wallet enough.
 */
function keep({ chain }: Parts, broadcast: BroadcastRow): Replacement | undefined {
  if (isUnderpriced(offeredBy(broadcast), chain.baseFeePerGas)) return undefined;
  return { broadcast: { status: 'pending', wanted: undefined }, record: {} };
}

async function sign(parts: Parts, wanted: Wanted): Promise<Replacement> {
  const purpose = wanted.broadcast.wanted ?? 'carryOut';
  const { broadcast, record } =
    wanted.broadcast.operation === undefined
      ? await signTransactionAgain(parts, wanted)
      : await signOperationAgain(parts, wanted);
  // Due when the first was. Otherwise a replacement after another would hold up the block.
  return { broadcast: { ...broadcast, purpose, status: 'pending', wanted: undefined }, record };
}

async function signOperationAgain(
  { chain, keys }: Parts,
  { broadcast, wallet }: Wanted,
): Promise<Replacement> {
  const { operation: stored, wanted } = broadcast;
  if (stored === undefined) throw new Error('It is no operation.');
  const replaced = fromStoredOperation(stored);
  const fees = replacementFees(replaced, chain.baseFeePerGas);
  const { userOperation, userOpHash } = await replaceUserOperation(chain, {
    owner: keys.owner(wallet),
    operation: replaced,
    // An operation without a call takes the nonce and does nothing.
    changes: wanted === 'cancel' ? { ...fees, callData: '0x' } : fees,
  });
  const gas = bundleGas([userOperation]).toString();
  const estimatedFee = toEstimatedFee(operationGas(userOperation), fees, chain.baseFeePerGas);
  return {
    broadcast: { operation: toStoredOperation(userOperation), userOpHash, gas },
    record: { estimatedFee, userOpHash },
  };
}

async function signTransactionAgain(
  { store, chain, keys }: Parts,
  { broadcast, wallet }: Wanted,
): Promise<Replacement> {
  const { raw = '0x', sender, nonce, wanted } = broadcast;
  const replaced = parseTransaction(raw);
  const fees = replacementFees(offeredBy(broadcast), chain.baseFeePerGas);
  const { to, value = 0n, data = '0x', gas: sameGas = 0n } = replaced;
  if (!to) throw new Error('It creates a contract, which no transaction of the sandbox does.');
  const isCancel = wanted === 'cancel';
  const call = isCancel ? { to: sender, value: 0n, data: '0x' as const } : { to, value, data };
  const gas = isCancel ? emptyTransferGas : sameGas;
  const costMax = spentBy(chain, call) + gas * fees.maxFeePerGas;
  const others = store.broadcasts
    .inFlight(sender)
    .filter(({ id }) => id !== broadcast.id)
    .reduce((sum, other) => sum + BigInt(other.costMax), 0n);
  const balance = await chain.client.getBalance({ address: sender });
  requireBalance({ balance, required: others + costMax });
  const account = keys.owner(wallet);
  const signed = await signTransaction(chain, { account, call, nonce, gas, fees });
  return {
    broadcast: {
      raw: signed.transaction,
      txHash: signed.hash,
      gas: gas.toString(),
      costMax: costMax.toString(),
    },
    record: { estimatedFee: toEstimatedFee(gas, fees, chain.baseFeePerGas), txHash: signed.hash },
  };
}
