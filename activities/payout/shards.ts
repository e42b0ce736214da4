import { Context } from '@temporalio/activity';
import {
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionDescription,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { z } from 'zod';
import { type LineResult, lineResult } from '../../src/orders/payout';
import { type LineTarget, readLineTarget, retryFault } from '../../src/orders/payout/lineTarget';
import { hashOf, hashOfLines } from '../../src/orders/payout/readLines';
import { sumByToken, type Tally, tallyOf } from '../../src/orders/payout/tally';
import type { Tries } from '../attempt';
import { stop } from '../failure';
import {
  earlierRuns,
  memoryOf,
  refuseOtherMoney,
  refuseOtherPlace,
  resultOf,
} from '../guard/earlierRuns';
import type { AddedPart } from './addPart';
import { knownRun } from './knownRun';
import { behindOrders, type ShardOrder, shardIdOf } from './shardOrder';

/** Something that is wanted of the shards of a payout. */
export type Wish = { shardIds: string[]; update: 'resolve' | 'skip'; request: object };

/** The end of a part, as the result of its shard tells it. */
export type PartResult = { runId: string; tally: Tally; digest: string };

/** The state of a shard. `forgotten`: Temporal knows neither its lines nor its result. */
export type Seen =
  | { state: 'over'; result: PartResult }
  | { state: 'running' | 'startedAgain' | 'forgotten' };

/** The state in which a run of a shard begins, by its earlier runs. */
export type OpenedShard = {
  /** The lines as the last of the earlier runs left them. This run continues from them. */
  before: LineResult[];
  /** When the first run began that may have sent something. */
  bornAtMs: number;
  /** When the last of them ended. Undefined if there is none. */
  endedAtMs?: number;
  others: Tries;
};

/** Calls from a payout to its shards. */
export const shardActivities = {
  openShard,

  /** Asks one shard after another. Throws if all of them refuse. */
  async askShards({ shardIds, update, request }: Wish): Promise<string> {
    const { client, heartbeat } = Context.current();
    const answers: string[] = [];
    let refusal = 'No part of this payout is under way.';
    for (const shardId of shardIds) {
      try {
        const handle = client.workflow.getHandle(shardId);
        answers.push(await handle.executeUpdate<string, [object]>(update, { args: [request] }));
      } catch (error) {
        if (error instanceof WorkflowUpdateFailedError) refusal = error.cause?.message ?? refusal;
        // It came too late for a shard that is done.
        else if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
      heartbeat();
    }
    if (answers.length === 0) throw stop('Refused', refusal);
    return answers.join(' ');
  },

  /**
   * Retries lines under new keys: those alone whose named generation has failed. Throws before it
   * retries any if one has not. A closed shard is started again.
   */
  async retryLines({ shardIds, targets }: { shardIds: string[]; targets: unknown }): Promise<void> {
    const { client, heartbeat } = Context.current();
    const left = new Map(readTargets(targets).map((target) => [target.lineId, target]));
    const wanted: [WorkflowExecutionDescription, LineTarget[]][] = [];
    const forgotten: string[] = [];
    for (const shardId of shardIds) {
      const run = await knownRun(shardId);
      if (run === undefined) {
        forgotten.push(shardId);
        continue;
      }
      const lines = (await resultIn(run)) ?? (await linesNow(shardId));
      const own = lines.flatMap((line) => {
        const target = left.get(line.lineId);
        left.delete(line.lineId);
        const fault = target && retryFault(target, line);
        if (fault !== undefined) throw stop('Refused', fault);
        return target ?? [];
      });
      if (own.length > 0) wanted.push([run, own]);
      heartbeat();
    }
    const [missing] = left.values();
    if (missing !== undefined) {
      const fault = String(retryFault(missing, undefined));
      if (forgotten.length === 0) throw stop('Refused', fault);
      const parts = forgotten.join(', ');
      const words = `Temporal has forgotten ${parts}. Pay its failed lines as another payout.`;
      throw stop('Refused', `${fault} ${words}`);
    }
    for (const [run, own] of wanted) {
      const again = await startOf(run);
      const signal = { signal: 'retry', signalArgs: [own] };
      await client.workflow.signalWithStart(run.type, { ...again, ...signal });
      heartbeat();
    }
  },

  /**
   * Reads the results of shards, by their ids. One that closed without a result, or before all of
   * its lines had ended, is started again. It looks its lines up first, so nothing is paid twice.
   */
  async seeToShards(shardIds: readonly string[]): Promise<Record<string, Seen>> {
    const { heartbeat } = Context.current();
    const seen = shardIds.map(async (shardId) => {
      const state = await seeTo(shardId);
      heartbeat();
      return [shardId, state] as const;
    });
    return Object.fromEntries(await Promise.all(seen));
  },

  /** Finds the shards that earlier runs of a payout have started, and that this one does not know. */
  async findShards(payout: { workflowId: string; known: string[] }): Promise<AddedPart[]> {
    const { client, heartbeat } = Context.current();
    const prefix = shardIdOf(payout.workflowId, '');
    const quoted = prefix.replaceAll('\\', '\\\\').replaceAll("'", "''");
    const ids = new Set<string>();
    for await (const run of client.workflow.list({ query: `WorkflowId STARTS_WITH '${quoted}'` })) {
      ids.add(run.workflowId);
    }
    const found: AddedPart[] = [];
    for (const shardId of ids) {
      const part = Number(shardId.slice(prefix.length));
      if (payout.known.includes(shardId) || !Number.isInteger(part)) continue;
      const { lines } = await orderOf(shardId);
      const hash = hashOfLines(lines);
      found.push({ part, shardId, lines: lines.length, totals: sumByToken(lines), hash });
      heartbeat();
    }
    return found;
  },
};

/** Reads the names of failed attempts. */
function readTargets(targets: unknown): LineTarget[] {
  const read = Array.isArray(targets) ? targets.map(readLineTarget) : [];
  const known = read.filter((target) => target !== undefined);
  if (known.length > 0 && known.length === read.length) return known;
  throw stop(
    'Refused',
    'targets: must be a list of failed attempts, each "line/<lineId>#<generation>". Read the ' +
      'generation of a line in its result.',
  );
}

async function seeTo(shardId: string): Promise<Seen> {
  const { workflow } = Context.current().client;
  try {
    const run = await knownRun(shardId);
    if (run === undefined) return { state: 'forgotten' };
    if (run.status.name === 'RUNNING') return { state: 'running' };
    const lines = await resultIn(run);
    if (lines?.every(({ outcome }) => outcome !== 'waiting')) {
      const result = { runId: run.runId, tally: tallyOf(lines), digest: hashOf(lines) };
      return { state: 'over', result };
    }
    await workflow.start(run.type, await startOf(run));
    return { state: 'startedAgain' };
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return { state: 'running' };
    throw error;
  }
}

const resultSchema = z.object({ lines: z.array(lineResult) });

/** The lines in the result of a run. Undefined if it has none that can be read. */
async function resultIn(run: WorkflowExecutionDescription): Promise<LineResult[] | undefined> {
  if (run.status.name !== 'COMPLETED') return undefined;
  return resultSchema.safeParse(await resultOf(run)).data?.lines;
}

/** The lines of a shard, as it answers. A closed run answers as well. */
export function linesNow(shardId: string, runId?: string): Promise<LineResult[]> {
  const { workflow } = Context.current().client;
  return workflow.getHandle(shardId, runId).query<LineResult[]>('lines');
}

function orderOf(shardId: string): Promise<ShardOrder> {
  const { workflow } = Context.current().client;
  return workflow.getHandle(shardId).query<ShardOrder>('order');
}

/** Options that start the same shard again. The new run continues from the last one. */
async function startOf({ workflowId, memo }: WorkflowExecutionDescription) {
  const { info } = Context.current();
  return {
    workflowId,
    taskQueue: info.taskQueue,
    args: [await orderOf(workflowId)],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    memo: memo ?? {},
    priority: behindOrders,
  };
}

/** The guard of a shard: compares it with the earlier runs of its id. */
async function openShard(): Promise<OpenedShard> {
  const { client, info } = Context.current();
  const { workflowId = '', runId = '' } = info.workflowExecution ?? {};
  const now = memoryOf(await client.workflow.getHandle(workflowId, runId).describe());
  if (now === undefined) throw stop('Refused', `${workflowId} was not started by its payout.`);
  const runs = (await earlierRuns(workflowId)).filter((run) => {
    const memory = memoryOf(run);
    // The run that it continued as tells of both. One that never began has sent nothing.
    if (memory === undefined || run.status.name === 'CONTINUED_AS_NEW') return false;
    if (run.memo?.began !== true) return false;
    refuseOtherPlace(memory, now);
    refuseOtherMoney(memory, now);
    return true;
  });
  const [newest] = runs;
  if (newest === undefined) return { before: [], bornAtMs: Date.now(), others: 'clean' };
  const bornAtMs = Math.min(...runs.map(({ startTime }) => startTime.getTime()));
  const endedAtMs = Math.max(...runs.map(({ closeTime }) => closeTime?.getTime() ?? Date.now()));
  return { before: await linesLeftBy(newest), bornAtMs, endedAtMs, others: 'ambiguous' };
}

/** The lines in the result of a run, or in its answer. None if it tells neither. */
async function linesLeftBy(run: WorkflowExecutionDescription): Promise<LineResult[]> {
  const lines = await resultIn(run);
  return lines ?? linesNow(run.workflowId, run.runId).catch(() => []);
}
