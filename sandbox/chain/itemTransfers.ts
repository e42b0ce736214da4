import {
  type Address,
  decodeAbiParameters,
  getAddress,
  type Hex,
  hexToBigInt,
  type Log,
  parseAbiParameters,
  size,
  slice,
  toEventSelector,
} from 'viem';
import { addressOf, type TokenStandard } from './token';

/** A movement of items with ids. An id and how many of it are at the same place. */
export type ItemTransfer = {
  token: Address;
  /** The one that such an event belongs to. */
  standard: Exclude<TokenStandard, 'ERC20'>;
  from: Address;
  to: Address;
  ids: readonly bigint[];
  counts: readonly bigint[];
  logIndex: number | null;
};

const transferTopic = toEventSelector('Transfer(address,address,uint256)');
const singleTopic = toEventSelector('TransferSingle(address,address,address,uint256,uint256)');
const batchTopic = toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])');
const listsAbi = parseAbiParameters('uint256[] ids, uint256[] counts');
const wordBytes = 32;

/**
 * The movements of ERC-721 and ERC-1155 items among these logs, in their order. All other logs cost
 * no more than a look at their topics.
 */
export function readItemTransfers(logs: readonly Log[]): ItemTransfer[] {
  return logs.flatMap(({ address, topics, data, logIndex }) => {
    const [topic, first, second, third] = topics;
    // With a topic less the first is a coin's.
    if (first === undefined || second === undefined || third === undefined) return [];
    const at = (from: Hex, to: Hex) => ({
      token: getAddress(address),
      from: addressOf(from),
      to: addressOf(to),
      logIndex,
    });
    if (topic === transferTopic) {
      const ids = [hexToBigInt(third)];
      return { ...at(first, second), standard: 'ERC721', ids, counts: [1n] };
    }
    // The first is who has asked for it.
    const moved = topic === undefined ? undefined : multiTokenItems(topic, data);
    return moved === undefined ? [] : { ...at(second, third), standard: 'ERC1155', ...moved };
  });
}

type Items = Pick<ItemTransfer, 'ids' | 'counts'>;

/** The items that an ERC-1155 event has moved. Undefined for other and for malformed events. */
function multiTokenItems(topic: Hex, data: Hex): Items | undefined {
  if (topic === singleTopic && size(data) === 2 * wordBytes) {
    const [id, count] = [slice(data, 0, wordBytes), slice(data, wordBytes)];
    return { ids: [hexToBigInt(id)], counts: [hexToBigInt(count)] };
  }
  if (topic !== batchTopic) return undefined;
  try {
    const [ids, counts] = decodeAbiParameters(listsAbi, data);
    return ids.length === counts.length ? { ids, counts } : undefined;
  } catch {
    // Anybody's contract may emit such an event, with anything in it.
    return undefined;
  }
}
