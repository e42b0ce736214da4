import { createHash } from 'node:crypto';

/**
 * The wallet of a payout that pays a line. Follows from the line's id and the number of wallets
 * alone. So every run of the payout, and every split into parts, has the same answer. Balances do
 * not matter.
 */
export function walletOfLine(lineId: string, wallets: number): number {
  const digits = createHash('sha256').update(lineId).digest('hex').slice(0, 8);
  return Number.parseInt(digits, 16) % wallets;
}
