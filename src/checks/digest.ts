import { createHash } from 'node:crypto';
import type { CheckedPayment } from './payment';

const groups = 8;
const groupDigits = 4;

/**
 * A short number over what lines pay, whatever their order and their ids. Each line becomes
 * "<address> <amount> <token>" with a line feed: the address in lower case, the amount without
 * needless zeros. The lines are sorted by their bytes. The number begins their SHA-256.
 */
export function linesDigest(
  payments: Iterable<Pick<CheckedPayment, 'to' | 'amount' | 'token'>>,
): string {
  const lines = Array.from(payments, inOneForm).sort();
  const hash = createHash('sha256');
  for (const line of lines) hash.update(line);
  const digits = hash.digest('hex').slice(0, groups * groupDigits);
  return digits.match(/.{4}/g)?.join('-') ?? '';
}

function inOneForm({ to, amount, token }: Pick<CheckedPayment, 'to' | 'amount' | 'token'>): string {
  const short = amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
  const word = token.startsWith('0x') ? token.toLowerCase() : token;
  return `${to.toLowerCase()} ${short} ${word}\n`;
}
