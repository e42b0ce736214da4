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

/**
 * Keeps the logs of buried blocks for this process, so that a search that was stopped goes on. The
 * oldest ones are forgotten first.
 */
export function logsInMemory(most = charactersMax): (place: string) => Kept {
  const all = new Map<string, string>();
  let characters = 0;
  const forget = (name: string): void => {
    characters -= name.length + (all.get(name) ?? '').length;
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
        const text = isOfLogs(call) ? all.get(nameOf(call)) : undefined;
        return text === undefined ? undefined : JSON.parse(text);
      },
      set: async (call, answer) => {
        if (!isOfLogs(call)) return;
        const [name, text] = [nameOf(call), JSON.stringify(answer)];
        if (all.has(name)) forget(name);
        all.set(name, text);
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
