import { z } from 'zod';
import type { Doorway } from './doorway';
import type { Call, Gate } from './gate';
import { startHttpProxy } from './httpProxy';

const notice = z.object({
  notificationType: z.string(),
  notification: z.object({ id: z.string().optional(), state: z.string().optional() }),
});

/**
 * Starts a proxy between the sandbox and the receiver of notices. A notice belongs to the order in
 * its reference, or to the one whose wallet it names.
 */
export async function startNoticeProxy(origin: string, gate: Gate): Promise<Doorway> {
  return startHttpProxy({ origin, gate, callOf: (_, body) => callOf(body, gate) });
}

/** Learns the transaction's id, since the receiver starts a workflow by nothing else. */
function callOf(body: Buffer, gate: Gate): Call | undefined {
  const order = gate.orderIn(body);
  if (order === undefined) return undefined;
  const { notificationType, notification } = notice.parse(JSON.parse(String(body)));
  const { id, state = '' } = notification;
  if (id !== undefined) gate.learn(id, order);
  const about = notificationType.replace('transactions.', '');
  return { order, name: `notice ${about} ${state}`, ends: ['sandbox', 'receiver'] };
}
