import {
  decodeAbiParameters,
  encodeEventTopics,
  erc20Abi,
  type Hex,
  type Log,
  parseAbiParameters,
  toEventSelector,
} from 'viem';
import { partyIn, transferIn } from '../../chain/movements';
import type { Item } from '../money';

/** Some of a token or of an item, as a log tells it. Addresses are in lower case. */
export type TokenMove = {
  token: string;
  item?: Item;
  from: string;
  to: string;
  units: bigint;
  logIndex: number;
};

const [transferTopic = ''] = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer' });
const singleTopic = toEventSelector('TransferSingle(address,address,address,uint256,uint256)');
const batchTopic = toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])');
const lists = parseAbiParameters('uint256[] ids, uint256[] counts');
const wordDigits = 64;

/**
 * The topics that a log has if it moves something out of a wallet or into it. `others` are events
 * whose second address is the wallet. The node is asked once for each list. The last list finds
 * items that come in by ERC-1155.
 */
export function topicsOfMoves(
  wallets: readonly string[],
  { others, arrivals }: { others: readonly string[]; arrivals: boolean },
): (string[] | null)[][] {
  const items = [singleTopic, batchTopic];
  return [
    [[transferTopic], [...wallets]],
    [[transferTopic, ...items, ...others], null, [...wallets]],
    ...(arrivals ? [[items, null, null, [...wallets]]] : []),
  ];
}

/**
 * All that a log moves: of a token, or of items by ERC-721 or ERC-1155. Nothing for other logs, and
 * for those that only look like one of these: any contract may log anything.
 */
export function movesIn(log: Log): TokenMove[] {
  const [topic, first, second, third] = log.topics;
  if (first === undefined || second === undefined) return [];
  const place = { token: log.address.toLowerCase(), logIndex: Number(log.logIndex) };
  if (topic === transferTopic && third !== undefined) {
    const item = { standard: 'ERC721', id: BigInt(third) } as const;
    return [{ ...place, item, from: partyIn(first), to: partyIn(second), units: 1n }];
  }
  if (topic === transferTopic) {
    const moved = transferIn(log);
    return moved ? [{ ...place, from: moved.from, to: moved.to, units: moved.baseUnits }] : [];
  }
  if (third === undefined) return [];
  const [from, to] = [partyIn(second), partyIn(third)];
  return itemsIn(topic, log.data).map(({ id, units }) => {
    return { ...place, item: { standard: 'ERC1155', id }, from, to, units };
  });
}

function itemsIn(topic: Hex | undefined, data: Hex): { id: bigint; units: bigint }[] {
  if (topic === singleTopic) {
    if (data.length !== 2 + 2 * wordDigits) return [];
    const [id, units] = [data.slice(0, 2 + wordDigits), `0x${data.slice(2 + wordDigits)}`];
    return [{ id: BigInt(id), units: BigInt(units) }];
  }
  if (topic !== batchTopic) return [];
  try {
    const [ids, counts] = decodeAbiParameters(lists, data);
    return ids.length === counts.length
      ? ids.map((id, place) => ({ id, units: counts[place] ?? 0n }))
      : [];
  } catch {
    return [];
  }
}
