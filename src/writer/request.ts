import type { CustodyApi } from '../custody/endpoints';
import { isDecimal, toBaseUnits } from '../custody/objects/amount';
import type { Transaction } from '../custody/objects/transaction';
import { readReference } from '../custody/reference';
import { NotUnderstood, type PayingWallet } from './call/effects';
import type { JudgedCall } from './call/shapes';
import { type Limit, type Policy, policyDecimals } from './file/policy';
import type { Ledger } from './ledger/ledger';
import type { WalletBook } from './wallets';

/** A cancellation or an acceleration as a reservation: it costs a fee, and moves nothing. */
export type Request = {
  wallet: PayingWallet;
  effects: [];
  limits: readonly Limit[];
  fee: bigint;
};

/** The largest fee that the service lets a transaction cost, in the native coin. */
const feeCap = 10n ** BigInt(policyDecimals);

/**
 * Reads the transaction that a cancellation or an acceleration is about. It must be one of this
 * ledger, and not anybody's. Returns undefined for all other calls.
 */
export function readTarget(
  custody: CustodyApi,
  { policy, ledger, book }: { policy: Policy; ledger: Ledger; book: WalletBook },
): (call: JudgedCall) => Promise<Request | undefined> {
  return async (call) => {
    if (call.method !== 'cancelTransaction' && call.method !== 'accelerateTransaction') {
      return undefined;
    }
    const { transaction } = await custody.getTransaction({ id: call.input.id });
    const { id } = transaction;
    const reference = (await ledger.ownOf([id])).get(id) ?? readReference(transaction.refId);
    const known = reference === undefined ? undefined : await ledger.known(reference);
    // A record may show a copied reference.
    const isOwn =
      known?.state !== 'burnt' && (known?.transactionId ?? transaction.id) === transaction.id;
    if (known === undefined || !isOwn || transaction.walletId === undefined) {
      throw new NotUnderstood(`${call.input.id} is not a transaction of this writer.`);
    }
    const wallet = await book.byId(transaction.walletId);
    const limits = policy.limits.filter(({ wallets }) =>
      [wallet.id, wallet.address].some((name) => wallets.has(name)),
    );
    return { wallet, effects: [], limits, fee: feeOf(transaction) };
  };
}

/** A replacement pays more than the transaction that it replaces, at most twice as much. */
function feeOf({ estimatedFee }: Transaction): bigint {
  const fee = estimatedFee?.networkFee ?? '';
  if (!isDecimal(fee)) return feeCap;
  return 2n * toBaseUnits(fee, policyDecimals);
}
