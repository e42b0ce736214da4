import { encodeFunctionData, prepareEncodeFunctionData, size } from 'viem';
import { entryPoint06Abi } from 'viem/account-abstraction';
import type { Chain } from '../chain';
import type { Fees } from '../estimateCall';
import { blockGasMax, requireFit } from '../node/gasLimits';
import { type SignedTransaction, signTransaction } from '../transaction';
import type { UserOperation } from './operation';

/** The function with its selector, computed once and not for each bundle. */
export const handleOps = prepareEncodeFunctionData({
  abi: entryPoint06Abi,
  functionName: 'handleOps',
});

/** Signs one transaction of the bundler that executes all these operations, in this order. */
export async function signBundle(
  chain: Chain,
  options: { userOperations: readonly UserOperation[]; nonce: number; fees: Fees },
): Promise<SignedTransaction> {
  const { userOperations, nonce, fees } = options;
  const gas = bundleGas(userOperations);
  requireFit(gas);
  const { bundler } = chain.operators;
  const data = encodeFunctionData({ ...handleOps, args: [userOperations, bundler.address] });
  const call = { to: chain.contracts.entryPoint, value: 0n, data };
  return signTransaction(chain, { account: bundler, call, nonce, gas, fees });
}

/** Operations that share a bundle get half a block, so a block has room for two bundles. */
const sharedGasMax = blockGasMax / 2n;

/** Divides operations, without changing their order, into bundles that fit a transaction each. */
export function splitIntoBundles(userOperations: readonly UserOperation[]): UserOperation[][] {
  const bundles: UserOperation[][] = [];
  let current: UserOperation[] = [];
  for (const userOperation of userOperations) {
    if (current.length > 0 && bundleGas([...current, userOperation]) > sharedGasMax) {
      bundles.push(current);
      current = [];
    }
    current.push(userOperation);
  }
  return current.length > 0 ? [...bundles, current] : bundles;
}

/** The fields of an operation that its gas follows from. */
type Sized = Pick<
  UserOperation,
  'callGasLimit' | 'verificationGasLimit' | 'callData' | 'initCode' | 'paymasterAndData'
>;

/**
 * The gas limit with which no operation can end the bundle by running out of gas. All are verified
 * first. Then the entry point requires both limits of each to be left before it calls the account,
 * so those of the verification once more. It forwards only 63/64.
 */
export function bundleGas(userOperations: readonly Sized[]): bigint {
  let sum = 60_000n;
  let largest = 0n;
  for (const one of userOperations) {
    const bytes = size(one.callData) + size(one.initCode) + size(one.paymasterAndData) + 600;
    sum += one.callGasLimit + one.verificationGasLimit + 30_000n + 16n * BigInt(bytes);
    if (one.verificationGasLimit > largest) largest = one.verificationGasLimit;
  }
  return ((sum + largest) * 64n) / 63n;
}
