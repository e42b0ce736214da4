import { RefusedError } from '../src/custody/errors';
import { pagesOf, type ReadPage } from '../src/custody/list';
import { beat, rest } from './beating';

const tooManyDefaultMs = 1_000;
const tooManyMaxMs = 10_000;

/** Returns every item of a list, newest first. */
export async function everyPage<Item extends { id: string }>(
  read: ReadPage<Item>,
): Promise<Item[]> {
  const items: Item[] = [];
  const pages = pagesOf<Item>((page, how) => {
    // A long list takes time. Tell Temporal that it is still being read.
    beat();
    return withinLimits(() => read(page, how));
  });
  for await (const page of pages) items.push(...page);
  return items;
}

/** Waits out the service's rate limit. A long list that starts over each time would never end. */
export async function withinLimits<T>(read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof RefusedError) || error.status !== 429) throw error;
      beat();
      await rest(Math.min(error.retryAfterMs ?? tooManyDefaultMs, tooManyMaxMs));
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
    beat();
  }
  return answers;
}
