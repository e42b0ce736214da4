import {
  type BatchedPayment,
  batchCall,
  batchStep,
  itemOfBatch,
  markOf,
} from '../../../../src/custody/batch';
import type { CustodyApi } from '../../../../src/custody/endpoints';
import type { KeyParts } from '../../../../src/custody/idempotencyKey';
import { toBaseUnits } from '../../../../src/custody/objects/amount';
import type { Authority } from '../../../../src/orders/input/signed';
import type { ReadLine } from '../../../../src/orders/payout';
import { usdc } from '../../../support/sandbox';
import { asOf } from '../../writer';
import type { SignedPayout } from '../signedLines';

/** The payment of a line in a batch, with the mark of an attempt at it. */
export function paymentOf(
  { workflowId }: Pick<SignedPayout, 'workflowId'>,
  { lineId, to, amount }: ReadLine,
  generation = 0,
): BatchedPayment {
  const baseUnits = toBaseUnits(amount, 6).toString();
  return { to, baseUnits, mark: markOf(workflowId, lineId, generation) };
}

export type SentBatch = {
  payments: readonly BatchedPayment[];
  authority: Authority;
  /** Changes of the call, and of the parts of its key. */
  fields?: object;
  parts?: Partial<KeyParts>;
};

/** Sends a batch as the activity of its shard does. */
export function sendBatch(api: CustodyApi, { workflowId, wallet }: SignedPayout, sent: SentBatch) {
  const { payments, authority, fields = {}, parts = {} } = sent;
  const batch = { walletId: wallet.id, tokenAddress: usdc, payments };
  const own = { workflowId, step: batchStep, item: itemOfBatch(batch), generation: 0, ...parts };
  const { identity, how } = asOf(own);
  const call = batchCall(wallet, batch, { mayFail: true });
  const input = { ...identity, walletId: wallet.id, ...call, gasLimit: '1000000', ...fields };
  return api.executeContract(input as never, { ...how, authority });
}
