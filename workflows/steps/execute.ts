import type { Accepted } from '../../activities/transactions';
import type { Effect } from '../../src/chain/effect';
import { coinDecimals, toBaseUnits } from '../../src/custody/objects/amount';
import type { FeeLevel } from '../../src/custody/objects/transaction';
import type { ContractCall, ResolvedWallet } from '../../src/orders/kind';
import { sends } from '../order/activities';
import type { LiveOrder } from '../order/liveOrder';
import type { Transacting } from '../write/step';
import { transact } from './transact';

type Execution = {
  step: string;
  doing: string;
  wallet: ResolvedWallet;
  call: ContractCall;
  feeLevel: FeeLevel;
  /** The effect that the chain must show. Without it, any success of the sender is enough. */
  effect?: Effect;
  /** Runs after it has settled, while it still counts as pending. */
  afterwards?: () => Promise<void>;
};

/** Calls a function of a contract, and returns once that has settled. */
export async function execute(live: LiveOrder, ordered: Execution) {
  return transact(live, executionStep(live, ordered), ordered.afterwards);
}

function executionStep(live: LiveOrder, ordered: Execution): Transacting<Accepted> {
  const { step, doing, wallet, call, feeLevel } = ordered;
  const { walletId, address } = wallet;
  const { amount, ...expected } = call;
  const value = amount ?? '0';
  const { contractAddress, abiFunctionSignature, abiParameters } = call;
  const called = { contractAddress, abiFunctionSignature, abiParameters };
  const input = { walletId, ...expected, ...(amount === undefined ? {} : { amount }), feeLevel };
  return {
    step,
    item: '1',
    doing,
    send: (identity) => sends(`request the ${doing}`).executeContract({ ...identity, input }),
    find: (service, search) => service.findTransaction(search),
    expected: { blockchain: live.opened.blockchain, walletId, ...expected, value },
    sender: address,
    isSmart: wallet.accountType === 'SCA',
    effect: ordered.effect ?? {
      kind: 'call',
      from: address,
      baseUnits: toBaseUnits(value, coinDecimals).toString(),
      of: called,
    },
  };
}
