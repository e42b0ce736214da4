import type { Rpc } from './asking';

/** Keeps answers that do not change any more. It decides which of them are worth it. */
export type Kept = {
  /** Undefined where nothing is kept. */
  get(call: Rpc): Promise<unknown>;
  set(call: Rpc, answer: unknown): Promise<void>;
};

/** Parts of a search. A month of blocks in parts of 101 has half as many. */
const partsMax = 100_000;

/**
 * Keeps the logs of buried blocks for this process, so that a search that was stopped goes on. The
 * oldest ones are forgotten first.
 */
export function logsInMemory(): (place: string) => Kept {
  const all = new Map<string, unknown>();
  return (place) => {
    const nameOf = ({ params }: Rpc): string => `${place} ${JSON.stringify(params)}`;
    return {
      get: async (call) => (isOfLogs(call) ? all.get(nameOf(call)) : undefined),
      set: async (call, answer) => {
        if (!isOfLogs(call)) return;
        const [oldest] = all.keys();
        if (all.size >= partsMax && oldest !== undefined) all.delete(oldest);
        all.set(nameOf(call), answer);
      },
    };
  };
}

function isOfLogs({ method }: Rpc): boolean {
  return method === 'eth_getLogs';
}
