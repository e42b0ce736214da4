import { createHash } from 'node:crypto';
import type { Rpc } from './asking';

/** Keeps answers that do not change any more. It decides which of them are worth it. */
export type Kept = {
  /** Undefined where nothing is kept. */
  get(call: Rpc): Promise<unknown>;
  set(call: Rpc, answer: unknown): Promise<void>;
};

/**
 * The kept texts together, in characters. A month of blocks in parts of 101 has 50,000 parts. Most
 * have no logs, and take some 50 characters with their name.
 */
const charactersMax = 8_000_000;

/** Half of the usual grace period. A proof that is read again after one asks the node again. */
const ageMsMax = 300_000;

/**
 * Keeps the logs of buried blocks for a while, so that a search that was stopped goes on. One
 * answer proves nothing for longer. The oldest ones are forgotten first.
 */
export function logsInMemory({
  most = charactersMax,
  ageMs = ageMsMax,
} = {}): (place: string) => Kept {
  const all = new Map<string, { text: string; untilMs: number }>();
  let characters = 0;
  const forget = (name: string): void => {
    characters -= name.length + (all.get(name)?.text ?? '').length;
    all.delete(name);
  };
  return (place) => {
    // A filter of many addresses is long. Its digest names it as well.
    const nameOf = ({ params }: Rpc): string =>
      createHash('sha256')
        .update(`${place} ${JSON.stringify(params)}`)
        .digest('base64');
    return {
      get: async (call) => {
        const known = isOfLogs(call) ? all.get(nameOf(call)) : undefined;
        const isOld = known === undefined || known.untilMs < performance.now();
        return isOld ? undefined : JSON.parse(known.text);
      },
      set: async (call, answer) => {
        if (!isOfLogs(call)) return;
        const [name, text] = [nameOf(call), JSON.stringify(answer)];
        if (all.has(name)) forget(name);
        all.set(name, { text, untilMs: performance.now() + ageMs });
        characters += name.length + text.length;
        for (const oldest of all.keys()) {
          if (characters <= most) break;
          forget(oldest);
        }
      },
    };
  };
}

function isOfLogs({ method }: Rpc): boolean {
  return method === 'eth_getLogs';
}
