import { isOfBatch } from '../../custody/reference';
import type { ChainNode } from '../chain/node';
import { readWhole } from '../chain/walk';
import type { Monies } from '../money';
import type { Movement, WatchedWallets } from '../movement';
import type { Case } from './differences';
import { compare } from './expected';
import type { ReconcileRow } from './finding';
import { asMoved, clockGapMs } from './source';

type Chain = { node: ChainNode; monies: Monies; watched: WatchedWallets };

type Reading = Chain & {
  /** The last block before those that were read, and the last one of them. */
  from: number;
  closing: number;
};

/**
 * Looks outside the blocks that were read before a payment is called missing. It may have been
 * mined just before them or after them, and then belongs to another period.
 */
export function lookingElsewhere(reading: Reading) {
  const { node, from, closing } = reading;
  return async (one: Case, rows: ReconcileRow[]): Promise<ReconcileRow[]> => {
    const { txHash } = one.record;
    const isMissing = rows.some((row) => row.class === 'missing on chain');
    if (one.moved.length > 0 || !isMissing || !txHash) return rows;
    const block = await node.blockOf(txHash);
    if (block === undefined || (block > from && block <= closing)) return rows;
    if (block > (await node.head())) {
      const why = `Its block ${block} is not final yet.`;
      return rows.map((row) => ({ ...row, class: 'in flight', why }));
    }
    return (await isShown(one, reading, block)) ? [] : rows;
  };
}

/** True if a block has what a record tells of, and is not older than the record. */
async function isShown({ record, expected }: Case, chain: Chain, block: number): Promise<boolean> {
  const { txHash = '', sourceAddress = '', refId, createDate } = record;
  const found = await movementsOf(chain, { txHash, wallet: sourceAddress, block });
  if (!found.some(({ timeMs }) => timeMs >= Date.parse(createDate) - clockGapMs)) return false;
  // Payments of a batch may fail alone. A call of another function may move nothing.
  if (expected === undefined || isOfBatch(refId)) return true;
  const moved = found.map((movement) => ({ ...asMoved(movement), at: -1 }));
  return compare(expected, moved).missing.length === 0;
}

/** All that a wallet moves in a transaction of one block. The chain decides, no record. */
export async function movementsOf(
  chain: Chain,
  { txHash, wallet, block }: { txHash: string; wallet: string; block: number },
): Promise<Movement[]> {
  const read = await readWhole(chain, [block]);
  const [hash, own] = [txHash.toLowerCase(), wallet.toLowerCase()];
  return read.flatMap(([, all]) => all.filter((one) => one.txHash === hash && one.wallet === own));
}
