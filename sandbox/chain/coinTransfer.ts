import {
  type Address,
  type Hex,
  hexToBigInt,
  maxUint160,
  size,
  slice,
  toFunctionSelector,
} from 'viem';
import { decodedCall } from '../../src/custody/abi/callData';
import type { Chain } from './chain';
import { estimateCall, type WalletCall } from './estimateCall';
import { multicall3FromAbi } from './genesis/abi';
import type { Holdings } from './holdings';
import { CallRevertedError } from './revert';

/**
 * The most gas that a transfer of USDC or EURC needs: the receiver had none, the sender keeps some.
 */
export const coinTransferGas = 60_000n;

const selector = toFunctionSelector('transfer(address,uint256)');
const selectorBytes = 4;
const wordBytes = 32;
const amountStart = selectorBytes + wordBytes;

/**
 * Gas for a transfer of USDC or EURC, without an estimate. Their code is known. A transfer to an
 * address fails if the sender has too little, which throws the same error as an estimate. It fails
 * also if one of the two is blocked. That shows only at run time, as on Arc. Undefined for any
 * other call.
 */
export async function gasOfCoinTransfer(
  { contracts }: Pick<Chain, 'contracts'>,
  { call, held }: { call: WalletCall; held: Holdings },
): Promise<bigint | undefined> {
  const { to, value, data } = call;
  const coin = [contracts.usdc, contracts.eurc].find((one) => sameHex(one, to));
  const isTransfer =
    value === 0n && size(data) === amountStart + wordBytes && data.startsWith(selector);
  if (coin === undefined || !isTransfer) return undefined;
  if (!isAddressWord(slice(data, selectorBytes, amountStart))) return undefined;
  const amount = hexToBigInt(slice(data, amountStart));
  if ((await held.coin(coin)) < amount) {
    const reason = 'ERC20: transfer amount exceeds balance';
    throw new CallRevertedError({ reason, data: undefined });
  }
  return coinTransferGas;
}

/**
 * Returns true if a coin accepts the word as a receiver: not zero, and no longer than an address.
 */
function isAddressWord(word: Hex): boolean {
  const address = hexToBigInt(word);
  return address > 0n && address <= maxUint160;
}

/** Native units in a base unit of USDC. */
const unitsEach = 10n ** 12n;

/**
 * Native units that a call moves out of its sender, as far as its bytes tell: its value, and its
 * transfers of USDC. A batch of Multicall3From counts too.
 */
export function spentBy(
  { contracts }: Pick<Chain, 'contracts'>,
  { to, value, data }: WalletCall,
): bigint {
  if (sameHex(to, contracts.usdc)) return value + unitsEach * amountIn(data);
  if (!sameHex(to, contracts.multicall3From)) return value;
  return batchCalls(data).reduce((sum, { target, callData }) => {
    return sameHex(target, contracts.usdc) ? sum + unitsEach * amountIn(callData) : sum;
  }, value);
}

/** The amount of a transfer. Zero for any other call. */
function amountIn(data: Hex): bigint {
  const isTransfer = data.startsWith(selector) && size(data) >= amountStart + wordBytes;
  return isTransfer ? hexToBigInt(slice(data, amountStart, amountStart + wordBytes)) : 0n;
}

/** The calls of a batch. None of bytes that nobody can read: they move nothing that is known. */
function batchCalls(data: Hex): readonly { target: Address; callData: Hex }[] {
  const call = decodedCall(multicall3FromAbi, data);
  const isBatch = call?.functionName === 'aggregate3' || call?.functionName === 'aggregate';
  return isBatch ? call.args[0] : [];
}

/** Gas for the call as a transaction of its own: known, or else estimated. */
export async function gasOfCall(
  chain: Pick<Chain, 'ask' | 'contracts'>,
  { from, call, held }: { from: Address; call: WalletCall; held: Holdings },
): Promise<bigint> {
  return (await gasOfCoinTransfer(chain, { call, held })) ?? estimateCall(chain, { from, call });
}

function sameHex(one: Hex, other: Hex): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
