import { setTimeout as sleep } from 'node:timers/promises';
import { createPublicClient, type Hex, http } from 'viem';
import type { Sandbox } from '../../../sandbox/service/main';

/** Sends what an account of its own has signed, and waits for its block. Returns the hash. */
export async function sendOutside({ rpcUrl }: Pick<Sandbox, 'rpcUrl'>, raw: Hex): Promise<Hex> {
  const client = createPublicClient({ transport: http(rpcUrl), pollingInterval: 50 });
  const hash = await client.sendRawTransaction({ serializedTransaction: raw });
  await client.waitForTransactionReceipt({ hash });
  return hash;
}

/** So many empty blocks follow one with transactions. */
const emptyBlocks = 12n;

/** Waits until the chain makes no block by itself any more, so that a test can mine one. */
export async function untilRest({ rpcUrl }: Pick<Sandbox, 'rpcUrl'>): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ idleBlocks: 'off' });
  await fetch(new URL('/_sandbox/settings', rpcUrl), { method: 'PATCH', headers, body });
  const client = createPublicClient({ transport: http(rpcUrl), cacheTime: 0 });
  for (;;) {
    const head = await client.getBlockNumber();
    const numbers = Array.from({ length: Number(emptyBlocks) }, (_, at) => head - BigInt(at));
    const blocks = await Promise.all(
      numbers.filter((at) => at >= 0n).map((blockNumber) => client.getBlock({ blockNumber })),
    );
    if (blocks.every(({ transactions }) => transactions.length === 0)) return;
    await sleep(200);
  }
}
