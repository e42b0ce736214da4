import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { BadOrderError, readOrder } from '../orders/input/read';
import type { Order } from '../orders/kinds';
import { type LineResult, type PayoutPart, type PayoutSeal, payoutOrder } from '../orders/payout';
import { type LineTarget, lineTarget } from '../orders/payout/lineTarget';
import type { PartTold } from '../orders/payout/partTold';
import { hashOf, hashOfLines } from '../orders/payout/readLines';
import { shardType } from '../orders/payout/shardId';
import { sumByToken, sumOfSums } from '../orders/payout/tally';
import { type SignedLines, signedLinesOf } from '../writer/signing/signedLines';
import { orderOfRun, refuseEndedFromOutside } from './closedRun';
import { continuation } from './payout/continuation';
import { failedLines, inTurns } from './payout/failedLines';
import { handOverParts, type Lines, readParts } from './payout/parts';
import { refuseExpired } from './payout/refuseExpired';
import { refusingOthers, sealedIn } from './payout/sameLines';
import { toldLines } from './payout/toldLines';
import { standingRun } from './standingRun';
import { type Started, withReceipt } from './started';
import { refuseOtherType } from './temporal/startOnce';

/** The parts and lines of a payout that have been handed over so far. */
export type HandedOver = { parts: number; lines: number };

/** The methods for payouts, beside those for every order. */
export type Payouts = {
  /**
   * Starts the payout "payout:<payoutId>", hands its lines over part by part, and seals it. Parts
   * go a few at a time. In batches, lines of one wallet go together. Nothing is paid before the
   * seal. If the call is interrupted, the same call continues with the same lines. A call with
   * other lines, or with another order of them, throws a BadOrderError that names the differences.
   * A payout that has ended refuses them too. A wrong line is named by its number and id. A payout
   * that cannot be sealed throws as well, waits, and can be sealed once the cause is removed.
   * Calls `tell` at the start and after each part. A client that signs its orders reads all lines
   * before the start, since its signature is of all of them.
   */
  payout(
    order: Order<'payout'>,
    lines?: Lines,
    tell?: (progress: HandedOver) => void,
  ): Promise<Started<'payout'>>;
  /** Every line of a payout, part by part, and what it has come to so far. */
  payoutLines(id: string): AsyncIterable<LineResult>;
  /**
   * Sets the number of lines that a payout sends in a second. Null is as many as the service
   * accepts.
   */
  rate(id: string, linesPerS: number | null): Promise<void>;
  /**
   * Retries failed lines under new keys: all that have failed now, or the named ones, and no other.
   * A completed payout is started again, and its paid lines stay paid. A client that signs does so
   * only with a payout that its own key has signed before. Throws a BadOrderError for any other
   * one, when a named line has not failed, or when none has.
   */
  retry(id: string, lineIds?: readonly string[]): Promise<Started<'payout'>>;
  /**
   * Pays the lines that the cancellation of a payout has left, under the same id and the same keys.
   * Lines that a person has skipped stay so. A client that signs does so only with a payout that
   * its own key has signed before. Throws a BadOrderError for a payout that was not cancelled.
   */
  continue(id: string): Promise<Started<'payout'>>;
  /**
   * Has lines not be paid that wait to be sent. A line of which nobody knows what became of it is
   * given up so, too, and stays `unknown`. A client with a signing key also withdraws its request
   * for these lines. Returns what was done. Where no part has one of them, throws and skips none.
   */
  skip(id: string, lineIds: readonly string[], reason: string): Promise<string>;
};

type Asking = () => Promise<string>;

/** The parts of the client that payouts need. */
type Office = {
  client: Client;
  /** True if each order is signed as it is started, a payout with all of its lines. */
  isSigning: boolean;
  start(order: Order<'payout'>, lines?: SignedLines): Promise<Started<'payout'>>;
  /** Starts a payout of Temporal again. Throws a BadOrderError if it is not signed again. */
  startAgain(workflowId: string, order: Order<'payout'>): Promise<Started<'payout'>>;
  /** Asks a payout to skip lines, and withdraws what was signed for them. */
  skipping(id: string, lineIds: readonly string[], ask: Asking): Promise<string>;
  /** Throws a BadOrderError when Temporal knows no such id. */
  describe(id: string): Promise<WorkflowExecutionDescription>;
  /** Throws a BadOrderError where it is refused, or comes too late. */
  update<T>(id: string, name: string, request: object): Promise<T>;
};

