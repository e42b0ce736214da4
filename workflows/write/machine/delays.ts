import { noticeLatestMs } from '../../../src/custody/objects/state';
import type { WriteState } from './writeState';

/**
 * Delays between the first polls of money in flight. The polls come 2.5, 5, 7, 9.5 … s after the
 * write was sent.
 */
const quickDelaysMs = [
  2_500, 2_500, 2_000, 2_500, 3_000, 3_500, 4_500, 5_500, 7_000, 9_000, 12_000, 15_000, 20_000,
] as const;
const steadyDelaysMs = Array<number>(11).fill(30_000);
const settleDelaysMs: readonly number[] = [...quickDelaysMs, ...steadyDelaysMs, 60_000, 120_000];
const slowestDelayMs = 300_000;
/** Nearly all transactions have settled by then. */
const usualMs = 30_000;

/**
 * The delay before poll number `poll` (from 1). Most transactions settle in 2 to 30 s, so polls are
 * dense at first. After 5 s, the next poll is on average 15 % of a transaction's age away. Polls
 * every five minutes go on for ever, because money in flight is never given up.
 */
export function settleDelayMs(poll: number): number {
  return settleDelaysMs[poll - 1] ?? slowestDelayMs;
}

/** True for a write whose transaction takes longer than nearly all of them. */
export function isSlow({
  bornAtMs,
  knownAtMs,
}: Pick<WriteState, 'bornAtMs' | 'knownAtMs'>): boolean {
  return Date.now() - (bornAtMs ?? knownAtMs) > usualMs;
}

/**
 * The delay before poll number `poll` where a notice is expected within a time. The first poll
 * comes then. If it finds nothing settled, the transaction is slow, and its notice is not late. The
 * second poll waits until it must have come. Later ones come as usual in a transaction of that age.
 */
export function noticedDelayMs(poll: number, withinMs: number): number {
  if (poll === 1) return withinMs;
  const first = withinMs < noticeLatestMs ? 2 : 1;
  if (poll === first) return Math.max(noticeLatestMs - withinMs, settleDelayMs(1));
  const sinceMs = Math.max(withinMs, noticeLatestMs);
  let saved = 0;
  for (let ageMs = settleDelayMs(1); ageMs <= sinceMs; ageMs += settleDelayMs(saved + 1)) saved++;
  return settleDelayMs(poll - first + 1 + saved);
}

/** The delay before a retry of what a person has to mend, and before reading it again. */
export function operatorDelayMs(times: number): number {
  return Math.min(5_000 * 2 ** Math.min(times - 1, 10), slowestDelayMs);
}

/** The delay before a retry of what passes by itself, and between look-ups of a write. */
export function troubleDelayMs(times: number): number {
  return Math.min(1_000 * 2 ** Math.min(times - 1, 10), 60_000);
}

const hourMs = 3_600_000;

/** The delay between look-ups once a person has been asked. The write may still show by itself. */
export function parkedDelayMs(times: number): number {
  return Math.min(slowestDelayMs * 2 ** Math.min(times - 1, 10), hourMs);
}
