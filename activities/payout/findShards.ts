import { Context } from '@temporalio/activity';
import { sumByToken } from '../../src/orders/payout/tally';
import { memoryOf } from '../guard/earlierRuns';
import type { AddedPart } from './addPart';
import { shardIdOf } from './shardOrder';
import { linesOf } from './shards';

/** A payout, and the shards that it knows. */
export type Finding = { workflowId: string; known: string[] };

/** Finds the shards that earlier runs of a payout have started, and that this one does not know. */
export async function findShards({ workflowId, known }: Finding): Promise<AddedPart[]> {
  const { client, heartbeat } = Context.current();
  const quoted = shardIdOf(workflowId, '').replaceAll('\\', '\\\\').replaceAll("'", "''");
  const ids = new Set<string>();
  for await (const run of client.workflow.list({ query: `WorkflowId STARTS_WITH '${quoted}'` })) {
    ids.add(run.workflowId);
  }
  const found: AddedPart[] = [];
  for (const shardId of ids) {
    const part = Number(shardId.slice(shardIdOf(workflowId, '').length));
    if (known.includes(shardId) || !Number.isInteger(part)) continue;
    const run = await client.workflow.getHandle(shardId).describe();
    const lines = await linesOf(run);
    const hash = String(memoryOf(run)?.money.lines);
    found.push({ part, shardId, lines: lines.length, totals: sumByToken(lines), hash });
    heartbeat();
  }
  return found;
}
