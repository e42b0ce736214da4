import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Steadfast } from '../../client/client';
import type { OrderStatus } from '../../client/orderStatus';
import { isEnd } from '../../orders/progress/status';
import { Refusal } from '../refusal';

const everyMs = 2_000;
/** A page listens so long. It comes back by itself, and its session is looked at again. */
const listensMs = 600_000;
/** Pages that listen at a time. */
const listenersMax = 200;

/** The progress of an order, as its page shows it. */
export type Told = {
  status: string;
  waitingFor: string;
  /** Lines that have ended, and how many of each end. Of payouts alone. */
  ended?: number;
  paid?: number;
  failed?: number;
  unknown?: number;
  skipped?: number;
  waiting?: number;
  isOver: boolean;
};

/** The state of an order in a few words. */
export function progressTold({ progress, execution, error = '', lastStatus }: OrderStatus): Told {
  const isOver = execution !== 'RUNNING';
  const status = progress?.status ?? lastStatus ?? execution;
  const waitingFor = isOver ? error : (progress?.waitingFor ?? 'a worker that answers');
  const told = { status, waitingFor, isOver: isOver || isEnd(progress?.status ?? 'Waiting') };
  const { payout } = progress ?? {};
  if (payout === undefined) return told;
  const { lines, paid, failed, unknown, skipped, waiting } = payout;
  return { ...told, ended: lines - waiting, paid, failed, unknown, skipped, waiting };
}

export type LivePages = ReturnType<typeof livePages>;

/**
 * Tells pages how orders come along, by server-sent events. However many pages look at an order,
 * Temporal is asked about it once in two seconds, and not at all while nobody looks.
 */
export function livePages({ status }: Pick<Steadfast, 'status'>) {
  const watched = new Map<string, { pages: Set<ServerResponse>; last: string }>();
  const count = (): number => [...watched.values()].reduce((sum, { pages }) => sum + pages.size, 0);

  const watch = async (id: string): Promise<void> => {
    const order = watched.get(id);
    if (order === undefined || order.pages.size === 0) {
      watched.delete(id);
      return;
    }
    // A page is told of the next look where this one fails.
    const told = await status(id).then(progressTold, () => undefined);
    const data = told === undefined ? order.last : JSON.stringify(told);
    const text = data === order.last ? ': still there\n\n' : `data: ${data}\n\n`;
    order.last = data;
    for (const page of order.pages) page.write(text);
    setTimeout(() => void watch(id), everyMs);
  };

  return {
    /** Tells a page of an order from now on, until it is closed. */
    listen: (id: string, reply: FastifyReply): void => {
      if (count() >= listenersMax)
        throw new Refusal(429, 'Too many pages listen. Come back later.');
      reply.hijack();
      const page = reply.raw;
      page.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      const known = watched.get(id);
      const order = known ?? { pages: new Set(), last: '' };
      order.pages.add(page);
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
