import { heartbeat } from '@temporalio/activity';
import { UnexpectedAnswerError } from '../src/custody/errors';

/** Where to go on in a list, and how much to take of it at once. */
export type PageInput = { pageSize: number; pageAfter?: string };

/** The most that the service gives at once (hosted-service facts, page). */
const pageSize = 50;

/**
 * Every item of a list, newest first, to its very end: a page that is shorter than was asked for
 * may be the service's choice, so that only an empty one is the last.
 */
export async function everyPage<Item extends { id: string }>(
  read: (page: PageInput) => Promise<readonly Item[]>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let after: string | undefined; ; after = items.at(-1)?.id) {
    const page = await read(after === undefined ? { pageSize } : { pageSize, pageAfter: after });
    // A long list takes its time, and says meanwhile that it is being read.
    heartbeat();
    if (page.length === 0) return items;
    if (page.at(-1)?.id === after) {
      const message = `A list does not end: the page after ${after} ends with it again.`;
      throw new UnexpectedAnswerError(message, { status: 200 });
    }
    items.push(...page);
  }
}
