import { randomBytes } from 'node:crypto';
import type { PayoutLine } from '../../src/orders/payout';

/** Makes lines of small amounts. Each has its own recipient, so that a second payment shows. */
export function makeLines(count: number): PayoutLine[] {
  const run = randomBytes(6).toString('hex');
  return Array.from({ length: count }, (_, index) => ({
    lineId: `${run}-${index + 1}`,
    to: `0x${randomBytes(20).toString('hex')}`,
    amount: '0.01',
    token: 'USDC',
  }));
}
