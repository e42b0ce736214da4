import type { IndexedRecord } from '../../../src/accountIndex/records';
import { sameMoney } from '../../../src/custody/objects/sameMoney';
import { reads } from '../../order/custody';
import { mismatches } from '../../write/compare';
import { type Line, type Shard, stepOf } from './shard';
import { trying } from './trying';

/** How a record differs from its line. Undefined while that cannot be read. */
export async function faultsOf(
  shard: Shard,
  line: Line,
  record: IndexedRecord,
): Promise<string[] | undefined> {
  const faults = mismatches(record, stepOf(shard, line).expected);
  const { tokenId } = record;
  if (tokenId === undefined || line.token.ids.includes(tokenId)) return faults;
  const { tokenIds } = shard.carried;
  if (tokenIds[tokenId] === undefined) {
    const token = await trying(shard, () => reads('which token is it').readToken({ id: tokenId }));
    if (token === undefined) return undefined;
    tokenIds[tokenId] = token.isNative ? '' : (token.tokenAddress ?? '');
  }
  const address = tokenIds[tokenId];
  if (sameMoney(address, line.token.address, shard.order.terms.nativeTwins)) return faults;
  return [...faults, `token is ${address || 'native'}, ordered was ${line.token.name}`];
}
