import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { systemFault } from '../../orders/input/systemFault';
import { type Screener, unavailable } from './verdict';

const hourMs = 3_600_000;
const bytesMax = 64_000_000;

type List = { changedMs: number; digest: string; addresses: ReadonlySet<string> };

/**
 * Screens by a file that the operator keeps: every address in it is a match, whatever stands around
 * it. It is read once more whenever it has changed. A list that is old or empty is no answer.
 */
export function addressList(path: string, hours: number): Screener {
  let known: List | undefined;
  return async (address) => {
    try {
      const { mtimeMs, size } = statSync(path);
      if (size > bytesMax) return unavailable(`the list ${path} has more than ${bytesMax} bytes`);
      if (Date.now() > mtimeMs + hours * hourMs) {
        const changed = new Date(mtimeMs).toISOString();
        return unavailable(`the list ${path} was last changed at ${changed}. Bring a new one`);
      }
      known = known?.changedMs === mtimeMs ? known : readList(path, mtimeMs);
    } catch (error) {
      const reason = systemFault(error) ?? (error instanceof Error ? error.message : String(error));
      return unavailable(`the list ${path} cannot be read: ${reason}`);
    }
    const { addresses, digest } = known;
    if (addresses.size === 0) return unavailable(`the list ${path} has no address in it`);
    const list = `${basename(path)} (${addresses.size} addresses, ${digest.slice(0, 8)})`;
    if (addresses.has(address)) return { kind: 'match', words: `it is in the list ${list}` };
    return { kind: 'clear', words: `it is not in the list ${list}` };
  };
}

function readList(path: string, changedMs: number): List {
  const text = readFileSync(path, 'utf8');
  const digest = createHash('sha256').update(text).digest('hex');
  const found = text.match(/0x[0-9a-f]{40}(?![0-9a-f])/gi) ?? [];
  return { changedMs, digest, addresses: new Set(found.map((one) => one.toLowerCase())) };
}
