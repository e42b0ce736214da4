import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Mortal } from './mortal';

/** A long chain takes its time to be built again. */
const readyMsMax = 180_000;

const infoSchema = z.object({ nodePid: z.number() });

/**
 * The sandbox's node. The sandbox itself builds another one, so starting it means waiting for it. A
 * kill while the sandbox is away finds no node.
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
    for (const endMs = Date.now() + readyMsMax; ; await sleep(100)) {
      const error = await blockNumber(`${controlUrl}/rpc`);
      if (error === undefined) return;
      if (Date.now() > endMs) throw new Error('The chain does not come back.', { cause: error });
    }
  };
  return {
    name: 'chain',
    start: ready,
    kill: async () => {
      const leader = await pid();
      if (leader !== undefined) killGroup(leader);
    },
    stop: async () => {
      throw new Error('The node is ended by the sandbox alone.');
    },
    ready,
    pid,
  };
}

/** Asks for the number of the newest block. Returns the reason when there is no answer. */
async function blockNumber(rpcUrl: string): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] });
  const headers = { 'content-type': 'application/json' };
  try {
    const answer = await fetch(rpcUrl, { method: 'POST', headers, body });
    return answer.ok ? undefined : new Error(`It answers ${answer.status}.`);
  } catch (error) {
    return error;
  }
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // It has ended between the question and the kill.
  }
}
