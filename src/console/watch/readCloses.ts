import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { classes } from '../../books/reconcile/finding';
import { type CloseRun, type Ended, newestCloses, readEnd } from '../../client/find/closes';

const shownMax = 31;
const text = z.string().optional();

/** The part of a close that pages show. Anybody in Temporal can start a close of their own. */
const closedShown = z.object({
  day: z.iso.date(),
  timeZone: z.string(),
  blocks: z.object({ opening: z.number(), closing: z.number() }),
  wallets: z.number(),
  isBalanced: z.boolean(),
  summary: z.string(),
  balances: z.array(
    z.object({
      token: z.string(),
      wallet: text,
      opening: text,
      in: z.string(),
      out: z.string(),
      fees: z.string(),
      closing: text,
      unexplained: text,
    }),
  ),
  rows: z.array(
    z.object({
      class: z.enum(classes),
      why: text,
      order: text,
      line: text,
      amount: text,
      token: text,
      wallet: text,
      counterparty: text,
      txHash: text,
      transactionId: text,
      logIndex: z.number().optional(),
    }),
  ),
  hasArchive: z.boolean(),
  notLookedAt: z.array(z.string()),
});
export type ClosedShown = z.output<typeof closedShown>;

/** A close on a page: its run, and its result or the reason why there is none. */
export type ShownClose = CloseRun & {
  result?: ClosedShown;
  /** The result with all that it has, for a file. */
  whole?: unknown;
  error?: string;
};

/**
 * Reads the last closes, the newest day first. The result of a run never changes, so each is read
 * once.
 */
export function readingCloses(client: Client, keyScope: string) {
  const ended = new Map<string, Ended>();
  const endOf = async ({ workflowId, runId, execution }: CloseRun): Promise<Ended> => {
    if (execution === 'RUNNING') return { workflowId, execution };
    const known = ended.get(runId);
    if (known !== undefined) return known;
    const end = await readEnd(client, workflowId, runId);
    ended.set(runId, end);
    return end;
  };
  return async (): Promise<ShownClose[]> => {
    const runs = await newestCloses(client, { most: shownMax, keyScope });
    const known = new Set(runs.map(({ runId }) => runId));
    for (const runId of ended.keys()) if (!known.has(runId)) ended.delete(runId);
    const all = await Promise.all(runs.map(async (run) => shownOf(run, await endOf(run))));
    return all.sort((one, other) => (one.day < other.day ? 1 : one.day > other.day ? -1 : 0));
  };
}

function shownOf(run: CloseRun, { result, error }: Ended): ShownClose {
  if (result === undefined) return error === undefined ? run : { ...run, error };
  const read = closedShown.safeParse(result);
  if (read.success) return { ...run, result: read.data, whole: result };
  return { ...run, error: 'Its result has another form than that of a close.' };
}
