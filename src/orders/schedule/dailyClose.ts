import { createHash } from 'node:crypto';
import { DateTime } from 'luxon';
import { z } from 'zod';
import { readOrder } from '../input/read';
import { counted } from '../progress/doing';
import { dayIn, timeZone } from './localTime';

/** The workflow that reconciles a day. It is no order, since it moves no money. */
export const closeKind = 'dailyClose';

/** First word of its ids. */
export const closeWord = 'close';

/** The service's list of transactions accepts so many wallets at most. */
const walletsMax = 50;
const wallets = z
  .array(z.uuid({ error: 'must be the id of a wallet' }))
  .min(1)
  .max(walletsMax)
  .optional();

/** The order in a schedule of daily closes. Without wallets, all of the account are closed. */
const closeOrder = z.strictObject({ wallets });

/** A day to close. */
const closeDay = z.strictObject({
  day: z.iso.date({ error: 'must be a day such as 2026-01-31' }),
  timeZone: timeZone.default('UTC'),
  wallets,
});
export type CloseDay = z.output<typeof closeDay>;

const closeAsked = closeDay.extend({ closing: z.int().min(0) });

/** Input of the workflow: a day that is over, and its last block. */
export type CloseAsked = z.output<typeof closeAsked>;

/** Checks the input of the workflow, which anybody may have started. Throws a BadOrderError. */
export function readCloseAsked(given: unknown): CloseAsked {
  return readOrder(closeAsked, given);
}

/** Checks the order that a schedule of daily closes keeps. Throws a BadOrderError. */
export function readCloseOrder(given: unknown): z.output<typeof closeOrder> {
  return readOrder(closeOrder, given);
}

/** Checks a day to close. Throws a BadOrderError. */
export function readCloseDay(given: unknown): CloseDay {
  return readOrder(closeDay, given);
}

/** The day before a moment, by the calendar of a time zone. */
export function dayBefore(atMs: number, zone: string): string {
  return DateTime.fromMillis(atMs, { zone }).minus({ days: 1 }).toFormat('yyyy-MM-dd');
}

/** The time of a day, in milliseconds since the epoch. The end does not belong to it. */
export function periodOfDay({ day, timeZone: zone }: CloseDay): {
  fromMs: number;
  untilMs: number;
} {
  const [fromMs, lastSecondMs] = dayIn(zone, day);
  return { fromMs, untilMs: lastSecondMs + 1_000 };
}

/**
 * The workflow id of a close, after its begin: "close" and the day. It holds the last block:
 * another chain is another close. A choice of wallets, or another zone than UTC, adds a digest at
 * the end.
 */
export function closeIdOf(
  { closing, wallets: some, timeZone: zone }: CloseAsked,
  begin: string,
): string {
  const id = `${begin}:${closing}`;
  const choice = [...(some ?? [])].sort().join() + (zone === 'UTC' ? '' : ` ${zone}`);
  if (choice === '') return id;
  const digest = createHash('sha256').update(choice).digest('hex');
  return `${id}:${digest.slice(0, 8)}`;
}

/** The day in the id of a close of this scope. Undefined for any other id. */
export function dayInCloseId(workflowId: string, keyScope: string): string | undefined {
  const scope = keyScope === '' ? '' : `${keyScope}:`;
  if (!workflowId.startsWith(scope)) return undefined;
  return closeForm.exec(workflowId.slice(scope.length))?.[1];
}

const closeForm = /^close:(\d{4}-\d\d-\d\d):\d+(?::[0-9a-f]{8})?$/;

/** Input of a close's workflow, for every starter: a person or a schedule. */
export function startingClose({ day, closing, wallets: some }: CloseAsked) {
  const whose = some === undefined ? 'all wallets' : counted(some.length, 'wallet');
  const words = `Daily close of ${day}: ${whose}, up to block ${closing}`;
  return { staticSummary: words } as const;
}
