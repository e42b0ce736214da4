import type { Hash } from 'viem';
import { hex, readChain } from '../../../src/chain/readChain';
import { claimsNoEffect } from '../../../src/custody/objects/finalWord';
import { sameText } from '../../../src/custody/objects/sameText';
import { unreadableState } from '../../../src/custody/objects/transaction';
import { readOutbound } from '../../../src/custody/outbound';
import { everyPage } from '../../reading';
import { clocksDifferMs } from '../logsBetween';
import { isBare, isSameWrite } from './isSameWrite';
import type { Lists, OwnCall } from './ownCall';

/** A transaction that a record names, and the write that is to be proven by it. */
type Named = {
  found: 'success' | 'reverted' | 'absent';
  blockNumber?: number;
  call: OwnCall;
  /** When the order first sent the write or heard of it. */
  knownMs: number;
  /** True for a write that stands alone. Among many writes, only old ones are compared. */
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
  const madeMs = await timeOf(rpcUrl, BigInt(blockNumber));
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

/** The time of a block, in milliseconds. */
export async function timeOf(rpcUrl: string, blockNumber: bigint): Promise<number> {
  const { timestamp } = await readChain(rpcUrl, (chain) => chain.getBlock({ blockNumber }));
  return Number(timestamp) * 1_000;
}

type Claimed = { call: OwnCall; txHash: Hash; userOpHash?: string | undefined; isSuccess: boolean };

/** Nobody knows which record a transaction belongs to. The words say why. */
export class UnclearError extends Error {}

/**
 * True if another record of the service has a transaction, and is about the same. Throws an
 * UnclearError where a record may have it. Such a record cannot be read, or does not show yet who
 * pays whom. Or it says that it paid nothing, and yet names the payment as no other record does.
 */
export async function isClaimed(
  rpcUrl: string,
  custody: Lists,
  { call, txHash, userOpHash, isSuccess }: Claimed,
): Promise<boolean> {
  const { effect } = call;
  const records = await everyPage(readOutbound(custody, { txHash }));
  const others = records.filter(
    (record) =>
      record.id !== call.id &&
      (!record.sourceAddress || sameText(record.sourceAddress, call.sender)) &&
      (!record.userOpHash || !userOpHash || sameText(record.userOpHash, userOpHash)),
  );
  const named = { sender: call.sender, txHash, userOpHash };
  const about = await Promise.all(
    others.map((record) => isSameWrite(rpcUrl, record, { effect, named })),
  );
  const naming = others.filter((_, at) => about[at]);
  // Only the hash of an operation tells whose it is, where it may be any call.
  const isAny = userOpHash !== undefined && effect.kind === 'call' && effect.of === undefined;
  const claims = naming.filter((record) => !isSuccess || !claimsNoEffect(record));
  for (const { id, state, sourceAddress, ...record } of claims) {
    const isUnread = state === unreadableState;
    const isNaming = Boolean(record.userOpHash) || !isAny;
    if (!isUnread && sourceAddress && isNaming && !isBare(record)) continue;
    const fault = isUnread ? 'cannot be read' : 'is incomplete';
    throw new UnclearError(`record ${id} ${fault}, and may be the one of ${txHash}`);
  }
  const isNamed =
    sameText(call.txHash, txHash) || (userOpHash && sameText(call.userOpHash, userOpHash));
  const [denying] = claims.length === 0 && !isNamed ? naming : [];
  if (denying !== undefined) {
    const { id, state } = denying;
    throw new UnclearError(`record ${id} is ${state} and names ${txHash}, which has paid the same`);
  }
  const { isCounted } = custody;
  if (isCounted === undefined || !isSuccess) return claims.length > 0;
  return (await Promise.all(claims.map(({ id }) => isCounted(id)))).includes(true);
}
