import { STATUS_CODES } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Disturbance, FaultRule } from '../faults/faultRule';
import type { Answer } from './answer';
import { shownNames } from './lenient';

/** A call that a rule has hit. */
type Disturbed = {
  rule: FaultRule<Disturbance>;
  reply: FastifyReply;
  /** Does what the call asks for. */
  answer: () => Promise<Answer>;
  /** The sandbox ends: nothing waits any longer, and what was to be done later is not done. */
  ended: AbortSignal;
};

/** Lets a call fare as its rule says: done or not, answered or not, now or later. */
export async function disturb({ rule, reply, answer, ended }: Disturbed): Promise<FastifyReply> {
  const wait = () => sleep(rule.delayMs ?? 0, undefined, { signal: ended }).catch(() => {});
  switch (rule.kind) {
    case 'loseRequest':
    case 'reset':
      await wait();
      return close(reply, rule.kind);
    case 'lateCommit':
      void wait().then(() => (ended.aborted ? undefined : answer()));
      return close(reply, rule.kind);
    case 'loseAnswer':
      await answer();
      await wait();
      return close(reply, rule.kind);
    case 'delay':
    case 'status': {
      const whole = await answer();
      await wait();
      return send(reply, whole);
    }
    case 'malformed': {
      const whole = await answer();
      await wait();
      return send(reply, cutOff(whole));
    }
  }
}

/** Sends an answer. A header tells which fields of the call were ignored. */
export function send(
  reply: FastifyReply,
  { status, headers = {}, body, ignored }: Answer,
): FastifyReply {
  const told = ignored === undefined ? {} : { 'x-ignored-fields': shownNames(ignored) };
  return reply
    .status(status)
    .headers({ ...headers, ...told })
    .send(body);
}

/** The answer of a rule of the kind `status`. */
export function statusAnswer({ status = 500, retryAfterS }: FaultRule): Answer {
  const message = status === 429 ? 'Too many requests.' : `${STATUS_CODES[status] ?? 'Unknown'}.`;
  const headers = retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) };
  return { status, code: status, body: { code: status, message }, headers };
}

/** Ends the connection without an answer: in order, or as a TCP reset. */
function close(reply: FastifyReply, kind: Disturbance): FastifyReply {
  const { socket } = reply.raw;
  reply.hijack();
  if (kind === 'reset') socket?.resetAndDestroy();
  else socket?.destroy();
  return reply;
}

/** JSON that stops half-way, in an answer that is whole as HTTP. */
function cutOff({ status, headers, body }: Answer): Answer {
  const text = JSON.stringify(body ?? { data: {} });
  return {
    status: status === 204 ? 200 : status,
    body: text.slice(0, Math.floor(text.length / 2)),
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
  };
}
