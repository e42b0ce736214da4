/** True if two decimal amounts are the same number: "12.5" and "12.50". */
export function isSameAmount(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(amount: string): string {
  const [whole = '', part = ''] = amount.split('.');
  return `${whole.replace(/^0+(?=\d)/, '')}.${part.replace(/0+$/, '')}`;
}
