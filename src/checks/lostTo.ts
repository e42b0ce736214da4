import { networks } from '../custody/networks/networks';

const contracts = new Set(
  Object.values(networks).flatMap(({ tokens }) =>
    tokens.flatMap(({ address }) => (address === '' ? [] : address.toLowerCase())),
  ),
);

/** The chain's own addresses, and the contracts that call others only in a caller's name. */
const ownerless = new Set<string>(
  Object.values(networks).flatMap(({ reserved, callsFrom }) => [
    ...reserved,
    ...Object.values(callsFrom).map((address) => address.toLowerCase()),
  ]),
);

/** Addresses below this one are those of the chain itself. */
const lowEnd = 0x1_00_00n;

/** True for an address in lower case of which nobody has the key. */
export function isBurnt(to: string): boolean {
  const digits = to.slice(2);
  const isWord = /^(0{36}dead|dead0{36}|(dead){10}|(.)\3{39}|0{32}deadbeef)$/.test(digits);
  return isWord || BigInt(to) < lowEnd || ownerless.has(to);
}

/** True for the contract of a token of any network. The address is in lower case. */
export function isTokenContract(to: string): boolean {
  return contracts.has(to);
}
