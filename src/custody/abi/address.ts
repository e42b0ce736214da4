import { keccak_256 } from '@noble/hashes/sha3';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';

/**
 * An EVM address in the form with its checksum (EIP-55). Digits of one case have none. Undefined
 * for any other text, and for an address whose checksum is wrong.
 */
export function checksummed(text: string): `0x${string}` | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined;
  const given = text.slice(2);
  const digits = given.toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  const cased = [...digits].map((digit, at) =>
    (hash[at] ?? '') > '7' ? digit.toUpperCase() : digit,
  );
  const address = `0x${cased.join('')}` as const;
  const isOneCase = given === digits || given === given.toUpperCase();
  return text === address || isOneCase ? address : undefined;
}
