import { isDecimal, toBaseUnits } from '../../custody/objects/amount';
import type { Movement } from '../movement';
import type { WalletIds } from '../records/accountWallets';
import type { Lister } from '../records/readRecords';
import { isOutbound } from './fill';
import type { SentRecord } from './source';
import type { Tables } from './tables';

type Sources = { tables: Tables; list: Lister; blockchain: string; wallets: WalletIds };

const pageSize = 50;

/** Finds the record of a movement that goes out, or undefined. */
export function findingRecords({ tables, list, blockchain, wallets }: Sources) {
  const explained = new Set<string>();
  const askedOf = new Set<string>();

  /** It may have waited for longer than the records that were read. */
  const older = async (input: Parameters<Lister>[0]): Promise<void> => {
    const found = await list({ ...input, includeAll: true, pageSize });
    tables.keepRecords(found.filter((one) => isOutbound(one, blockchain)));
  };

  /** By its hash, its wallet, and the user operation if there is one. */
  const byHash = async (movement: Movement): Promise<SentRecord | undefined> => {
    const { txHash, wallet, userOpHash } = movement;
    const isOwn = (one: SentRecord): boolean => one.sourceAddress?.toLowerCase() === wallet;
    const known = () => tables.recordsOfHash(txHash.toLowerCase()).filter(isOwn);
    if (known().length === 0) await older({ txHash });
    const found = known();
    return found.find((one) => one.userOpHash && one.userOpHash === userOpHash) ?? found[0];
  };

  /**
   * The gas of an empty transaction that has replaced a cancelled one. The record keeps the hash of
   * the one that was replaced, and the fee of the one that replaced it. Each explains one fee.
   */
  const cancelled = async (movement: Movement): Promise<SentRecord | undefined> => {
    const { wallet, money, change } = movement;
    const isIt = ({ id, networkFee }: SentRecord): boolean =>
      !explained.has(id) &&
      isDecimal(networkFee ?? '') &&
      toBaseUnits(networkFee ?? '', money.decimals) === -change;
    let found = tables.cancelledOf(wallet).find(isIt);
    const walletIds = wallets.get(wallet);
    if (found === undefined && walletIds !== undefined && !askedOf.has(wallet)) {
      askedOf.add(wallet);
      await older({ walletIds, state: 'CANCELLED', order: 'DESC' });
      found = tables.cancelledOf(wallet).find(isIt);
    }
    if (found !== undefined) explained.add(found.id);
    return found;
  };

  return async (movement: Movement): Promise<SentRecord | undefined> => {
    const found = await byHash(movement);
    return found === undefined && movement.kind === 'fee' ? cancelled(movement) : found;
  };
}
