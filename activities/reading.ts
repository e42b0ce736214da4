import { heartbeat, sleep } from '@temporalio/activity';
import { RefusedError, UnexpectedAnswerError } from '../src/custody/errors';

/** Position in a list, and the size of a page. */
export type PageInput = { pageSize: number; pageAfter?: string };

/** The service's largest page (hosted-service facts, page). */
const pageSize = 50;

const tooManyDefaultMs = 1_000;
const tooManyMaxMs = 10_000;

/**
 * Returns every item of a list, newest first. The service may return a page shorter than asked for.
 * Only an empty page is the last.
 */
export async function everyPage<Item extends { id: string }>(
  read: (page: PageInput) => Promise<readonly Item[]>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let after: string | undefined; ; after = items.at(-1)?.id) {
    const input = after === undefined ? { pageSize } : { pageSize, pageAfter: after };
    const page = await withinLimits(() => read(input));
    // A long list takes time. Tell Temporal that it is still being read.
    heartbeat();
    if (page.length === 0) return items;
    if (page.at(-1)?.id === after) {
      const message = `A list does not end: the page after ${after} ends with it again.`;
      throw new UnexpectedAnswerError(message, { status: 200 });
    }
    items.push(...page);
  }
}

/** Waits out the service's rate limit. A long list that starts over each time would never end. */
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

/**
 * Asks about several items at a time, one slice after another, and keeps their order. Heartbeats
 * after each slice. The first error ends it.
 */
export async function inSlices<Item, Answer>(
  items: readonly Item[],
  size: number,
  ask: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let first = 0; first < items.length; first += size) {
    answers.push(...(await Promise.all(items.slice(first, first + size).map(ask))));
    heartbeat();
  }
  return answers;
}
