import { networks } from '../../custody/networks/networks';
import { moneyOf as addressOf } from '../../custody/objects/money';
import type { PolicyMoney } from './policy';

/** The tokens of a chain by their symbols, and the money that an address stands for. */
export type Moneys = {
  /** The address of a token that is named by its symbol or address. Undefined for no token. */
  addressOf(token: string): string | undefined;
  /** The money of a token's address. */
  moneyOf(address: string): PolicyMoney;
  /** The decimals of a token that is known by heart. */
  decimalsOf(address: string): number | undefined;
  /** A name for people. */
  nameOf(money: PolicyMoney): string;
};

/** The coin that fees are paid in. */
export const nativeMoney: PolicyMoney = 'native';

/** The moneys of a chain. Tokens that are one balance with the native coin are one money. */
export function moneysOf(blockchain: string): Moneys {
  const { tokens = [] } = networks[blockchain] ?? {};
  const moneyOf = (address: string): PolicyMoney => addressOf(address, blockchain) || nativeMoney;
  return {
    addressOf: (token) => {
      const known = tokens.find(({ symbol }) => symbol === token);
      if (known !== undefined) return known.address.toLowerCase();
      return /^0x[0-9a-fA-F]{40}$/.test(token) ? token.toLowerCase() : undefined;
    },
    moneyOf,
    decimalsOf: (address) =>
      tokens.find((token) => token.address.toLowerCase() === address.toLowerCase())?.decimals,
    nameOf: (money) => {
      const named = tokens.findLast(({ address }) => moneyOf(address) === money);
      return named?.symbol ?? money;
    },
  };
}