export function payoutsOf(office: Office): Payouts {
  const { client, update, describe } = office;

  async function* payoutLines(id: string): AsyncGenerator<LineResult> {
    const newest = await describe(id);
    const { workflowId, runId } = await standingRun(client, newest);
    const handle = client.workflow.getHandle(workflowId, runId);
    const parts = await handle.query<PartTold[]>('parts');
    yield* toldLines(id, parts, (shardId) => linesOf(client, shardId));
  }

  /** The sealed parts of a payout that was started before. None while its lines may be replaced. */
  const sealedParts = async ({ outcome, workflowId, receipt }: Started<'payout'>) => {
    if (outcome === 'completed') return sealedIn(await receipt());
    if (outcome === 'started') return [];
    // Without a worker nobody answers now. A part that differs is refused by the payout itself.
    const asked = client.workflow.getHandle(workflowId).query<PartTold[]>('parts');
    return (await asked.catch(() => [])).filter(({ isSealed }) => isSealed);
  };

  const payout: Payouts['payout'] = async (order, lines, tell = () => {}) => {
    if (lines === undefined) return office.start(order);
    if (order.lines !== undefined) {
      throw new BadOrderError('lines: are in the order, and given besides. Give them once.');
    }
    readOrder(payoutOrder, order);
    const read = readParts(lines);
    // A signature is of all lines, so that they are read before the start.
    const all = office.isSigning ? await gathered(read) : undefined;
    const rest = all?.values() ?? read;
    // Before anything is started, so that what is wrong in the first line costs nothing.
    const first = await rest.next();
    if (first.done) throw new BadOrderError('lines: there are none. Give at least one.');
    const id = `payout:${order.payoutId}`;
    const signed =
      all &&
      signedLinesOf(
        all.flatMap((part) => part.lines),
        order,
      );
    const started = await office.start(order, signed);
    const known = await sealedParts(started);
    const own = startingWith(first.value, rest);
    const parts =
      known.length === 0
        ? own
        : refusingOthers(own, { id, known, read: (shardId) => linesOf(client, shardId) });
    if (started.outcome === 'completed') {
      for await (const _ of parts);
      return started;
    }
    let totals: Record<string, string> = {};
    const hashes: string[] = [];
    const told = { parts: 0, lines: 0 };
    tell({ ...told });
    const take = async (part: PayoutPart): Promise<boolean> => {
      const isTaken = await asked(started, () => update(id, 'addLines', part));
      if (!isTaken) return false;
      totals = sumOfSums([totals, sumByToken(part.lines)]);
      // Parts come back in any order.
      hashes[part.part - 1] = hashOfLines(part.lines);
      told.parts += 1;
      told.lines += part.lines.length;
      tell({ ...told });
      return true;
    };
    const isWanted = await handOverParts(parts, take);
    if (!isWanted && known.length === 0) throw endedMeanwhile(id);
    // The lines that are left are compared, too. A sealed payout has all it needs.
    for await (const _ of parts);
    if (!isWanted) return { ...started, outcome: 'completed' };
    if (known.length > 0) return started;
    const seal: PayoutSeal = { parts: told.parts, totals, root: hashOf(hashes) };
    const isSealed = await asked(started, () => update(id, 'seal', seal));
    return isSealed ? started : { ...started, outcome: 'completed' };
  };

  /** Retries as many lines as one start or one update has room for. */
  const retryNow = async (id: string, targets: LineTarget[]): Promise<Started<'payout'>> => {
    const run = await standingRun(client, await describe(id));
    const order = await orderOfRun(client, run);
    if (!office.isSigning) refuseExpired(run.workflowId, order.request);
    if (run.status.name === 'RUNNING') {
      await update(id, 'retry', { targets: targets.map(lineTarget) });
      const handle = client.workflow.getHandle(run.workflowId, run.runId);
      return withReceipt<'payout'>(handle, { runId: run.runId, outcome: 'attached' });
    }
    refuseEndedFromOutside(run);
    // Its earlier retries are in its memo, and its lines tell of them.
    const raised = targets.map(({ lineId, generation }) => [`line/${lineId}`, generation + 1]);
    const generations = Object.fromEntries(raised);
    const again = readOrder(payoutOrder, { ...order, generations });
    return office.startAgain(run.workflowId, again);
  };

  return {
    payout,
    payoutLines,
    rate: (id, linesPerS) => update(id, 'rate', { linesPerS }),
    skip: (id, lineIds, reason) =>
      office.skipping(id, lineIds, () => update<string>(id, 'skip', { lineIds, reason })),
    continue: async (id) => {
      const { workflowId, order } = await continuation(client, await describe(id));
      return office.startAgain(workflowId, readOrder(payoutOrder, order));
    },
    retry: async (id, lineIds) => {
      const targets = await failedLines(payoutLines(id), lineIds);
      const [first = [], ...others] = inTurns(targets);
      let started = await retryNow(id, first);
      for (const turn of others) started = await retryNow(id, turn);
      return started;
    },
  };
}

function endedMeanwhile(id: string): BadOrderError {
  return new BadOrderError(
    `id: ${id} has ended while its lines were handed over. Make the same call again: it compares ` +
      'all lines, and pays none twice.',
  );
}

/**
 * Returns false when the payout was completed before it received the update, and needs nothing
 * more. Throws the payout's own error when it ended otherwise.
 */
async function asked(started: Started<'payout'>, ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (!(error instanceof BadOrderError) || !tooLate.test(error.message)) throw error;
    await started.receipt();
    return false;
  }
}

/** It had ended before, or ended while it was being asked. */
const tooLate = /is not under way any more|Workflow completed before the Update completed/i;

async function* startingWith<T>(first: T, rest: Iterable<T> | AsyncIterable<T>) {
  yield first;
  yield* rest;
}

async function gathered<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Reads the lines of a shard: from its result when it is completed, else by a query. */
async function linesOf(client: Client, shardId: string): Promise<LineResult[]> {
  const handle = client.workflow.getHandle(shardId);
  const run = await handle.describe();
  const { status } = run;
  refuseOtherType(run, shardType);
  if (status.name === 'COMPLETED') {
    const { lines }: { lines: LineResult[] } = await handle.result();
    return lines;
  }
  return handle.query<LineResult[]>('lines');
}
