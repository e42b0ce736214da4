import { hex, readChain } from '../../src/chain/readChain';

/** Number of blocks on top of a used nonce before it counts. The chain may still take back a block. */
const buriedBlocks = 20n;

/** The newest block: its time, and its age by this machine's clock. */
type Head = { headMs: number; headAgeMs: number };

/** The newest block. A search that follows sees at least so much. */
export function newestBlock(rpcUrl: string): Promise<Head & { head: bigint }> {
  return readChain(rpcUrl, async (chain) => {
    const head = await chain.getBlockNumber({ cacheTime: 0 });
    const { timestamp } = await chain.getBlock({ blockNumber: head });
    const headMs = Number(timestamp) * 1_000;
    return { head, headMs, headAgeMs: Math.max(0, Date.now() - headMs) };
  });
}

type Nonce = { sender: string; nonce: number; head: bigint };

/**
 * True if a block that is deep enough has used a nonce of the account. The ordered call has been
 * looked for before, so that none of its copies has used it.
 */
export function isUsed(rpcUrl: string, { sender, nonce, head }: Nonce): Promise<boolean> {
  const blockNumber = head > buriedBlocks ? head - buriedBlocks : 0n;
  return readChain(rpcUrl, async (chain) => {
    const count = await chain.getTransactionCount({ address: hex(sender), blockNumber });
    return count > nonce;
  });
}
