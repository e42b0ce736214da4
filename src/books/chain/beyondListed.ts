import { coinLogger } from '../../chain/movements';
import type { Monies } from '../money';
import type { HeldToken } from '../records/heldTokens';
import type { MoneyPlace } from './balances';
import type { ChainNode } from './node';

/** All that books look at beside the listed monies. */
type BeyondListed = {
  /** Wallets, and the unlisted monies that they hold now. */
  places: MoneyPlace[];
  /** The contracts whose logs are read. Undefined: all contracts. */
  contracts?: string[];
  /** False where the node is too slow to look for items that come in. */
  arrivals: boolean;
  notLookedAt: string[];
};

type Asked = {
  monies: Monies;
  held: readonly HeldToken[];
  /** The first block. */
  block: number;
  /** False where every block is read whole, so that no log has to be looked for. */
  keepsStates: boolean;
  /** Number of blocks that are read. */
  blocks: number;
};

const slow =
  'items (ERC-1155) that came in and that the wallets do not hold now, since the node of ' +
  'CHAIN_RPC_URL takes too few requests for that in so many blocks (give a faster node)';

/** Finds out what the node lets books look at, beyond the listed monies. */
export async function beyondListed(node: ChainNode, asked: Asked): Promise<BeyondListed> {
  const { monies, held, block, keepsStates, blocks } = asked;
  const tokens = held.filter(({ address, item }) => item === undefined && !monies.knows(address));
  const strange = new Set(tokens.map(({ address }) => address));
  await Promise.all([...strange].map(async (one) => monies.learn(one, await node.decimals(one))));
  const places = held
    .map(({ wallet, address, item }) => ({ wallet, money: monies.of(address, item).money }))
    .filter(({ money }) => !money.isListed);
  const hasItems = held.some(({ item }) => item?.standard === 'ERC1155');
  const arrivals = !keepsStates || hasItems || (await node.hasTimeFor(3, blocks));
  const notLookedAt = arrivals ? [] : [slow];
  const found = { places, arrivals, notLookedAt };
  if (!keepsStates || (await node.tellsAllLogs(block))) return found;
  const listed = monies.listed.map(({ address }) => address).filter((address) => address !== '');
  return {
    ...found,
    contracts: [...new Set([...listed, coinLogger, ...held.map(({ address }) => address)])],
    notLookedAt: [
      ...notLookedAt,
      'tokens that are not listed and that the wallets do not hold now, since the node of ' +
        'CHAIN_RPC_URL tells logs only of contracts that are named',
    ],
  };
}
