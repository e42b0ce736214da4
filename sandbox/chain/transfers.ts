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
import { nativeLogger } from './genesis/contracts';
import type { TokenStandard } from './token';

/** A movement of a token. From the zero address it is a mint, to it a burn. */
export type Transfer = {
  token: Address;
  /** The standard of tokens that has such an event. */
  standard: TokenStandard;
  from: Address;
  to: Address;
  /** The items, each at the same place as its count. A coin has no ids, and one count. */
  ids: readonly bigint[];
  counts: readonly bigint[];
  logIndex: number | null;
  transactionHash: Hex | null;
};

const system = nativeLogger.toLowerCase();
const transferTopic = toEventSelector('Transfer(address,address,uint256)');
const singleTopic = toEventSelector('TransferSingle(address,address,address,uint256,uint256)');
const batchTopic = toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])');
const listsAbi = parseAbiParameters('uint256[] ids, uint256[] counts');
const wordBytes = 32;

/**
 * The movements of coins and items among these logs, in their order. The system tells of each
 * movement of USDC too: that is the same money, and counts once. Read by hand, since every log
 * of every block passes here: a general decoder takes ten times as long.
 */
export function readTransfers(logs: readonly Log[]): Transfer[] {
  return logs.flatMap(({ address, topics, data, logIndex, transactionHash }) => {
    const [topic, first, second, third] = topics;
    if (first === undefined || second === undefined) return [];
    if (address.toLowerCase() === system) return [];
    const at = (from: Hex, to: Hex) => ({
      token: getAddress(address),
      from: addressInWord(from),
      to: addressInWord(to),
      logIndex,
      transactionHash,
    });
    if (third === undefined) {
      if (topic !== transferTopic || size(data) !== wordBytes) return [];
      return { ...at(first, second), standard: 'ERC20', ids: [], counts: [hexToBigInt(data)] };
    }
    // One more topic is an ERC-721's: its third is an id.
    if (topic === transferTopic) {
      const ids = [hexToBigInt(third)];
      return { ...at(first, second), standard: 'ERC721', ids, counts: [1n] };
    }
    // The first is who has asked for it.
    const moved = topic === undefined ? undefined : multiTokenItems(topic, data);
    return moved === undefined ? [] : { ...at(second, third), standard: 'ERC1155', ...moved };
  });
}

type Items = Pick<Transfer, 'ids' | 'counts'>;

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

/** The address in the last 20 bytes of a word. */
export function addressInWord(word: Hex): Address {
  return getAddress(`0x${word.slice(-40)}`);
}
