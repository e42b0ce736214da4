import type { Effect } from '../../activities/effect';
import type { Accepted } from '../../activities/transactions';
import type { AbiParameter } from '../../src/custody/endpoints';
import type { FeeLevel } from '../../src/custody/transaction';
import type { Settlement } from '../../src/orders/settlement';
import { writes } from '../custody';
import type { Run } from '../run';
import { settle, type Transacting } from '../settle';
import { finished } from '../show';
import { settled, write } from '../write';

export type Execution = {
  step: string;
  /** The write that it builds upon, where this order has made it. */
  after?: string | undefined;
  doing: string;
  wallet: { walletId: string; address: string };
  call: {
    contractAddress: string;
    abiFunctionSignature: string;
    abiParameters: AbiParameter[];
    /** In the native coin, sent along. */
    amount?: string | undefined;
  };
  feeLevel: FeeLevel;
  /** What the chain must show; any success of the sender unless it says more. */
  effect?: Effect;
  /** What is done once it has settled, before nothing of it counts as under way. */
  afterwards?: () => Promise<void>;
};

/** Calls a function of a contract, and returns once that has settled. */
export async function execute(run: Run, ordered: Execution): Promise<Settlement> {
  const executing = executionStep(run, ordered);
  const accepted = await write(run, executing);
  finished(run, `${executing.doing}: accepted as ${accepted.transactionId}`);
  const settlement = await settle(run, executing, accepted);
  run.carried.made[`${ordered.step}TxHash`] = settlement.txHash;
  await ordered.afterwards?.();
  settled(run, executing);
  return settlement;
}

function executionStep(run: Run, ordered: Execution): Transacting<Accepted> {
  const { step, after, doing, wallet, call, feeLevel } = ordered;
  const { walletId, address } = wallet;
  const { amount, ...expected } = call;
  return {
    ...{ step, item: '1', after, doing },
    send: (identity) =>
      writes(`request the ${doing}`).executeContract({ ...identity, walletId, ...call, feeLevel }),
    find: (service, search) =>
      service.findTransaction({ ...search, walletId, operation: 'CONTRACT_EXECUTION' }),
    expected: { blockchain: run.opened.blockchain, walletId, ...expected },
    sender: address,
    effect: ordered.effect ?? { kind: 'call', from: address },
  };
}
