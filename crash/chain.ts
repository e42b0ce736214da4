import { z } from 'zod';
import type { Mortal } from './mortal';

const infoSchema = z.object({ nodePid: z.number() });

/**
 * The sandbox's node. The sandbox itself builds another one, so starting it is waiting for it; a
 * kill while the sandbox is away finds none.
 */
export function chainOf(controlUrl: string): Mortal {
  const pid = async (): Promise<number | undefined> => {
    try {
      const answer = await fetch(`${controlUrl}/info`, { signal: AbortSignal.timeout(5_000) });
      const { nodePid } = infoSchema.parse(await answer.json());
      return nodePid === 0 ? undefined : nodePid;
    } catch {
      return undefined;
    }
  };
  const ready = async (): Promise<void> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${controlUrl}/rpc`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`The chain answers ${answer.status}.`);
  };
  return {
    name: 'chain',
    start: ready,
    kill: async () => {
      const leader = await pid();
      if (leader !== undefined) killGroup(leader);
    },
    ready,
    pid,
  };
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // It has ended between the question and the kill.
  }
}
