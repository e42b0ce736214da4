import type { ResolvedToken, ResolvedWallet } from '../../activities/resolve';
import type { FeeLevel } from '../../src/custody/transaction';
import type { TransferReceipt } from '../../src/orders/transfer';
import { writes } from '../custody';
import type { Run } from '../run';
import { settle } from '../settle';
import { finished } from '../show';
import { settled, write } from '../write';

export type Transfer = {
  /** Names the write: a workflow that transfers twice has two steps. */
  step: string;
  from: Pick<ResolvedWallet, 'walletId' | 'address'>;
  to: string;
  token: ResolvedToken;
  amount: string;
  feeLevel: FeeLevel;
};

/** Sends an amount of a token to an address, and returns once it has settled. */
export async function transfer(run: Run, ordered: Transfer): Promise<TransferReceipt> {
  const { step, from, to, token, amount, feeLevel } = ordered;
  const { blockchain } = run.opened;
  const doing = `transfer of ${amount} ${token.name} to ${to}`;
  const sending = { step, item: '1', doing };
  const accepted = await write(run, sending, (identity) =>
    writes(`request the ${doing}`).createTransfer({
      ...identity,
      walletAddress: from.address,
      blockchain,
      tokenAddress: token.address,
      destinationAddress: to,
      amount,
      feeLevel,
    }),
  );
  finished(run, `${doing}: accepted as ${accepted.transactionId}`);
  const expected = {
    blockchain,
    walletId: from.walletId,
    sourceAddress: from.address,
    destinationAddress: to,
    token,
    amount,
  };
  const settlement = await settle(run, { doing, accepted, expected });
  settled(run, sending);
  run.carried.made[`${step}TxHash`] = settlement.txHash;
  return { ...settlement, from: from.address, to, amount, token: token.name };
}
