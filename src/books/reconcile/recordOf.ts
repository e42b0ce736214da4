import { unitsOfText } from '../../custody/objects/amount';
import type { ChainNode } from '../chain/node';
import type { Movement } from '../movement';
import type { WalletIds } from '../records/accountWallets';
import type { Lister } from '../records/readRecords';
import { type Expecting, isMade } from './expected';
import { isOutbound } from './fill';
import { keysIn } from './paid/keys';
import { asMoved, clockGapMs, type SentRecord } from './source';
import type { Tables } from './tables';

type Sources = {
  tables: Tables;
  list: Lister;
  node: Pick<ChainNode, 'blockOf'>;
  expectedOf: Expecting;
  blockchain: string;
  wallets: WalletIds;
};

const pageSize = 50;

/**
 * Finds the record of a movement that goes out, or undefined. Its hash tells it. A record may have
 * no hash, or another one, and is then found by the payment itself.
 */
export function findingRecords(sources: Sources) {
  const { tables, list, blockchain, expectedOf } = sources;
  const moves = async (record: SentRecord, movement: Movement): Promise<boolean> => {
    if (movement.mark !== undefined) return keysIn(record).includes(movement.mark);
    const moved = { ...asMoved(movement), at: 0 };
    return ((await expectedOf(record)) ?? []).some((one) => isMade(one, moved));
  };
  const lost = lostRecords(sources);
  const cancelled = cancelledRecords(sources);
  /** The transactions of which the service was asked. One may log any number of movements. */
  const asked = new Set<string>();
  /** The last transaction whose record was found by a payment. */
  let last: { of: string; record: SentRecord } | undefined;

  /** By its hash, its wallet, and the user operation if there is one. */
  const byHash = async (movement: Movement): Promise<SentRecord | undefined> => {
    const { txHash, wallet, userOpHash } = movement;
    const isOwn = (one: SentRecord): boolean => one.sourceAddress?.toLowerCase() === wallet;
    const known = () => tables.recordsOfHash(txHash.toLowerCase()).filter(isOwn);
    // It may have waited for longer than the records that were read.
    if (known().length === 0 && !asked.has(txHash)) {
      asked.add(txHash);
      const found = await list({ txHash, includeAll: true, pageSize });
      tables.keepRecords(found.filter((one) => isOutbound(one, blockchain)));
    }
    const found = known();
    const ofOperation = found.find((one) => one.userOpHash && one.userOpHash === userOpHash);
    if (ofOperation !== undefined || found.length < 2) return ofOperation ?? found[0];
    // A record may have the hash of another one's transaction.
    for (const one of found) if (await moves(one, movement)) return one;
    return found[0];
  };

  return async (movement: Movement): Promise<SentRecord | undefined> => {
    const found = await byHash(movement);
    if (found !== undefined) return found;
    const of = `${movement.txHash} ${movement.wallet} ${movement.userOpHash ?? ''}`;
    if (movement.kind === 'transfer') {
      const record = await lost(movement);
      if (record !== undefined) last = { of, record };
      return record;
    }
    // The gas follows the payments of its transaction.
    if (last?.of === of) return last.record;
    return movement.kind === 'fee' ? cancelled(movement) : undefined;
  };
}

/**
 * Finds records whose hash is missing, or is that of another transaction. The mark of a payment
 * tells its batch. Payee, token and amount tell the record of a single payment. Such a record
 * explains one transaction, and only if its own hash is in no block.
 */
function lostRecords({ tables, node, expectedOf }: Sources) {
  const explained = new Map<string, string>();
  const isLost = async ({ txHash }: SentRecord): Promise<boolean> =>
    !txHash || (await node.blockOf(txHash)) === undefined;

  return async (movement: Movement): Promise<SentRecord | undefined> => {
    const { wallet, mark, timeMs, txHash } = movement;
    if (mark !== undefined) {
      return tables.recordsOfKey(mark).find((one) => one.sourceAddress?.toLowerCase() === wallet);
    }
    const moved = { ...asMoved(movement), at: 0 };
    for (const record of tables.lostOf(wallet)) {
      const { id, createDate } = record;
      if ((explained.get(id) ?? txHash) !== txHash) continue;
      if (Date.parse(createDate) > timeMs + clockGapMs) continue;
      const expected = (await expectedOf(record)) ?? [];
      if (!expected.some((one) => isMade(one, moved)) || !(await isLost(record))) continue;
      explained.set(id, txHash);
      return record;
    }
    return undefined;
  };
}

/**
 * The gas of an empty transaction that has replaced a cancelled one. The record keeps the hash of
 * the one that was replaced, and the fee of the one that replaced it. Each explains one fee.
 */
function cancelledRecords({ tables, list, blockchain, wallets }: Sources) {
  const explained = new Set<string>();
  const askedOf = new Set<string>();
  return async (movement: Movement): Promise<SentRecord | undefined> => {
    const { wallet, money, change } = movement;
    const isIt = ({ id, networkFee }: SentRecord): boolean =>
      !explained.has(id) && unitsOfText(networkFee ?? '', money.decimals) === -change;
    const find = () => tables.cancelledOf(wallet).find(isIt);
    let found = find();
    const walletIds = wallets.get(wallet);
    if (found === undefined && walletIds !== undefined && !askedOf.has(wallet)) {
      askedOf.add(wallet);
      const asked = { walletIds, state: 'CANCELLED', order: 'DESC' } as const;
      const older = await list({ ...asked, includeAll: true, pageSize });
      tables.keepRecords(older.filter((one) => isOutbound(one, blockchain)));
      found = find();
    }
    if (found !== undefined) explained.add(found.id);
    return found;
  };
}
