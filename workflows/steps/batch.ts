import type { Accepted } from '../../activities/transactions';
import { type BatchedPayment, batchCall, batchStep, isAtomic } from '../../src/custody/batch';
import type { FeeLevel } from '../../src/custody/objects/transaction';
import type { ResolvedToken, ResolvedWallet } from '../../src/orders/kind';
import { counted } from '../../src/orders/progress/doing';
import { sends } from '../order/activities';
import type { Transacting } from '../write/step';

type Batch = {
  item: string;
  wallet: ResolvedWallet;
  token: ResolvedToken;
  payments: readonly BatchedPayment[];
  feeLevel: FeeLevel;
  /** Set for an account with a key. Payments that may fail alone must not lack gas. */
  gasLimit?: string | undefined;
  /** False for a batch that others have put together: this order does not know all of its lines. */
  isOwn: boolean;
};

/** Many payments of one token as one write. */
export function batchPaymentStep(blockchain: string, batch: Batch): Transacting<Accepted> {
  const { item, wallet, token, payments, feeLevel, gasLimit, isOwn } = batch;
  const { walletId, address: from } = wallet;
  const paid = { tokenAddress: token.address, payments };
  const call = batchCall(wallet, paid, { mayFail: true });
  const { abiParameters, ...place } = call;
  const doing = `payment of ${counted(payments.length, 'line')} in ${token.name}`;
  const input = { walletId, ...call, feeLevel, ...(gasLimit === undefined ? {} : { gasLimit }) };
  return {
    step: batchStep,
    item,
    doing,
    send: (identity) => sends(`request the ${doing}`).executeContract({ ...identity, input }),
    find: (service, search) => service.findTransaction(search),
    expected: { blockchain, walletId, ...place, ...(isOwn ? { abiParameters } : {}) },
    sender: from,
    isSmart: wallet.accountType === 'SCA',
    effect: {
      kind: 'batch',
      tokenAddress: token.address,
      from,
      payments: payments.map(({ to, baseUnits, mark }) => ({ to, baseUnits, mark })),
      isWhole: isAtomic(wallet, payments),
      isSmart: wallet.accountType === 'SCA',
    },
  };
}
