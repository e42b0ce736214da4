import type { ResolvedToken, ResolvedWallet } from '../../activities/resolve';
import type { Accepted } from '../../activities/transactions';
import { toBaseUnits } from '../../src/custody/amount';
import type { FeeLevel } from '../../src/custody/transaction';
import { transferOf } from '../../src/orders/doing';
import type { TransferReceipt } from '../../src/orders/transfer';
import { writes } from '../custody';
import type { Run } from '../run';
import { settle, type Transacting } from '../settle';
import { finished } from '../show';
import { lookBefore, settled, write } from '../write';

export type Transfer = {
  /** Names the write: a workflow that transfers twice has two steps. */
  step: string;
  /** Which of several of one step; the first, unless there are. */
  item?: string;
  /** In words, where it is more than a transfer. */
  doing?: string;
  from: Pick<ResolvedWallet, 'walletId' | 'address'>;
  to: string;
  token: ResolvedToken;
  amount: string;
  feeLevel: FeeLevel;
  /** The write that made the wallet, where this order has made it. */
  after?: string | undefined;
  /** What is done once it has settled, before nothing of it counts as under way. */
  afterwards?: () => Promise<void>;
};

/** Sends an amount of a token to an address, and returns once it has settled. */
export async function transfer(run: Run, ordered: Transfer): Promise<TransferReceipt> {
  const { step, from, to, token, amount } = ordered;
  const sending = transferStep(run, ordered);
  const accepted = await write(run, sending);
  finished(run, `${sending.doing}: accepted as ${accepted.transactionId}`);
  const settlement = await settle(run, sending, accepted);
  run.carried.made[`${step}TxHash`] = settlement.txHash;
  await ordered.afterwards?.();
  settled(run, sending);
  return { ...settlement, from: from.address, to, amount, token: token.name };
}

/** Whether the service has taken this very transfer before; looked up once, or anew. */
export async function hasBeenSent(
  run: Run,
  ordered: Transfer,
  options: { isFresh?: boolean } = {},
): Promise<boolean> {
  return (await lookBefore(run, transferStep(run, ordered), options)) !== undefined;
}

/** Where it is sent. */
type Place = { opened: Pick<Run['opened'], 'blockchain' | 'nativeTwins'> };

/** A transfer as a write. */
export function transferStep({ opened }: Place, ordered: Transfer): Transacting<Accepted> {
  const { step, item = '1', after, from, to, token, amount, feeLevel } = ordered;
  const { blockchain, nativeTwins } = opened;
  const { doing = transferOf(amount, token.name, to) } = ordered;
  const baseUnits = toBaseUnits(amount, token.decimals).toString();
  const way = { from: from.address, to };
  return {
    step,
    item,
    after,
    doing,
    send: (identity) =>
      writes(`request the ${doing}`).createTransfer({
        ...identity,
        walletAddress: from.address,
        blockchain,
        tokenAddress: token.address,
        destinationAddress: to,
        amount,
        feeLevel,
      }),
    find: (service, search) =>
      service.findTransaction({
        ...search,
        walletId: from.walletId,
        destinationAddress: to,
        operation: 'TRANSFER',
      }),
    expected: {
      blockchain,
      walletId: from.walletId,
      sourceAddress: from.address,
      destinationAddress: to,
      token,
      amount,
    },
    sender: from.address,
    effect: { kind: 'transfer', tokenAddress: token.address, ...way, baseUnits, nativeTwins },
  };
}
