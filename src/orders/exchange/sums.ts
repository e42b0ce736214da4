import { fromBaseUnits, toBaseUnits } from '../../custody/objects/amount';
import type { Exchange } from './exchange';

/** The sum of all lines that were exchanged at one rate. */
export type ExchangeSum = Omit<Exchange, 'amount'> & {
  lines: number;
  /** In the currency. */
  asked: string;
  token: string;
  /** In the token. */
  paid: string;
};

/** More decimals than any currency or token has. */
const places = 36;

type Line = { amount: string; token: string; exchange?: Exchange | undefined };

/** Adds up the exchanges of lines, by their rates. */
export function exchangeSums() {
  const sums = new Map<string, { own: ExchangeSum; asked: bigint; paid: bigint }>();
  return {
    add: ({ exchange, token, amount }: Line): void => {
      if (exchange === undefined) return;
      const { amount: asked, ...rate } = exchange;
      const key = JSON.stringify([rate.currency, token, rate.rate, rate.day, rate.source]);
      const own = { ...rate, lines: 0, asked: '0', token, paid: '0' };
      const sum = sums.get(key) ?? { own, asked: 0n, paid: 0n };
      sum.own.lines += 1;
      sum.asked += toBaseUnits(asked, places);
      sum.paid += toBaseUnits(amount, places);
      sums.set(key, sum);
    },
    all: (): ExchangeSum[] =>
      [...sums.values()].map(({ own, asked, paid }) => ({
        ...own,
        asked: fromBaseUnits(asked, places),
        paid: fromBaseUnits(paid, places),
      })),
  };
}
