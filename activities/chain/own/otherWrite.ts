import { erc20Abi, type Hash } from 'viem';
import type { Effect } from '../../../src/chain/effect';
import { hex, readChain } from '../../../src/chain/readChain';
import { digitsMax, fromBaseUnits, toBaseUnits } from '../../../src/custody/objects/amount';
import { claimsNoEffect } from '../../../src/custody/objects/finalWord';
import { sameText } from '../../../src/custody/objects/sameText';
import {
  type Transaction as Recorded,
  unreadableState,
} from '../../../src/custody/objects/transaction';
import { readOutbound } from '../../../src/custody/outbound';
import { everyPage } from '../../reading';
import { clocksDifferMs } from '../logsBetween';
import type { Lists, OwnCall } from './ownCall';

/** A transaction that a record names, and the write that is to be proven by it. */
type Named = {
  found: 'success' | 'reverted' | 'absent';
  blockNumber?: number;
  call: OwnCall & { txHash?: string | undefined };
  /** When the order first sent the write or heard of it. */
  knownMs: number;
  /** True for a write that stands alone. Of many, only those that look old are compared. */
  isAlone: boolean;
};

/**
 * The reason why a named transaction proves nothing about a write, though its call is the same. It
 * is older than the write, or another record has it. Two payments that are alike differ only so.
 */
export async function otherWrite(
  rpcUrl: string,
  custody: Lists,
  { found, blockNumber, call, knownMs, isAlone }: Named,
): Promise<string | undefined> {
  if (found === 'absent' || blockNumber === undefined) return undefined;
  const { effect, sinceMs, userOpHash, txHash = '' } = call;
  const madeMs = await timeOf(rpcUrl, blockNumber);
  if (madeMs < sinceMs - clocksDifferMs) {
    return `${txHash} was there before the order`;
  }
  const isSuccess = found === 'success';
  // The marks of a batch are in no other one that pays.
  if (effect.kind === 'batch' && isSuccess) return undefined;
  const looksOld = madeMs < Math.floor(knownMs / 1_000) * 1_000;
  if (isSuccess && !isAlone && !looksOld) return undefined;
  const isTaken = await isClaimed(rpcUrl, custody, {
    call,
    txHash: hex(txHash),
    userOpHash,
    isSuccess,
  });
  return isTaken ? `${txHash} is the transaction of another record` : undefined;
}

async function timeOf(rpcUrl: string, blockNumber: number): Promise<number> {
  const { timestamp } = await readChain(rpcUrl, (chain) =>
    chain.getBlock({ blockNumber: BigInt(blockNumber) }),
  );
  return Number(timestamp) * 1_000;
}

type Claimed = { call: OwnCall; txHash: Hash; userOpHash?: string | undefined; isSuccess: boolean };

/**
 * True if another record of the service has a transaction, and is about the same. A record that
 * says itself that it paid nothing has no claim to a payment. A record that cannot be read has one.
 */
export async function isClaimed(
  rpcUrl: string,
  custody: Lists,
  { call, txHash, userOpHash, isSuccess }: Claimed,
): Promise<boolean> {
  const records = await everyPage(readOutbound(custody, { txHash }));
  const others = records.filter(
    (record) =>
      record.id !== call.id &&
      (sameText(record.sourceAddress, call.sender) || isWithoutSender(record)) &&
      (!record.userOpHash || !userOpHash || sameText(record.userOpHash, userOpHash)) &&
      !(isSuccess && claimsNoEffect(record)),
  );
  const about = await Promise.all(others.map((record) => isAbout(rpcUrl, record, call.effect)));
  const claims = others.filter((_, at) => about[at]);
  const { isCounted } = custody;
  if (isCounted === undefined || !isSuccess) return claims.length > 0;
  return (await Promise.all(claims.map(({ id }) => isCounted(id)))).includes(true);
}

function isWithoutSender({ state, sourceAddress }: Recorded): boolean {
  return state === unreadableState && sourceAddress === undefined;
}

/** True for a record of the same payment, or the same call. A record of others claims wrongly. */
async function isAbout(rpcUrl: string, record: Recorded, effect: Effect): Promise<boolean> {
  if (record.state === unreadableState) return true;
  const { destinationAddress, contractAddress, amounts, abiParameters } = record;
  switch (effect.kind) {
    case 'transfer': {
      if (!sameText(destinationAddress, effect.to)) return false;
      const [amount] = amounts ?? [];
      return amount === undefined || sameAmount(amount, await amountOf(rpcUrl, effect));
    }
    case 'mint': {
      const { to, baseUnits } = effect;
      const isSame = sameParameters(abiParameters, [to, baseUnits]);
      return sameText(contractAddress, effect.contractAddress) && isSame;
    }
    case 'call': {
      const { of } = effect;
      if (of === undefined) return true;
      const isSame = sameParameters(abiParameters, of.abiParameters);
      return sameText(contractAddress, of.contractAddress) && isSame;
    }
    default:
      return true;
  }
}

/** The amount of a transfer, as a record has it. Both faces of one coin have the same. */
async function amountOf(rpcUrl: string, effect: Effect & { kind: 'transfer' }): Promise<string> {
  const { tokenAddress, baseUnits } = effect;
  if (tokenAddress === '') return fromBaseUnits(BigInt(baseUnits), coinDecimals);
  const token = { address: hex(tokenAddress), abi: erc20Abi, functionName: 'decimals' } as const;
  const decimals = await readChain(rpcUrl, (chain) => chain.readContract(token));
  return fromBaseUnits(BigInt(baseUnits), decimals);
}

const coinDecimals = 18;

function sameAmount(one: string, other: string): boolean {
  try {
    return toBaseUnits(one, digitsMax) === toBaseUnits(other, digitsMax);
  } catch {
    return false;
  }
}

/** A record may lack its parameters. */
function sameParameters(
  ofRecord: readonly unknown[] | null | undefined,
  ordered: readonly unknown[],
) {
  return !ofRecord || sameText(JSON.stringify(ofRecord), JSON.stringify(ordered));
}
