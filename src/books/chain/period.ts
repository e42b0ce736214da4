import { NotOverError, StatementError } from '../statementError';
import type { ChainNode } from './node';

/** A period of time. The end does not belong to it. Milliseconds since the epoch. */
export type Period = { fromMs: number; untilMs: number };

/** The blocks of a period: those after the opening block, up to the closing block and with it. */
export type BlockSpan = { opening: number; closing: number };

const dayMs = 86_400_000;
/**
 * A record may be older than its block, since a transaction can wait. Where clocks go back, the day
 * before has up to 26 hours.
 */
const earlierMs = 26 * 3_600_000;
const dayForm = /^\d{4}-\d\d-\d\d$/;
const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Reads a period. A day begins at midnight in UTC, and counts to its end. Without an end it goes to
 * the newest block, whose time may be a little ahead of this clock.
 */
export function readPeriod(from: string, to: string | undefined): Period {
  const fromMs = readMoment('--from', from);
  const end = to ?? new Date(Date.now() + dayMs).toISOString();
  const untilMs = readMoment('--to', end) + (dayForm.test(end) ? dayMs : 0);
  if (to === undefined && fromMs >= untilMs) {
    throw new StatementError(`--from: ${from} has not begun yet. Give an earlier time.`);
  }
  if (untilMs <= fromMs) {
    throw new StatementError(`--to: ${end} is not after --from ${from}. Give a later time.`);
  }
  return { fromMs, untilMs };
}

/** A period, and the time before it in which its records may have been created. */
export function withEarlier({ fromMs, untilMs }: Period): Period {
  return { fromMs: Math.max(0, fromMs - earlierMs), untilMs };
}

/** Reads a day or a time of a flag, in milliseconds. A day begins at midnight in UTC. */
export function readMoment(flag: string, text: string): number {
  const ms = dayForm.test(text) || timeForm.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms) && isDay(text.slice(0, 10))) return ms;
  throw new StatementError(
    `${flag}: "${text}" is no day such as 2026-01-31, and no time such as 2026-01-31T18:00:00Z.`,
  );
}

/** False for the 31st of November, which a Date takes for the first of December. */
function isDay(day: string): boolean {
  return new Date(day).toISOString().startsWith(day);
}

/**
 * Finds the blocks of a period by their times, up to the newest final block. A period that is over
 * may have none. Throws a StatementError for one that the chain has not reached yet.
 */
export async function findSpan(node: ChainNode, period: Period): Promise<BlockSpan> {
  const head = await node.head();
  const span = await spanUpTo(node, period, head);
  if (span.closing > span.opening || span.closing < head) return span;
  throw empty(period, 'has none so late');
}

/** The blocks of a span in words. */
export function spanInWords({ opening, closing }: BlockSpan): string {
  return closing > opening ? `blocks ${opening + 1} to ${closing}` : 'no blocks';
}

/**
 * Finds the blocks of a period that is over, of which there may be none. Throws a NotOverError
 * while no final block is later than the period.
 */
export async function spanWhenOver(node: ChainNode, period: Period): Promise<BlockSpan> {
  const head = await node.head();
  const newestMs = await node.timeMsOf(head);
  if (newestMs >= period.untilMs) return spanUpTo(node, period, head);
  throw new NotOverError(
    `The period ends at ${new Date(period.untilMs).toISOString()}, and the newest final block is ` +
      `${head} of ${new Date(newestMs).toISOString()}. Wait for a final block after its end.`,
  );
}

async function spanUpTo(node: ChainNode, period: Period, head: number): Promise<BlockSpan> {
  const opening = await lastBefore(node, period.fromMs, head);
  const closing = await lastBefore(node, period.untilMs, head);
  if (opening === undefined && closing === undefined) throw empty(period, 'begins after its end');
  await refusePruned(node, opening ?? 0, head);
  return { opening: opening ?? 0, closing: closing ?? 0 };
}

function empty({ fromMs, untilMs }: Period, why: string): StatementError {
  const from = new Date(fromMs).toISOString();
  return new StatementError(
    `--from, --to: from ${from} until ${new Date(untilMs).toISOString()} there is no final block: ` +
      `the chain ${why}. Give another period.`,
  );
}

/** Throws a StatementError where the node no longer has the first block of a period. */
async function refusePruned(node: ChainNode, first: number, head: number): Promise<void> {
  if (await node.serves(first)) return;
  let [low, high] = [first, head];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await node.serves(middle)) high = middle;
    else low = middle;
  }
  const oldest = new Date(await node.timeMsOf(high)).toISOString();
  throw new StatementError(
    `CHAIN_RPC_URL: the node has no block older than ${high} of ${oldest}, and the period begins ` +
      `with block ${first}. Give a node that keeps the whole history, or begin at --from ${oldest}.`,
  );
}

/** A guess is off by no more than such a part of the blocks that are left. */
const guessOff = 32;

/**
 * The last block before a time. Undefined if the first one is not before it. A block that the node
 * does not serve counts as one before it. Blocks come at an even pace, so that a guess by time is
 * near, and the next one is just beyond it.
 */
async function lastBefore(
  node: ChainNode,
  timeMs: number,
  head: number,
): Promise<number | undefined> {
  let [low, lowMs] = [0, await timeIn(node, 0)];
  let [high, highMs] = [head, await node.timeMsOf(head)];
  if (highMs < timeMs) return head;
  if (lowMs !== undefined && lowMs >= timeMs) return undefined;
  for (let round = 0, wasLow = false; high - low > 1; round += 1) {
    const part = lowMs === undefined ? 1 / 2 : (timeMs - lowMs) / (highMs - lowMs);
    const beyond = round % 2 === 0 ? 0 : (wasLow ? 1 : -1) / guessOff;
    const isHalf = round % halfEvery === halfEvery - 1;
    const guess = Math.round(low + (high - low) * (isHalf ? 1 / 2 : part + beyond));
    const block = Math.max(low + 1, Math.min(high - 1, guess));
    const blockMs = await timeIn(node, block);
    wasLow = blockMs === undefined || blockMs < timeMs;
    if (blockMs === undefined || blockMs < timeMs) [low, lowMs] = [block, blockMs];
    else [high, highMs] = [block, blockMs];
  }
  return low;
}

/** So often the blocks that are left are halved, where they do not come at an even pace. */
const halfEvery = 5;

/** The time of a block. Undefined where the node does not serve it. */
async function timeIn(node: ChainNode, block: number): Promise<number | undefined> {
  try {
    return await node.timeMsOf(block);
  } catch (error) {
    if (await node.serves(block)) throw error;
    return undefined;
  }
}
