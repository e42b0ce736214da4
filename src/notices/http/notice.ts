import { z } from 'zod';
import { jsonIn } from '../../custody/isRecord';
import { type FinalState, finalState } from '../../custody/objects/state';

const text = z.string().max(1_000);

const noticeSchema = z.object({
  notificationId: text.min(1),
  notificationType: text,
  timestamp: text,
  notification: z.object({
    id: text.optional(),
    state: text.optional(),
    refId: text.optional(),
    destinationAddress: text.optional(),
  }),
});

/** The parts of a signed notice that decide who hears of it. None of them says what happened. */
export type Notice = {
  id: string;
  /** other: a test, an event log, or anything that is no transaction. */
  about: 'outbound' | 'inbound' | 'other';
  /** The service's own time of the notice. */
  atMs: number;
  transactionId: string;
  /** Undefined for a state that is not final. */
  final: FinalState | undefined;
  reference: string | undefined;
  recipient: string | undefined;
};

/** Reads a signed body. Undefined for one that is no notice. */
export function readNotice(body: Buffer): Notice | undefined {
  const parsed = noticeSchema.safeParse(jsonIn(body.toString('utf8')));
  if (!parsed.success) return undefined;
  const { notificationId: id, notificationType, timestamp, notification } = parsed.data;
  const { id: transactionId, state, refId, destinationAddress } = notification;
  const [, about] = /^transactions\.(inbound|outbound)$/.exec(notificationType) ?? [];
  const isTransaction =
    transactionId !== undefined && (about === 'inbound' || about === 'outbound');
  return {
    id,
    about: isTransaction ? about : 'other',
    atMs: Date.parse(timestamp),
    transactionId: transactionId ?? '',
    final: state === undefined ? undefined : finalState(state),
    reference: refId,
    recipient: destinationAddress,
  };
}
