import {
  type Address,
  type Hex,
  hexToBigInt,
  isAddressEqual,
  isHex,
  toHex,
  zeroAddress,
} from 'viem';
import type { Chain } from './chain';
import { nativeMover } from './genesis/contracts';
import { GasLimitExceededError } from './node/gasLimits';
import { isNodeFault } from './node/nodeFault';
import { CallRevertedError, decodeRevertReason, InsufficientNativeBalanceError } from './revert';

/** A call that a wallet makes on the chain. */
export type WalletCall = { to: Address; value: bigint; data: Hex };

/** The prices that a transaction offers for gas. */
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

/** Code and storage that an address is to have during an estimate. */
export type CodeOverride = { code: Hex; stateDiff: Record<Hex, Hex> };

/**
 * More than a call of the longest request can need. With the gas of a block alone, a call that
 * needs more would look like one that reverts.
 */
const estimateGasMax = 200_000_000n;

/** The node lets anybody call it. The contracts refuse it with these words too. */
const refusedNative = 'native: only USDC may call 0xfd';

/**
 * Gas for the call as a transaction of its own, or the error that says why it cannot succeed. With
 * a sender, as if it were on the chain already.
 */
export async function estimateCall(
  chain: Pick<Chain, 'ask'>,
  { from, call, sender }: { from: Address; call: WalletCall; sender?: CodeOverride | undefined },
): Promise<bigint> {
  const { to, data } = call;
  if (isAddressEqual(to, nativeMover)) throw new CallRevertedError({ reason: refusedNative });
  if (paysNobody(call)) throw new CallRevertedError({ reason: nobodyWords });
  const request = { from, to, value: toHex(call.value), data, gas: toHex(estimateGasMax) };
  const overrides = sender === undefined ? [] : [{ [from]: sender }];
  const [balance, estimate] = await chain.ask([
    { method: 'eth_getBalance', params: [from, 'latest'] },
    { method: 'eth_estimateGas', params: [request, 'latest', ...overrides] },
  ]);
  // Looked at first: the node estimates a plain transfer without asking for the balance.
  requireBalance({ balance: quantity(balance), required: call.value });
  if (estimate?.ok === false) {
    const { data, reason } = estimate;
    if (reason.includes('gas required exceeds allowance')) {
      throw new GasLimitExceededError(estimateGasMax);
    }
    if (isNodeFault(estimate)) throw new Error(`The node could not estimate: ${reason}`);
    throw new CallRevertedError({ reason: data ? decodeRevertReason(data) : reason, data });
  }
  return quantity(estimate);
}

/** The words of Arc's node for a transaction that it does not run, since nobody has its coins then. */
export const nobodyWords = 'Zero address not allowed';

/** Returns true for a call that pays native coins to the zero address. */
export function paysNobody({ to, value }: Pick<WalletCall, 'to' | 'value'>): boolean {
  return value > 0n && isAddressEqual(to, zeroAddress);
}

/** Throws when an account is to spend more of the native coin than it has. */
export function requireBalance(facts: { balance: bigint; required: bigint }): void {
  if (facts.balance < facts.required) throw new InsufficientNativeBalanceError(facts);
}

function quantity(answer: { ok: boolean; result?: unknown } | undefined): bigint {
  if (!answer?.ok || !isHex(answer.result)) throw new Error('The node gave no quantity.');
  return hexToBigInt(answer.result);
}
