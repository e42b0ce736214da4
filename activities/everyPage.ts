import { heartbeat, sleep } from '@temporalio/activity';
import { RefusedError, UnexpectedAnswerError } from '../src/custody/errors';

/** Where to go on in a list, and how much to take of it at once. */
export type PageInput = { pageSize: number; pageAfter?: string };

/** The most that the service gives at once (hosted-service facts, page). */
const pageSize = 50;

const tooManyDefaultMs = 1_000;
const tooManyMaxMs = 10_000;

/**
 * Every item of a list, newest first, to its very end, or until they are enough: a page that is
 * shorter than was asked for may be the service's choice, so that only an empty one is the last.
 */
export async function everyPage<Item extends { id: string }>(
  read: (page: PageInput) => Promise<readonly Item[]>,
  areEnough: (items: readonly Item[]) => boolean = () => false,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let after: string | undefined; ; after = items.at(-1)?.id) {
    const input = after === undefined ? { pageSize } : { pageSize, pageAfter: after };
    const page = await withinLimits(() => read(input));
    // A long list takes its time, and says meanwhile that it is being read.
    heartbeat();
    if (page.length === 0) return items;
    if (page.at(-1)?.id === after) {
      const message = `A list does not end: the page after ${after} ends with it again.`;
      throw new UnexpectedAnswerError(message, { status: 200 });
    }
    items.push(...page);
    if (areEnough(page)) return items;
  }
}

/** The limit of calls is waited out here: a long list that began anew each time would never end. */
export async function withinLimits<T>(read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof RefusedError) || error.status !== 429) throw error;
      heartbeat();
      await sleep(Math.min(error.retryAfterMs ?? tooManyDefaultMs, tooManyMaxMs));
    }
  }
}
