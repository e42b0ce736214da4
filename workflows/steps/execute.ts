import type { Effect } from '../../activities/chain/effect';
import type { Accepted } from '../../activities/transactions';
import type { AbiParameter } from '../../src/custody/endpoints';
import type { FeeLevel } from '../../src/custody/objects/transaction';
import type { Settlement } from '../../src/orders/input/settlement';
import { writes } from '../order/custody';
import type { LiveOrder } from '../order/liveOrder';
import { finished } from '../order/show';
import { settled } from '../write/happened';
import { settle } from '../write/settle';
import type { Transacting } from '../write/step';
import { write } from '../write/write';

export type Execution = {
  step: string;
  doing: string;
  wallet: { walletId: string; address: string };
  call: {
    contractAddress: string;
    abiFunctionSignature: string;
    abiParameters: AbiParameter[];
    /** Native coin that is sent along. */
    amount?: string | undefined;
  };
  feeLevel: FeeLevel;
  /** The effect that the chain must show. Without it, any success of the sender is enough. */
  effect?: Effect;
  /** Runs after it has settled, while it still counts as pending. */
  afterwards?: () => Promise<void>;
};

/** Calls a function of a contract, and returns once that has settled. */
export async function execute(live: LiveOrder, ordered: Execution): Promise<Settlement> {
  const executing = executionStep(live, ordered);
  const accepted = await write(live, executing);
  finished(live, `${executing.doing}: accepted as ${accepted.transactionId}`);
  const settlement = await settle(live, executing, accepted);
  live.carried.made[`${ordered.step}TxHash`] = settlement.txHash;
  await ordered.afterwards?.();
  settled(live, executing);
  return settlement;
}

function executionStep(live: LiveOrder, ordered: Execution): Transacting<Accepted> {
  const { step, doing, wallet, call, feeLevel } = ordered;
  const { walletId, address } = wallet;
  const { amount, ...expected } = call;
  return {
    step,
    item: '1',
    doing,
    send: (identity) =>
      writes(`request the ${doing}`).executeContract({ ...identity, walletId, ...call, feeLevel }),
    find: (service, search) => service.findTransaction(search),
    expected: { blockchain: live.opened.blockchain, walletId, ...expected },
    sender: address,
    effect: ordered.effect ?? { kind: 'call', from: address },
  };
}
