import { fromBaseUnits, toBaseUnits } from '../../../src/custody/objects/amount';
import type { Effect, Order } from './flow';

export const usdc = '0x3600000000000000000000000000000000000000';
export const usdcDecimals = 6;

/** More than one unit, and no two orders have the same: one lost and one paid twice both show. */
export function amountOf({ number }: Pick<Order, 'number'>): string {
  return fromBaseUnits(BigInt(1_000_000 + number), usdcDecimals);
}

/** One transfer of USDC. */
export function moved(transfer: { from?: string; to?: string; amount: string }): Effect {
  const { amount, ...ends } = transfer;
  const lower = Object.entries(ends).map(([end, address]) => [end, address.toLowerCase()]);
  const value = toBaseUnits(amount, usdcDecimals);
  return { what: 'transfer', token: usdc, value, ...Object.fromEntries(lower) };
}
