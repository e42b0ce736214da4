import { type Address, isAddress } from 'viem';

/**
 * True for an address in one case of letters, or else with its checksum (EIP-55). Text of one case
 * has no checksum that could be wrong.
 */
export function isValidAddress(text: string): text is Address {
  const digits = text.slice(2);
  return isAddress(text) || (digits === digits.toUpperCase() && isAddress(text, { strict: false }));
}
