import { isNativeCoin } from '../../custody/objects/money';
import type { Balance } from '../../custody/objects/token';

/** A balance under the word that orders use for its token, and under its symbol. */
type Named = { amount: string; token: string; symbol: string };

/** Balances in words. The coin has the word that orders use: it may have the symbol of a token. */
export function balancesIn(held: readonly Balance[]) {
  return held.map(({ amount, token: { isNative, decimals, ...token } }) => {
    const symbol = token.symbol ?? token.tokenAddress ?? token.id;
    return { amount, token: isNative ? 'native' : symbol, symbol, decimals };
  });
}

/** The symbols of tokens that are the native coin itself, in another form. */
export function twinsOf(held: readonly Pick<Balance, 'token'>[], blockchain: string): string[] {
  return held.flatMap(({ token: { isNative, tokenAddress, symbol } }) => {
    const isTwin = !isNative && isNativeCoin(tokenAddress ?? '', blockchain);
    return isTwin && symbol ? [symbol] : [];
  });
}

/** A coin with two faces is one row. */
export function tellBalances(balances: readonly Named[], twins: readonly string[]): string[][] {
  const hasCoin = balances.some(({ token }) => token === 'native');
  const hasTwin = balances.some(({ token }) => twins.includes(token));
  const shown = hasTwin ? balances.filter(({ token }) => token !== 'native') : balances;
  return shown.map(({ amount, token, symbol }) => {
    const name = token === symbol ? token : `${token} (${symbol})`;
    return [amount, hasCoin && twins.includes(token) ? `${name}, and native: one coin` : name];
  });
}
