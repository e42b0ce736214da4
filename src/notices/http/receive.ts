import type { IncomingMessage } from 'node:http';
import type { HandedOn } from '../handOn';
import { verifyNotice } from './genuine';
import type { FoundKey } from './keys';
import { type Notice, readNotice } from './notice';
import { readBody } from './readBody';

/** The result of any request, as it is counted. Only the ones of HandedOn are genuine notices. */
export type NoticeOutcome =
  | HandedOn
  | ('forged' | 'unknownKey' | 'keyLater' | 'notHandedOn')
  | ('tooLarge' | 'notJson' | 'cutOff' | 'wrongMethod');

export type ReceiverParts = {
  findKey: (id: string) => Promise<FoundKey>;
  handOn: (notice: Notice) => Promise<HandedOn>;
  /** Hears why a notice could not be handed on. */
  failed?: (error: unknown) => void;
};

/** The statuses of answers that are not 200. The service sends a notice again after any of them. */
const statuses: Partial<Record<NoticeOutcome, number>> = {
  forged: 401,
  unknownKey: 401,
  keyLater: 503,
  notHandedOn: 503,
  tooLarge: 413,
  notJson: 415,
  cutOff: 400,
  wrongMethod: 405,
};

/** The status of the answer. What was received well but is of no use is answered with 200. */
export function statusOf(outcome: NoticeOutcome): number {
  return statuses[outcome] ?? 200;
}

/** True for what the service has sent, whatever became of it. */
export function isGenuine(outcome: NoticeOutcome): boolean {
  return outcome === 'notHandedOn' || statuses[outcome] === undefined;
}

/** The result of a request, and the service's own time of a genuine notice. */
type Received = { outcome: NoticeOutcome; atMs?: number };

/** Receives one POST. Never rejects. */
export async function receive(request: IncomingMessage, parts: ReceiverParts): Promise<Received> {
  const read = await readGenuine(request, parts);
  if (typeof read === 'string') return { outcome: read };
  const { atMs } = read;
  try {
    return { outcome: await parts.handOn(read), atMs };
  } catch (error) {
    parts.failed?.(error);
    return { outcome: 'notHandedOn', atMs };
  }
}

async function readGenuine(
  request: IncomingMessage,
  { findKey }: ReceiverParts,
): Promise<Notice | NoticeOutcome> {
  if (request.method !== 'POST') return 'wrongMethod';
  if (!isPlainJson(request)) return 'notJson';
  const body = await readBody(request).catch(() => 'cutOff' as const);
  if (body === 'cutOff') return 'cutOff';
  if (body === undefined) return 'tooLarge';
  const verdict = await verifyNotice(body, request.headers, findKey);
  if (verdict === 'later') return 'keyLater';
  if (verdict !== 'genuine') return verdict;
  return readNotice(body) ?? 'other';
}

/** Nothing is decompressed, so that a small body cannot become a large one. */
function isPlainJson({ headers }: IncomingMessage): boolean {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  return /^application\/json\s*(;|$)/i.test(type) && encoding.toLowerCase() === 'identity';
}
