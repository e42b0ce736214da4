import { type KnownToken, networks } from '../custody/networks/networks';
import { isNativeCoin } from '../custody/objects/money';
import { StatementError } from './statementError';

/** An item of a token that counts items. */
export type Item = { standard: 'ERC721' | 'ERC1155'; id: bigint };

/** A money of a chain, or an item. All faces of one balance are one money. */
export type Money = {
  /** A listed one has its symbol. Any other has its contract: anybody can choose a symbol. */
  name: string;
  decimals: number;
  /** Its contract, in lower case. Empty for a coin that is no token. */
  address: string;
  item?: Item;
  /** True for the coin that pays for gas. */
  isCoin: boolean;
  /** False for a token of which nobody but its own contract tells anything. */
  isListed: boolean;
};

/** The monies of a chain, and what its logs and values are worth in them. */
export type Monies = {
  listed: readonly Money[];
  coin: Money;
  /** The money that a contract's logs move, and its units for one of theirs. */
  of(address: string, item?: Item): { money: Money; unitsEach: bigint };
  /** True once the decimals of a contract are known, or known to be none. */
  knows(address: string): boolean;
  /** Notes the decimals that a contract states. Undefined where it states none. */
  learn(address: string, decimals: number | undefined): void;
};

/** More decimals than any token has. A token that states more is counted in base units. */
const decimalsMax = 36;

/**
 * The monies of a chain. A native coin and its twin, such as Arc's USDC, are one money with the
 * decimals of the coin.
 */
export function moniesOf(blockchain: string): Monies {
  const { tokens } = chainOf(blockchain);
  const isTwin = ({ address }: KnownToken): boolean =>
    address !== '' && isNativeCoin(address, blockchain);
  const native = tokens.find(({ address }) => address === '');
  if (native === undefined) throw new StatementError(`blockchain: ${blockchain} lists no coin.`);
  const twin = tokens.find(isTwin);
  const coin = { ...moneyOf(native), name: twin?.symbol ?? native.symbol, isCoin: true };
  if (twin !== undefined) coin.address = twin.address.toLowerCase();
  const others = tokens.filter((token) => token !== native && !isTwin(token)).map(moneyOf);
  const known = new Map(others.map((money) => [money.address, { money, unitsEach: 1n }]));
  if (twin !== undefined) {
    const unitsEach = 10n ** BigInt(native.decimals - twin.decimals);
    known.set(twin.address.toLowerCase(), { money: coin, unitsEach });
  }
  const stated = new Map<string, number | undefined>();
  return {
    listed: [...others, coin],
    coin,
    of: (address, item) => {
      const own = address.toLowerCase();
      const money = (): Money => unlisted(own, { item, decimals: stated.get(own) });
      return known.get(own) ?? { money: money(), unitsEach: 1n };
    },
    knows: (address) => known.has(address.toLowerCase()) || stated.has(address.toLowerCase()),
    learn: (address, decimals) => {
      stated.set(address.toLowerCase(), decimals);
    },
  };
}

/** The facts of a chain. Throws a StatementError for a name that nobody knows. */
export function chainOf(blockchain: string) {
  const known = networks[blockchain];
  if (known !== undefined) return known;
  throw new StatementError(
    `CUSTODY_BLOCKCHAIN: ${blockchain} is not known here. ` +
      `Give one of ${Object.keys(networks).join(', ')}.`,
  );
}

function moneyOf({ symbol, decimals, address }: KnownToken): Money {
  const own = { isCoin: false, isListed: true };
  return { name: symbol, decimals, address: address.toLowerCase(), ...own };
}

/** A token or an item that is not listed. Without decimals it counts in base units. */
function unlisted(
  address: string,
  { item, decimals }: { item: Item | undefined; decimals: number | undefined },
): Money {
  const own = { address, isCoin: false, isListed: false };
  if (item !== undefined)
    return { name: `item ${item.id} of ${address}`, decimals: 0, item, ...own };
  const isStated = decimals !== undefined && decimals <= decimalsMax;
  if (!isStated) return { name: `base units of ${address}`, decimals: 0, ...own };
  return { name: address, decimals, ...own };
}
