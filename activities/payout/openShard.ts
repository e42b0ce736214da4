import { Context } from '@temporalio/activity';
import { z } from 'zod';
import type { CustodyApi } from '../../src/custody/endpoints';
import { refHash } from '../../src/custody/idempotencyKey';
import { type LineResult, lineResult } from '../../src/orders/payout';
import { tryRead } from '../attempt';
import { everyPage } from '../everyPage';
import {
  earlierRuns,
  type Memory,
  memoryOf,
  refuseOtherMoney,
  refuseOtherPlace,
  resultOf,
} from '../guard/earlierRuns';
import { readReference } from '../lookUp';
import type { ShardOrder } from './shardOrder';

/** What earlier runs of a shard mean for this one. */
export type OpenedShard = {
  /** What an earlier run came to, line by line: this one goes on from there. */
  before?: LineResult[];
  /** Lines may have been sent of which nobody has told: all are looked for first. */
  isDoubtful: boolean;
  /** When a first try can have been made; not given where that is forgotten. */
  bornAtMs?: number;
};

/** The guard of a shard: holds it against the earlier runs of its id, and against the service. */
export function openShardActivity(custody: CustodyApi) {
  return async function openShard(order: ShardOrder): Promise<OpenedShard> {
    const { workflowId = '' } = Context.current().info.workflowExecution ?? {};
    const now = await ownMemory();
    const runs = (await earlierRuns(workflowId)).flatMap((run) => {
      const memory = memoryOf(run);
      // The run that it went on as tells of both.
      if (memory === undefined || run.status.name === 'CONTINUED_AS_NEW') return [];
      // Its lines were replaced before any of them was sent.
      if (memory.began === false && memory.fingerprint !== now.fingerprint) return [];
      refuseOtherPlace(memory, now);
      refuseOtherMoney(memory, now);
      return [run];
    });
    const [newest] = runs;
    if (newest === undefined) return { isDoubtful: await wasSent(custody, order) };
    const completed = runs.find(({ status }) => status.name === 'COMPLETED');
    const bornAtMs = Math.min(...runs.map(({ startTime }) => startTime.getTime()));
    return {
      ...(completed === undefined ? {} : { before: await linesOf(completed) }),
      isDoubtful: completed !== newest,
      bornAtMs,
    };
  };
}

/** What this very run was started with. */
async function ownMemory(): Promise<Memory> {
  const { client, info } = Context.current();
  const { workflowId = '', runId = '' } = info.workflowExecution ?? {};
  const memory = memoryOf(await client.workflow.getHandle(workflowId, runId).describe());
  if (memory === undefined) throw new Error(`${workflowId} was not started by its payout.`);
  return memory;
}

const resultSchema = z.object({ lines: z.array(lineResult) });

async function linesOf(run: Parameters<typeof resultOf>[0]): Promise<LineResult[]> {
  return resultSchema.parse(await resultOf(run)).lines;
}

/**
 * Whether the service has a record of some of the lines although Temporal knows of no earlier run:
 * it forgets them after a while. A payout that was sent as a whole shows by any of its lines.
 */
async function wasSent(custody: CustodyApi, order: ShardOrder): Promise<boolean> {
  const { terms, lines } = order;
  const last = lines.length - 1;
  for (const index of new Set([0, Math.floor(last / 2), last])) {
    const line = lines[index];
    const wallet = terms.wallets[line?.wallet ?? 0];
    if (line === undefined || wallet === undefined) continue;
    const { workflowId } = terms;
    const wanted = refHash({ workflowId, step: 'line', item: line.lineId });
    const narrowed = { walletIds: wallet.walletId, destinationAddress: line.to, includeAll: true };
    const transactions = await tryRead((signal) =>
      everyPage(async (page) => {
        const input = { ...page, ...narrowed, operation: 'TRANSFER' as const };
        return (await custody.listTransactions(input, { signal })).transactions;
      }),
    );
    if (transactions.some(({ refId }) => readReference(refId).hash === wanted)) return true;
  }
  return false;
}
