import { Context } from '@temporalio/activity';
import {
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionDescription,
} from '@temporalio/client';
import { inQuery } from '../../src/client/temporal/runsOf';
import { type LineTarget, readLineTarget, retryFault } from '../../src/orders/payout/lineTarget';
import { hashOf, hashOfLines } from '../../src/orders/payout/readLines';
import { shardIdOf, shardType } from '../../src/orders/payout/shardId';
import { sumByToken, type Tally, tallyOf } from '../../src/orders/payout/tally';
import { stop } from '../failure';
import { type AddedPart, behindOrders } from './shardOrder';
import { hasLineEnded, knownRun, linesLeft, orderOf, resultIn } from './shardRuns';
import { askShards } from './shards/askShards';

/** Failed attempts to retry. `isDecided`: the order has decided so before, and may be late. */
type Retry = { shardIds: string[]; targets: unknown; isDecided: boolean };

/** The end of a part, as the result of its shard tells it. */
export type PartResult = { runId: string; tally: Tally; digest: string };

/**
 * The way out where parts are forgotten. While the payout is known, a start only returns its
 * result. Another id has other keys, and could pay a line twice.
 */
const sameAgain =
  'Once Temporal has forgotten the payout too, start the same payout id with the same file. It ' +
  'looks up every line, and pays what was not paid.';

/** The state of a shard. `forgotten`: Temporal knows neither its lines nor its result. */
export type SeenShard =
  | { state: 'over'; result: PartResult }
  | { state: 'running'; runId: string }
  | { state: 'startedAgain' | 'forgotten' };

/** Calls from a payout to its shards. */
export const shardActivities = {
  askShards,

  /**
   * Retries lines under new keys: those alone whose named generation has failed. Throws before it
   * retries any if one has not. It passes over a line where that was decided before. A closed shard
   * is started again.
   */
  async retryLines(wish: Retry): Promise<void> {
    const { shardIds, targets, isDecided } = wish;
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
      const lines = await linesLeft(run);
      const own = lines.flatMap((line) => {
        const target = left.get(line.lineId);
        left.delete(line.lineId);
        const fault = target && retryFault(target, line);
        if (fault !== undefined && !isDecided) throw stop('Refused', fault);
        return target === undefined || fault !== undefined ? [] : target;
      });
      if (own.length > 0) wanted.push([run, own]);
      heartbeat();
    }
    const [missing] = left.values();
    if (missing !== undefined) {
      const fault = String(retryFault(missing, undefined));
      if (forgotten.length === 0) throw stop('Refused', fault);
      const parts = forgotten.join(', ');
      const words = `Temporal has forgotten ${parts}. ${sameAgain}`;
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
   * Has shards pay the lines that a cancellation has left, once for each time. A closed shard is
   * started again.
   */
  async continueLines({ shardIds, time }: { shardIds: string[]; time: number }): Promise<void> {
    const { client, heartbeat } = Context.current();
    const runs = await Promise.all(shardIds.map(knownRun));
    const forgotten = shardIds.filter((_, at) => runs[at] === undefined);
    if (forgotten.length > 0) {
      const parts = forgotten.join(', ');
      throw stop('Refused', `Temporal has forgotten ${parts}. ${sameAgain}`);
    }
    for (const run of runs) {
      if (run === undefined) continue;
      const signal = { signal: 'continue', signalArgs: [time] };
      await client.workflow.signalWithStart(run.type, { ...(await startOf(run)), ...signal });
      heartbeat();
    }
  },

  /**
   * Reads the results of shards, by their ids. A shard that closed without a result, or before all
   * of its lines had ended, is started again. It looks its lines up first, so nothing is paid
   * twice.
   */
  async seeToShards(shardIds: readonly string[]): Promise<Record<string, SeenShard>> {
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
    const query = `WorkflowType = '${shardType}' AND WorkflowId STARTS_WITH ${inQuery(prefix)}`;
    const ids = new Set<string>();
    for await (const run of client.workflow.list({ query })) {
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

async function seeTo(shardId: string): Promise<SeenShard> {
  const { workflow } = Context.current().client;
  try {
    const run = await knownRun(shardId);
    if (run === undefined) return { state: 'forgotten' };
    if (run.status.name === 'RUNNING') return { state: 'running', runId: run.runId };
    const lines = await resultIn(run);
    if (lines?.every(hasLineEnded)) {
      const result = { runId: run.runId, tally: tallyOf(lines), digest: hashOf(lines) };
      return { state: 'over', result };
    }
    await workflow.start(run.type, await startOf(run));
    return { state: 'startedAgain' };
  } catch (error) {
    // Somebody else was faster.
    if (error instanceof WorkflowExecutionAlreadyStartedError) return seeTo(shardId);
    throw error;
  }
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
