/** Compares addresses, hashes and ids, which are the same in either case. */
export function sameText(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
