import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../../custody/canonicalJson';

/** The ends that a receiver is told of. */
const endTypes = [
  ...(['order.completed', 'order.failed', 'order.refused', 'order.cancelled'] as const),
  ...(['line.paid', 'line.failed', 'line.skipped', 'line.unknown'] as const),
] as const;
export type EndType = (typeof endTypes)[number];

const end = z.strictObject({
  type: z.enum(endTypes),
  /** The attempt that has ended: the same again is the same end. */
  attempt: z.union([z.int(), z.string()]),
  /** When it ended. */
  timestamp: z.string(),
  /** The facts for the receiver. A line has its lineId here. */
  data: z.record(z.string(), z.unknown()),
});

/** The end of an order, or of a line of a payout. */
export type End = z.output<typeof end>;

/** Some ends of one order. */
const ends = z.strictObject({ orderId: z.string(), ends: z.array(end).min(1) });
export type Ends = z.output<typeof ends>;

/** The same with the seal of the worker that runs the order. */
export const sealedEnds = ends.extend({ seal: z.string() });
export type SealedEnds = z.output<typeof sealedEnds>;

/** A message to the receiver. */
export type Message = { id: string; body: string };

/** Ends of which an order may have several under one id, such as refusals with other reasons. */
const manyTimes: readonly EndType[] = ['order.failed', 'order.refused', 'order.cancelled'];

/**
 * The message of an end. Its id follows from order, line, attempt and kind of end. So a repeat has
 * the same id, whatever run, worker or day sends it. Without a receipt, it follows from the reason
 * too: a later run may be refused for another one.
 */
export function endMessage(orderId: string, { type, attempt, timestamp, data }: End): Message {
  const { lineId = '', reason = '' } = data;
  const about = manyTimes.includes(type) ? [String(reason)] : [];
  const own = [String(lineId), attempt, type, ...about];
  const of = canonicalJson(['steadfast-answer', orderId, ...own]);
  const digest = createHash('sha256').update(of).digest('hex');
  const body = JSON.stringify({ type, timestamp, data: { orderId, ...data } });
  return { id: `msg_${digest.slice(0, 32)}`, body };
}
