import {
  type Hex,
  isAddressEqual,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  size,
  TipAboveFeeCapError,
  type TransactionSerialized,
} from 'viem';
import { blockedWords, isBlocked } from '../../chain/blocklist';
import { spentBy } from '../../chain/coinTransfer';
import { nobodyWords, paysNobody } from '../../chain/estimateCall';
import { nativeMover } from '../../chain/genesis/contracts';
import { callsNativeMover } from '../../chain/genesis/nativeCalls';
import { initCodeMax, leastGas, transactionGasMax } from '../../chain/node/gasLimits';
import type { EngineParts } from '../parts';
import { nextNonce, toBroadcast } from './broadcastRow';

type Parts = Pick<EngineParts, 'store' | 'chain'>;

/** A transaction of an account that is not the service's, which no block may take. */
export class OutsideRefusal extends Error {
  override readonly name = 'OutsideRefusal';
}

/** Bytes that would pay a second time. */
const withdrawnWords = 'these bytes were left out of a block, and their payment was signed again';

/**
 * Takes a transaction that somebody else has signed, for the next block. Returns its hash. Throws
 * an OutsideRefusal with the reason if no block may take it: then nothing is kept.
 */
export async function takeOutside(parts: Parts, raw: Hex): Promise<Hex> {
  const { store, chain } = parts;
  const signed = await read(raw);
  const { sender, nonce, gas, fees, call, chainId, lists } = signed;
  if (signed.hasBlobs) refuse('a transaction with blobs is not taken');
  if (chainId !== chain.chainId) {
    refuse(`chainId is ${chainId ?? 'missing'}, and this chain is ${chain.chainId}`);
  }
  if (fees < chain.baseFeePerGas) {
    refuse(`max fee per gas ${fees} is less than the base fee ${chain.baseFeePerGas}`);
  }
  if (gas > transactionGasMax) refuse(`gas is ${gas}, and may be ${transactionGasMax} at most`);
  const isCreation = call.to === undefined;
  const least = leastGas(call.data, { ...lists, isCreation });
  if (gas < least) refuse(`gas is ${gas}, and has to be ${least} at least`);
  if (isCreation && size(call.data) > initCodeMax) {
    refuse(`code is ${size(call.data)} bytes, and may be ${initCodeMax} at most`);
  }
  if (signed.delegates && (isCreation || lists.delegations === 0)) {
    refuse('a transaction with delegations has one at least, and creates no contract');
  }
  if (isAddressEqual(call.to ?? sender, nativeMover)) refuse('only USDC may call 0xfd');
  if (isCreation && callsNativeMover(call.data)) {
    refuse('the code calls 0xfd, which only USDC may call');
  }
  const { to = sender, value, data } = call;
  if (paysNobody({ to, value })) refuse(nobodyWords);
  if (await isBlocked(chain, value > 0n ? [sender, to] : [sender])) refuse(blockedWords);
  const held = await chain.client.getBalance({ address: sender });
  const next = await nextNonce(parts, sender);
  // From here on nothing waits, so that no other transaction comes between.
  const waiting = store.broadcasts.inFlight(sender);
  const txHash = keccak256(raw);
  if (waiting.some((one) => one.txHash === txHash)) refuse('already known');
  if (store.broadcasts.where('txHash', txHash).some((one) => one.withdrawn)) refuse(withdrawnWords);
  const free = Math.max(next, ...waiting.map((one) => one.nonce + 1));
  if (nonce < free) refuse(`nonce too low: next nonce ${free}, tx nonce ${nonce}`);
  if (nonce > free) refuse(`nonce too high: next nonce ${free}, tx nonce ${nonce}`);
  const costMax = spentBy(chain, { to, value, data }) + gas * fees;
  const committed = waiting.reduce((sum, one) => sum + BigInt(one.costMax), 0n);
  if (held < committed + costMax) {
    refuse(`insufficient funds for gas * price + value: has ${held}, needs ${committed + costMax}`);
  }
  store.broadcasts.insert(toBroadcast({ sender, nonce, raw, txHash, gas, costMax }));
  return txHash;
}

async function read(raw: Hex) {
  try {
    const { to, value = 0n, data = '0x', nonce = 0, gas = 0n, ...rest } = parseTransaction(raw);
    if (!isSerialized(raw)) throw new Error('There are no bytes.');
    const sender = await recoverTransactionAddress({ serializedTransaction: raw });
    const fees = rest.maxFeePerGas ?? rest.gasPrice ?? 0n;
    const call = { to: to ?? undefined, value, data };
    const { chainId, accessList = [] } = rest;
    const lists = {
      accounts: accessList.length,
      slots: accessList.reduce((sum, { storageKeys }) => sum + storageKeys.length, 0),
      delegations: rest.authorizationList?.length ?? 0,
    };
    const kind = { hasBlobs: rest.type === 'eip4844', delegates: rest.type === 'eip7702' };
    return { sender, nonce, gas, fees, call, chainId, lists, ...kind };
  } catch (error) {
    if (error instanceof TipAboveFeeCapError) {
      return refuse('max priority fee per gas is more than max fee per gas');
    }
    return refuse('the bytes are no signed transaction');
  }
}

/** Bytes that were parsed as a transaction before are one. */
function isSerialized(raw: Hex): raw is TransactionSerialized {
  return size(raw) > 0;
}

function refuse(reason: string): never {
  throw new OutsideRefusal(reason);
}
