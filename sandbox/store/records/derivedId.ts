import { createHash } from 'node:crypto';

/** The same id for the same text at any time, in the shape of a UUID v5. */
export function derivedId(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex');
  const parts = [
    [0, 8],
    [8, 12],
    [13, 16],
    [17, 20],
    [20, 32],
  ] as const;
  const [one, two, three, four, five] = parts.map(([from, to]) => hash.slice(from, to));
  return `${one}-${two}-5${three}-a${four}-${five}`;
}
