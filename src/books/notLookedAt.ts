import type { Difference } from './chain/balances';

/** Number of names in one sentence. */
const namesMax = 5;

/**
 * The tokens whose balances prove nothing, in words. Any contract may log what never happened, and
 * tell any balance, so that nobody has to look only because of that.
 */
export function unprovenInWords(differences: readonly Difference[]): string[] {
  const silent = differences.filter(({ off }) => off === undefined);
  const odd = differences.filter(({ off }) => off !== undefined);
  return [
    ...balancesOf(silent, 'which their contracts do not tell'),
    ...balancesOf(odd, 'which are not what the logs of their contracts make'),
  ];
}

/** The number of unlisted monies whose balances were left, in words. */
export function leftInWords(left: number): string[] {
  return left === 0 ? [] : [`balances of ${left} more tokens and items that are not listed`];
}

/** Receipts whose sender the account does not have, in words. */
export function strangersInWords(left: number): string[] {
  if (left === 0) return [];
  const many = left === 1 ? 'one receipt' : `${left} receipts`;
  return [`${many} of the archive whose senders are no wallets of this account`];
}

/** Records whose token the service does not name, in words. */
export function unnamedInWords(left: number): string[] {
  if (left === 0) return [];
  const many = left === 1 ? 'one record' : `${left} records`;
  return [`amounts of ${many} whose token the service does not name`];
}

function balancesOf(some: readonly Difference[], why: string): string[] {
  const names = [...new Set(some.map(({ money }) => money.name))];
  if (names.length === 0) return [];
  const more = names.length > namesMax ? `, and ${names.length - namesMax} more` : '';
  return [`balances of ${names.slice(0, namesMax).join(', ')}${more}, ${why}`];
}
