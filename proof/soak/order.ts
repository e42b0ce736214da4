import { type Address, getAddress, keccak256, slice, toHex } from 'viem';
import { fromBaseUnits } from '../../src/custody/objects/amount';
import { seeded } from '../../test/support/seeded';

/** A wallet of the service, as an order names it. */
export type SoakWallet = { id: string; address: Address; accountType: 'EOA' | 'SCA' };

/** The wallets and addresses of a soak. */
export type Cast = {
  /** Send to each other and to others. */
  wallets: readonly SoakWallet[];
  /** Accounts that nobody in the service has. */
  outsiders: readonly Address[];
  /** May mint the contract's token, and does nothing else. */
  minter: SoakWallet;
  contract: Address;
  /** Are swept once each, and hold nothing but these millionths of USDC. */
  piggies: readonly (SoakWallet & { micros: bigint })[];
};

/** A money with a balance of its own on the chain. */
export type Token = 'USDC' | 'EURC' | 'minted';

/** A money as orders name it. The native coin is USDC, sent without a call of its contract. */
export type Money = Token | 'native';

/** One order of the soak, and what it moves. No two orders have the same number of micro units. */
export type SoakOrder = {
  id: string;
  money: Money;
  from: SoakWallet;
  to: Address;
  /** Millionths of the money's unit. */
  micros: bigint;
  /** Set where somebody changes their mind. */
  cancelAfterMs: number | undefined;
};

/**
 * The decimals of each money. USDC is counted as the native coin, which it is. Every amount is a
 * whole number of millionths.
 */
export const decimalsOf: Readonly<Record<Money, number>> = {
  USDC: 18,
  EURC: 6,
  native: 18,
  minted: 18,
};

const microDecimals = 6;
/** No wallet holds this much: such an order can only be refused, or fail. */
const impossibleMicros = 1_000_000_000_000n;
const cancelMsMax = 6_000;

/** The order with this number: it follows from the seed, whatever has happened before. */
export function planOrder(
  cast: Cast,
  { seed, number }: { seed: number; number: number },
): SoakOrder {
  const random = seeded(seed * 1_000_003 + number);
  const percent = (): number => random(100);
  const money = moneyOf(percent());
  const isTooMuch = money !== 'minted' && percent() < 2;
  const isCancelled = percent() < 4;
  const from = money === 'minted' ? cast.minter : pick(cast.wallets, random);
  const others = cast.wallets.filter(({ id }) => id !== from.id).map(({ address }) => address);
  const isOutside = percent() < 40;
  const to = pick(isOutside || money === 'minted' ? cast.outsiders : others, random);
  return {
    id: `${money === 'minted' ? 'mint' : 'transfer'}:soak-${number}`,
    money,
    from,
    // The coin leaves no log, so each amount of it goes to an address of its own.
    to: money === 'native' ? addressNamed(`native ${seed} ${number}`) : to,
    micros: BigInt(number) + (isTooMuch ? impossibleMicros : 0n),
    cancelAfterMs: isCancelled ? random(cancelMsMax) : undefined,
  };
}

function moneyOf(percent: number): Money {
  if (percent < 45) return 'USDC';
  if (percent < 75) return 'EURC';
  return percent < 90 ? 'native' : 'minted';
}

function pick<Item>(items: readonly Item[], random: (bound: number) => number): Item {
  const item = items[random(items.length)];
  if (item === undefined) throw new Error('There is nobody to pick from.');
  return item;
}

/** True when no wallet can pay the order. */
export function isImpossible({ micros }: SoakOrder): boolean {
  return micros >= impossibleMicros;
}

/** An address whose key nobody has, the same for the same name. */
export function addressNamed(name: string): Address {
  return getAddress(slice(keccak256(toHex(`soak ${name}`)), 12));
}

/** The amount as orders say it. */
export function amountOf({ micros }: Pick<SoakOrder, 'micros'>): string {
  return fromBaseUnits(micros, microDecimals);
}

/** The amount as the chain says it, of USDC as it says that of the coin. */
export function baseUnitsOf({ money, micros }: Pick<SoakOrder, 'money' | 'micros'>): bigint {
  return micros * 10n ** BigInt(decimalsOf[money] - microDecimals);
}
