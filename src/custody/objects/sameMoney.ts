/** Compares addresses, hashes and ids, which are the same in either case. */
export function sameText(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}

/** True for the native coin (empty) and its twin: on Arc, USDC is the native coin. */
export function isNativeCoin(address: string, nativeTwins: readonly string[]): boolean {
  return address === '' || nativeTwins.some((twin) => sameText(twin, address));
}

/** True if two token addresses are one money. */
export function sameMoney(one: string, other: string, nativeTwins: readonly string[]): boolean {
  if (isNativeCoin(one, nativeTwins)) return isNativeCoin(other, nativeTwins);
  return sameText(one, other);
}
