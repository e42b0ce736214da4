import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Steadfast } from '../../client/client';
import { standingIn } from '../../client/find/standing';
import type { OrderStatus } from '../../client/orderStatus';
import { isEnd } from '../../orders/progress/status';
import type { Guard } from '../guard';
import { Refusal } from '../refusal';
import { seen } from './html';

const everyMs = 2_000;
/** A page listens this long. It comes back by itself, and its session is looked at again. */
const listensMs = 600_000;
/** Pages that listen at a time. One person has so many, and all have so many. */
const [ownMax, listenersMax] = [20, 200];

/** The progress of an order, as its page shows it. */
export type LiveProgress = {
  status: string;
  waitingFor: string;
  /** Lines of a payout that have ended, and how many of each end. */
  ended?: number;
  paid?: number;
  failed?: number;
  unknown?: number;
  skipped?: number;
  waiting?: number;
  isOver: boolean;
};

/** The state of an order in a few words. */
export function progressTold({ execution, error = '', ...told }: OrderStatus): LiveProgress {
  const { progress, lastStatus, taskFault } = told;
  const isOver = execution !== 'RUNNING';
  const status = standingIn(progress?.status ?? lastStatus, execution);
  const silence = taskFault === undefined ? 'a worker that answers' : `a worker: ${taskFault}`;
  const waitingFor = isOver ? error : (progress?.waitingFor ?? silence);
  const own = { status, waitingFor, isOver: isOver || isEnd(progress?.status ?? 'Waiting') };
  const { payout } = progress ?? {};
  if (payout === undefined) return own;
  const { lines, paid, failed, unknown, skipped, waiting } = payout;
  return { ...own, ended: lines - waiting, paid, failed, unknown, skipped, waiting };
}

/** Somebody who looks at a page, and whether they may still do so. */
type Listener = { person: string; isIn: () => boolean };

/** The person who asks, until their session or passkey is gone. Throws a Refusal for others. */
export function listenerOf({ viewerOf }: Pick<Guard, 'viewerOf'>, request: FastifyRequest) {
  const { person } = viewerOf(request);
  const isIn = (): boolean => {
    try {
      return viewerOf(request).person === person;
    } catch {
      return false;
    }
  };
  return { person, isIn };
}

export type LivePages = ReturnType<typeof livePages>;

/**
 * Tells pages how orders come along, by server-sent events. However many pages look at an order,
 * Temporal is asked about it once in two seconds, and not at all while nobody looks.
 */
export function livePages({ status }: Pick<Steadfast, 'status'>) {
  const watched = new Map<string, { pages: Map<ServerResponse, Listener>; last: string }>();
  const listeners = (): Listener[] =>
    [...watched.values()].flatMap(({ pages }) => [...pages.values()]);
  const refuseMany = (person: string): void => {
    const all = listeners();
    const own = all.filter((one) => one.person === person).length;
    if (all.length < listenersMax && own < ownMax) return;
    throw new Refusal(429, 'Too many pages listen. Close some of them, and load this one again.');
  };

  const watch = async (id: string): Promise<void> => {
    const order = watched.get(id);
    if (order === undefined || order.pages.size === 0) {
      watched.delete(id);
      return;
    }
    // A page is told of the next look where this one fails.
    const told = await status(id).then(progressTold, () => undefined);
    const data = told === undefined ? order.last : JSON.stringify(told, asSeen);
    const text = data === order.last ? ': still there\n\n' : `data: ${data}\n\n`;
    order.last = data;
    for (const [page, { isIn }] of order.pages) {
      if (isIn()) page.write(text);
      else page.end();
    }
    setTimeout(() => void watch(id), everyMs);
  };

  return {
    /** Tells a page of an order from now on, until it is closed. */
    listen: (id: string, reply: FastifyReply, listener: Listener): void => {
      refuseMany(listener.person);
      reply.hijack();
      const page = reply.raw;
      page.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      const known = watched.get(id);
      const order = known ?? { pages: new Map<ServerResponse, Listener>(), last: '' };
      order.pages.set(page, listener);
      const end = setTimeout(() => page.end(), listensMs);
      page.once('close', () => {
        clearTimeout(end);
        order.pages.delete(page);
      });
      page.write(order.last === '' ? ': hello\n\n' : `data: ${order.last}\n\n`);
      if (known !== undefined) return;
      watched.set(id, order);
      void watch(id);
    },
  };
}

/** Texts as the rest of the page shows them. */
function asSeen(_: string, value: unknown): unknown {
  return typeof value === 'string' ? seen(value) : value;
}
