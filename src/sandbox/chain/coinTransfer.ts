import {
  type Address,
  type Hex,
  hexToBigInt,
  maxUint160,
  size,
  slice,
  toFunctionSelector,
} from 'viem';
import type { Chain } from './chain';
import { type Call, estimateCall } from './estimateCall';
import type { Holdings } from './holdings';
import { CallRevertedError } from './revert';

/** What a transfer of USDC or EURC needs at most: the receiver had none, the sender keeps some. */
export const coinTransferGas = 55_000n;

const selector = toFunctionSelector('transfer(address,uint256)');
const selectorBytes = 4;
const wordBytes = 32;
const amountStart = selectorBytes + wordBytes;

/**
 * Gas for a transfer of USDC or EURC, without an estimate: their code is known, and where it goes
 * to an address, nothing can go wrong but that the sender has too little. Undefined for any other
 * call; throws the error that an estimate would.
 */
export async function gasOfCoinTransfer(
  { contracts }: Pick<Chain, 'contracts'>,
  { call, held }: { call: Call; held: Holdings },
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

/** Whether a coin takes it for an address to send to: neither zero nor longer than one. */
function isAddressWord(word: Hex): boolean {
  const address = hexToBigInt(word);
  return address > 0n && address <= maxUint160;
}

/** Gas for the call as a transaction of its own: known, or else estimated. */
export async function gasOfCall(
  chain: Pick<Chain, 'ask' | 'contracts'>,
  { from, call, held }: { from: Address; call: Call; held: Holdings },
): Promise<bigint> {
  return (await gasOfCoinTransfer(chain, { call, held })) ?? estimateCall(chain, { from, call });
}

function sameHex(one: Hex, other: Hex): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
