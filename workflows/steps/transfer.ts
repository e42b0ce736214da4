import type { Accepted } from '../../activities/transactions';
import { toBaseUnits } from '../../src/custody/objects/amount';
import type { FeeLevel } from '../../src/custody/objects/transaction';
import type { ResolvedToken, ResolvedWallet } from '../../src/orders/kind';
import { transferOf } from '../../src/orders/progress/doing';
import type { TransferReceipt } from '../../src/orders/transfer';
import { sends } from '../order/activities';
import type { LiveOrder } from '../order/liveOrder';
import type { Transacting } from '../write/step';
import { lookBefore } from '../write/write';
import { transact } from './transact';

type Transfer = {
  /** The write's name. A workflow with two transfers has two steps. */
  step: string;
  /** The item within a step. `1` unless given. */
  item?: string;
  /** Words for more than a plain transfer. */
  doing?: string;
  from: ResolvedWallet;
  to: string;
  token: ResolvedToken;
  amount: string;
  feeLevel: FeeLevel;
  /** Runs after it has settled, while it still counts as pending. */
  afterwards?: () => Promise<void>;
};

/** Sends an amount of a token to an address, and returns once it has settled. */
export async function transfer(live: LiveOrder, ordered: Transfer): Promise<TransferReceipt> {
  const { from, to, token, amount, afterwards } = ordered;
  const settlement = await transact(live, transferStep(live, ordered), afterwards);
  return { ...settlement, from: from.address, to, amount, token: token.name };
}

/**
 * True if the service has accepted this transfer before. Looked up once, unless a fresh look-up is
 * asked for.
 */
export async function hasBeenSent(
  live: LiveOrder,
  ordered: Transfer,
  options: { isFresh?: boolean } = {},
): Promise<boolean> {
  return (await lookBefore(live, transferStep(live, ordered), options)) !== undefined;
}

/** The chain of a transfer. */
type Place = { opened: Pick<LiveOrder['opened'], 'blockchain'> };

/** A transfer as the service is asked for it. */
export function transferInput(
  { opened }: Place,
  {
    from,
    to,
    token,
    amount,
    feeLevel,
  }: Pick<Transfer, 'from' | 'to' | 'token' | 'amount' | 'feeLevel'>,
) {
  return {
    blockchain: opened.blockchain,
    destinationAddress: to,
    walletAddress: from.address,
    tokenAddress: token.address,
    amounts: [amount],
    feeLevel,
  };
}

/** A transfer as a write. */
export function transferStep({ opened }: Place, ordered: Transfer): Transacting<Accepted> {
  const { step, item = '1', from, to, token, amount } = ordered;
  const { doing = transferOf(amount, token.name, to) } = ordered;
  const tokenAddress = token.address;
  const baseUnits = toBaseUnits(amount, token.decimals).toString();
  const input = transferInput({ opened }, ordered);
  const { blockchain, destinationAddress } = input;
  return {
    step,
    item,
    doing,
    send: (identity) => sends(`request the ${doing}`).createTransfer({ ...identity, input }),
    find: (service, search) => service.findTransaction(search),
    expected: {
      blockchain,
      destinationAddress,
      walletId: from.walletId,
      sourceAddress: from.address,
      token,
      amount,
    },
    sender: from.address,
    isSmart: from.accountType === 'SCA',
    effect: { kind: 'transfer', tokenAddress, from: from.address, to, baseUnits, blockchain },
  };
}
