import { balancesAt, listedPlaces } from '../../books/chain/balances';
import { openNode } from '../../books/chain/node';
import { moniesOf } from '../../books/money';
import { decimal } from '../../books/statement';

/** A page waits no longer for a node that is busy. */
const patienceMs = 3_000;

/** The balances of a wallet on the chain, at a final block. */
export type ChainBalances = { block: number; held: { token: string; amount: string }[] };

/** Reads what a wallet holds of the listed tokens. The coin with two faces is one of them. */
export async function chainBalances(
  url: string,
  { blockchain, address }: { blockchain: string; address: string },
): Promise<ChainBalances> {
  const node = openNode(url, { patienceMs });
  const block = await node.head();
  const places = listedPlaces([address.toLowerCase()], moniesOf(blockchain));
  const balances = await balancesAt(node, places, block);
  const held = [...balances.values()].map(({ money, units = 0n }) => {
    return { token: money.name, amount: decimal(units, money.decimals) };
  });
  return { block, held };
}
