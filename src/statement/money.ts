import { blockchains, type KnownToken } from '../custody/objects/blockchain';
import { sameText } from '../custody/objects/sameMoney';
import { StatementError } from './statementError';

/** A money of a chain. All faces of one balance are one money. */
export type Money = {
  symbol: string;
  decimals: number;
  /** Its contract, in lower case. Empty for a coin that is no token. */
  address: string;
  /** True for the coin that pays for gas. */
  isCoin: boolean;
};

/** The monies of a chain, and what its logs and values are worth in them. */
export type Monies = {
  all: readonly Money[];
  coin: Money;
  /** The money that a contract's Transfer logs move, and its units for one of theirs. */
  ofToken(address: string): { money: Money; unitsEach: bigint } | undefined;
};

/**
 * The listed monies of a chain. Where the native coin and a token are one balance, as on Arc, they
 * are one money with the decimals of the coin.
 */
export function moniesOf(blockchain: string, isOneBalance: boolean): Monies {
  const { tokens, nativeTwins } = chainOf(blockchain);
  const twins = isOneBalance ? nativeTwins : [];
  const isTwin = ({ address }: KnownToken): boolean =>
    twins.some((twin) => sameText(twin, address));
  const native = tokens.find(({ address }) => address === '');
  if (native === undefined) throw new StatementError(`blockchain: ${blockchain} lists no coin.`);
  const twin = tokens.find(isTwin);
  const coin = { ...moneyOf(native), symbol: twin?.symbol ?? native.symbol, isCoin: true };
  if (twin !== undefined) coin.address = twin.address.toLowerCase();
  const others = tokens.filter((token) => token !== native && !isTwin(token)).map(moneyOf);
  const known = new Map(others.map((money) => [money.address, { money, unitsEach: 1n }]));
  if (twin !== undefined) {
    const unitsEach = 10n ** BigInt(native.decimals - twin.decimals);
    known.set(twin.address.toLowerCase(), { money: coin, unitsEach });
  }
  return { all: [...others, coin], coin, ofToken: (address) => known.get(address.toLowerCase()) };
}

/** The facts of a chain. Throws a StatementError for a name that nobody knows. */
export function chainOf(blockchain: string) {
  const known = blockchains[blockchain];
  if (known !== undefined) return known;
  throw new StatementError(
    `CUSTODY_BLOCKCHAIN: ${blockchain} is not known here. ` +
      `Give one of ${Object.keys(blockchains).join(', ')}.`,
  );
}

function moneyOf({ symbol, decimals, address }: KnownToken): Money {
  return { symbol, decimals, address: address.toLowerCase(), isCoin: false };
}
