import { concat, type Hex, slice, toHex } from 'viem';

/** Makes a batch of one call a batch of two, which are the same bytes. */
export function sharedCalls(batch: Hex): Hex {
  const words = [32, 2, 64, 64].map((word) => toHex(word, { size: 32 }));
  return concat([slice(batch, 0, 4), ...words, slice(batch, 100)]);
}
