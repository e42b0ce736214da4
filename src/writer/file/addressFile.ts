import { readFileSync, statSync } from 'node:fs';
import { isAddress } from 'viem';
import { addressFault } from '../../orders/input/fields';
import { shown } from '../../orders/input/shown';

const fileBytesMax = 4_000_000;

/** A line of an address file that cannot be used. */
export type LineFault = { line: number; words: string };

/**
 * Reads a CSV file with the columns address and name: one address a line, in lower case in the
 * result. A first line without an address is the header. Returns every fault with its line.
 */
export function readAddressFile(path: string): {
  addresses: Map<string, string>;
  faults: LineFault[];
} {
  const { size } = statSync(path);
  if (size > fileBytesMax) {
    const words = `has ${size} bytes, and an address file may have ${fileBytesMax}`;
    return { addresses: new Map(), faults: [{ line: 1, words }] };
  }
  const addresses = new Map<string, string>();
  const faults: LineFault[] = [];
  for (const [index, text] of readFileSync(path, 'utf8').split(/\r?\n/).entries()) {
    const [first = '', ...rest] = text.split(',');
    const address = plain(first);
    const isHeader = index === 0 && !address.startsWith('0x');
    if (isHeader || text.trim() === '' || text.startsWith('#')) continue;
    const key = address.toLowerCase();
    if (!isAddress(address)) {
      faults.push({ line: index + 1, words: `${shown(address)} ${addressFault(address)}` });
    } else if (addresses.has(key)) {
      faults.push({ line: index + 1, words: `${address} is in the list twice` });
    } else addresses.set(key, plain(rest.join(',')));
  }
  return { addresses, faults };
}

function plain(field: string): string {
  return field.trim().replace(/^"(.*)"$/, '$1');
}
