import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { lineResult, payoutReceipt } from '../../orders/payout';
import { shardIdOf, shardType } from '../../orders/payout/shardId';
import { inputOf } from './inputOf';
import { newestRun } from './startOnce';

/** A part as it was started. */
const started = z.object({ lines: z.array(lineResult.pick({ lineId: true })) });
const endedLine = lineResult.pick({ lineId: true, outcome: true, givenUp: true });
const ended = z.object({ lines: z.array(endedLine) });

/** A line that a payout has not paid, by its own word. */
type UnpaidLine = { line: string; outcome: 'failed' | 'skipped' | 'given up' };

/** Reads the ids of lines from the histories of payouts and parts. No worker has to answer. */
export function payoutLines(client: Client) {
  return {
    /** All lines of a payout. None if Temporal does not know it. */
    all: async function* (order: string): AsyncGenerator<string> {
      for (let part = 1; ; part++) {
        const run = await newestRun(client, shardIdOf(order, part));
        if (run === undefined) return;
        if (run.type !== shardType) continue;
        const [input] = await inputOf(client, run);
        const { data } = started.safeParse(input);
        for (const { lineId } of data?.lines ?? []) yield lineId;
      }
    },
    /** The lines that a payout has ended without paying, and its word for each. */
    unpaid: async function* (order: string): AsyncGenerator<UnpaidLine> {
      const run = await newestRun(client, order);
      if (run?.status.name !== 'COMPLETED') return;
      const { data } = payoutReceipt.safeParse(await resultOf(client, order, run.runId));
      for (const { shardId, runId, failed, unknown, skipped } of data?.parts ?? []) {
        const hasUnpaid = failed + unknown + skipped > 0;
        const part = hasUnpaid
          ? ended.safeParse(await resultOf(client, shardId, runId))
          : undefined;
        for (const { lineId: line, outcome, givenUp } of part?.data?.lines ?? []) {
          if (outcome === 'failed' || outcome === 'skipped') yield { line, outcome };
          if (outcome === 'unknown' && givenUp) yield { line, outcome: 'given up' };
        }
      }
    },
  };
}

/** The result of a run. Undefined if Temporal has forgotten it, or cannot read it. */
async function resultOf(client: Client, workflowId: string, runId: string): Promise<unknown> {
  try {
    return await client.workflow.getHandle(workflowId, runId).result();
  } catch {
    return undefined;
  }
}
