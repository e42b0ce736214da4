/** A value in text. 5 and "5" are one number in a call's parameters. */
export function inText(value: unknown): string {
  const texts = (part: unknown): unknown => (Array.isArray(part) ? part.map(texts) : String(part));
  return Array.isArray(value) ? JSON.stringify(texts(value)) : String(value);
}

/** Compares addresses, hashes and ids, which are the same in either case. */
export function sameText(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
