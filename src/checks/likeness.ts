import { addTo } from './addTo';

/** Digits that agree at each end, and at both ends together. */
const endMin = 2;
const bothMin = 7;
const bitsOfDigit = 4;
const digitsOfEnd = bothMin - endMin;
const endsMax = 2 ** (2 * endMin * bitsOfDigit);
const keysEnd = 2 ** (bothMin * bitsOfDigit);

/**
 * True if a person may take one address for the other: at least two digits at each end agree, and
 * seven in all. Both are in lower case.
 */
export function looksLike(one: string, other: string): boolean {
  if (one === other) return false;
  return keysOf(one).some((key, at) => key === keysOf(other)[at]);
}

/** The digits at each end of an address in which all addresses agree that look like it. */
export function endDigits(address: string): [string, string] {
  return [address.slice(2, 2 + endMin), address.slice(-endMin)];
}

/**
 * Finds those of some addresses that look like a given one. Addresses are in lower case. Each is
 * found by its ends, so that no pair is compared.
 */
export function likenessOf(addresses: Iterable<string>): (address: string) => readonly string[] {
  const byKey = new Map<number, string[]>();
  const ends = new Uint8Array(endsMax);
  for (const address of addresses) {
    ends[endsNumber(address)] = 1;
    for (const key of keysOf(address)) addTo(byKey, key, address);
  }
  return (address) => {
    if (ends[endsNumber(address)] === 0) return none;
    let found: Set<string> | undefined;
    for (const key of keysOf(address)) {
      for (const known of byKey.get(key) ?? []) {
        if (known === address) continue;
        found ??= new Set();
        found.add(known);
      }
    }
    return found === undefined ? none : [...found];
  };
}

const none: readonly string[] = [];

/** The two digits at each end, as a number. Two addresses that differ in it are not alike. */
function endsNumber(address: string): number {
  return (
    (digitAt(address, 2) << 12) |
    (digitAt(address, 3) << 8) |
    (digitAt(address, address.length - 2) << 4) |
    digitAt(address, address.length - 1)
  );
}

/** The value of a hexadecimal digit in lower case. */
function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 0x60 ? code & 0xf : code - 0x57;
}

/** A number for each way in which seven digits can lie at both ends. */
function keysOf(address: string): [number, number, number, number] {
  const first = Number.parseInt(address.slice(2, 2 + digitsOfEnd), 16);
  const last = Number.parseInt(address.slice(-digitsOfEnd), 16);
  return [
    keyOf(first, last, 2),
    keyOf(first, last, 3),
    keyOf(first, last, 4),
    keyOf(first, last, 5),
  ];
}

function keyOf(first: number, last: number, ofFirst: number): number {
  const lastSize = 2 ** ((bothMin - ofFirst) * bitsOfDigit);
  const start = Math.floor(first / 2 ** ((digitsOfEnd - ofFirst) * bitsOfDigit));
  return (ofFirst - endMin) * keysEnd + start * lastSize + (last % lastSize);
}
