import { coinLogger } from '../../chain/movements';
import type { Monies } from '../money';
import type { HeldToken } from '../records/heldTokens';
import type { Place } from './balances';
import type { ChainNode } from './node';

/** All that books look at beside the listed monies. */
export type BeyondListed = {
  /** Wallets, and the unlisted monies that they hold now. */
  places: Place[];
  /** The contracts whose logs are read. Undefined: those of all. */
  contracts?: string[];
  notLookedAt: string[];
};

type Asked = {
  monies: Monies;
  held: readonly HeldToken[];
  /** The first block. */
  block: number;
  /** False where every block is read whole, so that no log has to be looked for. */
  keepsStates: boolean;
};

/** Finds out what the node lets books look at, beyond the listed monies. */
export async function beyondListed(node: ChainNode, asked: Asked): Promise<BeyondListed> {
  const { monies, held, block, keepsStates } = asked;
  const tokens = held.filter(({ address, item }) => item === undefined && !monies.knows(address));
  const strange = new Set(tokens.map(({ address }) => address));
  await Promise.all([...strange].map(async (one) => monies.learn(one, await node.decimals(one))));
  const places = held
    .map(({ wallet, address, item }) => ({ wallet, money: monies.of(address, item).money }))
    .filter(({ money }) => !money.isListed);
  if (!keepsStates || (await node.tellsAllLogs(block))) return { places, notLookedAt: [] };
  const listed = monies.listed.map(({ address }) => address).filter((address) => address !== '');
  return {
    places,
    contracts: [...new Set([...listed, coinLogger, ...held.map(({ address }) => address)])],
    notLookedAt: [
      'tokens that are not listed and that the wallets do not hold now, since the node of ' +
        'CHAIN_RPC_URL tells logs only of contracts that are named',
    ],
  };
}
