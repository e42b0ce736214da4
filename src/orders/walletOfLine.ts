import { createHash } from 'node:crypto';

/**
 * Which wallet of a payout pays a line: a pure function of the line's id and of how many wallets
 * there are, so that every run of the payout, and every way of cutting it into parts, has the same
 * answer. Balances have no say in it.
 */
export function walletOfLine(lineId: string, wallets: number): number {
  const digits = createHash('sha256').update(lineId).digest('hex').slice(0, 8);
  return Number.parseInt(digits, 16) % wallets;
}
