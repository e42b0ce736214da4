import { linesPerBatch } from '../../../../src/orders/payout/linesPerBatch';
import type { Line } from '../payments';
import type { Shard } from '../shard';

/** The lines that may be batched, by the name of their batch. */
export function chunksOf(shard: Shard): readonly Chunk[] {
  let chunks = chunked.get(shard);
  if (chunks === undefined) {
    chunks = cut(shard);
    chunked.set(shard, chunks);
  }
  return chunks;
}

/** They are the same in every turn of a run. */
const chunked = new WeakMap<Shard, readonly Chunk[]>();

/** The name of a batch, and the lines that it may have. */
type Chunk = [string, Line[]];

/** Cuts the lines by wallet, token and size. */
function cut({ lines, opened }: Shard): Chunk[] {
  const { order, batchesFrom = [] } = opened;
  const linesMax = linesPerBatch(order);
  if (linesMax === undefined) return [];
  const byKind = new Map<string, Line[]>();
  for (const line of lines) {
    if (!isBatched(line, batchesFrom)) continue;
    const kind = `${line.wallet.walletId} ${line.token.address}`;
    const alike = byKind.get(kind) ?? [];
    alike.push(line);
    byKind.set(kind, alike);
  }
  return [...byKind].flatMap(([kind, alike]) =>
    Array.from({ length: Math.ceil(alike.length / linesMax) }, (_, at): Chunk => {
      return [`${kind} ${at}`, alike.slice(at * linesMax, (at + 1) * linesMax)];
    }),
  );
}

/** True if the account of a line can pay its token in batches. */
function isBatched({ wallet, token }: Line, batchesFrom: readonly string[]): boolean {
  if (token.address === '' || !batchesFrom.includes(wallet.accountType)) return false;
  return wallet.accountType === 'SCA' || token.keepsSender?.inBatches === true;
}
