import { type Hex, keccak256 } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { blockedWords, isBlocked } from './blocklist';
import type { Chain } from './chain';
import { gasOfCall, spentBy } from './coinTransfer';
import { estimateCall, type Fees, requireBalance, type WalletCall } from './estimateCall';
import { createHoldings, type Holdings } from './holdings';
import { GasLimitTooLowError } from './node/gasLimits';
import { CallRevertedError } from './revert';

/** Signed and ready to be mined. */
export type SignedTransaction = { transaction: Hex; hash: Hex };

/**
 * Gas limit for the call of an EOA wallet. With fees, its balance has to cover those too. A given
 * limit is kept, if the call can do with it.
 */
export async function estimateTransaction(
  chain: Pick<Chain, 'ask' | 'client' | 'contracts' | 'readNumber'>,
  options: {
    from: LocalAccount['address'];
    call: WalletCall;
    fees?: Fees;
    gasLimit?: bigint | undefined;
    held?: Holdings;
  },
): Promise<bigint> {
  const { from, call, held = createHoldings(chain, from) } = options;
  const [gas] = await Promise.all([
    options.gasLimit === undefined
      ? gasOfCall(chain, { from, call, held })
      : estimateCall(chain, { from, call }),
    requireUnblocked(chain, { call, held }),
  ]);
  if (options.gasLimit !== undefined && options.gasLimit < gas) {
    throw new GasLimitTooLowError({ gasLimit: options.gasLimit, needed: gas });
  }
  const gasLimit = options.gasLimit ?? withMargin(gas);
  if (options.fees) {
    const required = spentBy(chain, call) + gasLimit * options.fees.maxFeePerGas;
    requireBalance({ balance: await held.native(), required });
  }
  return gasLimit;
}

/**
 * Throws for a transaction of a blocked account, and for one that pays a blocked account in native
 * coins. Arc does not run them. A stock node would.
 */
async function requireUnblocked(
  chain: Pick<Chain, 'contracts' | 'readNumber'>,
  { call, held }: { call: WalletCall; held: Holdings },
): Promise<void> {
  const isRefused =
    (await held.isBlocked()) || (call.value > 0n && (await isBlocked(chain, [call.to])));
  if (isRefused) throw new CallRevertedError({ reason: blockedWords });
}

/** The gas of a transaction that runs no code, which no state can change. */
const plainGas = 21_000n;

/** A fifth more: the state may differ a little when the transaction is mined. */
function withMargin(gas: bigint): bigint {
  return gas === plainGas ? gas : gas + gas / 5n;
}

/** Signs the call of an EOA wallet. Asks the chain nothing. */
export async function signTransaction(
  chain: Pick<Chain, 'chainId'>,
  options: { account: LocalAccount; call: WalletCall; nonce: number; gas: bigint; fees: Fees },
): Promise<SignedTransaction> {
  const { account, call, nonce, gas, fees } = options;
  const transaction = await account.signTransaction({
    type: 'eip1559',
    chainId: chain.chainId,
    nonce,
    gas,
    ...fees,
    ...call,
  });
  return { transaction, hash: keccak256(transaction) };
}
