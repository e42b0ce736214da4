import { setTimeout as sleep } from 'node:timers/promises';
import type { CallOptions } from './endpoints';
import { RefusedError, UnexpectedAnswerError } from './errors';
import type { Balance } from './objects/token';

/** The size of a page, and the item that it follows. */
export type Page = { pageSize: number; pageAfter?: string };

/** Reads one page. `how` goes along with the call: the service tells there if the list goes on. */
export type ReadPage<Item> = (
  page: Page,
  how: Pick<CallOptions, 'paged'>,
) => Promise<readonly Item[]>;

/** A way through a list, page by page. */
export type Walk<Item> = {
  /** The item that the next page follows. Undefined at the beginning. */
  after(): string | undefined;
  /** Reads the next page, which is empty at the end. After an error, the same page is read again. */
  next(): Promise<readonly Item[]>;
};

type WalkOptions = {
  /** The item that an earlier walk has ended with. Default: from the beginning. */
  after?: string | undefined;
  /** The time between two questions for the same page. */
  apartMs?: number | undefined;
};

/** The walk cannot go on from where it is. Only a new one, from the beginning, reads the list. */
export class PlaceLostError extends UnexpectedAnswerError {}

/** The service's largest page (hosted-service facts, page). */
export const pageSize = 50;
const apartUsualMs = 500;

/**
 * Walks through a list of the service. The list ends only where two answers agree. Either
 * a page says that it is the last, and the page after it is empty. Or the same page is empty twice.
 * So one empty answer never hides what comes after it. A page is full, unless it is the last one.
 * So a shorter one lacks items.
 */
export function walkOf<Item extends { id: string }>(
  read: ReadPage<Item>,
  { after, apartMs = apartUsualMs }: WalkOptions = {},
): Walk<Item> {
  const ends = new Set<string>();
  let place = after;
  /** True or false as the page before has told. Undefined if it told nothing. */
  let goesOn: boolean | undefined;
  /** The size of the fullest page that another one follows. */
  let most = 0;

  const ask = async () => {
    let isMore: boolean | undefined;
    const paged: CallOptions['paged'] = ({ next }) => {
      isMore = next !== undefined;
    };
    const cursor = place === undefined ? {} : { pageAfter: place };
    const items = await read({ pageSize, ...cursor }, { paged }).catch((error: unknown) => {
      throw place !== undefined && isOfPlace(error) ? lost(error) : error;
    });
    if (items.length === 0 && (goesOn || isMore)) throw gap(place, 'is empty');
    if (isMore) fill(items.length);
    return { items, isMore };
  };

  /** Compares a page that is not the last one with the others. */
  const fill = (items: number): void => {
    if (items < most) throw gap(place, `has ${items} of ${most} items`);
    // A page before it was shorter, and so has lacked some.
    if (items > most && most > 0) throw short(place, items, most);
    most = items;
  };

  return {
    after: () => place,
    next: async () => {
      let page = await ask();
      if (page.items.length === 0 && goesOn === undefined) {
        await sleep(apartMs);
        page = await ask();
      }
      const last = page.items.at(-1)?.id;
      if (last === undefined) return [];
      if (last === place || ends.has(last)) throw twice(place, last);
      ends.add(last);
      place = last;
      goesOn = page.isMore;
      return page.items;
    },
  };
}

/** The pages of a list, to its end. */
export async function* pagesOf<Item extends { id: string }>(
  read: ReadPage<Item>,
  options: WalkOptions = {},
): AsyncGenerator<readonly Item[]> {
  const walk = walkOf(read, options);
  for (;;) {
    const items = await walk.next();
    if (items.length === 0) return;
    yield items;
  }
}

/**
 * Reads all balances of a wallet, however many tokens it holds. Most wallets hold few, so that one
 * call is enough. A full page, or one that another follows, is read on by the pager.
 */
export async function balancesOf(read: ReadPage<Balance>): Promise<readonly Balance[]> {
  let isMore = false;
  const paged: CallOptions['paged'] = ({ next }) => {
    isMore = next !== undefined;
  };
  const first = await read({ pageSize }, { paged });
  if (first.length < pageSize && !isMore) return first;
  const all: Balance[] = [];
  const pages = pagesOf(async (page, how) =>
    (await read(page, how)).map((balance) => ({ id: balance.token.id, balance })),
  );
  for await (const page of pages) all.push(...page.map(({ balance }) => balance));
  return all;
}

/** True for a refusal of the place where a page begins. */
function isOfPlace(error: unknown): error is RefusedError {
  return error instanceof RefusedError && [400, 404, 410].includes(error.status);
}

function lost({ message, status, requestId }: RefusedError): PlaceLostError {
  const words = `${message.replace(/\.$/, '')}. The list is read again from its beginning.`;
  return new PlaceLostError(words, { status, requestId });
}

function gap(after: string | undefined, words: string): UnexpectedAnswerError {
  return new UnexpectedAnswerError(
    `A list has a gap: ${pageAfter(after)} ${words}, and the service says that more follow. ` +
      'The page is read again.',
    { status: 200 },
  );
}

function short(after: string | undefined, items: number, most: number): PlaceLostError {
  return new PlaceLostError(
    `A list has a gap: ${pageAfter(after)} has ${items} items, and a page before it only ${most}. ` +
      'The list is read again from its beginning.',
    { status: 200 },
  );
}

function twice(after: string | undefined, last: string): PlaceLostError {
  return new PlaceLostError(
    `A list does not end: ${pageAfter(after)} ends with ${last} again. ` +
      'The list is read again from its beginning.',
    { status: 200 },
  );
}

function pageAfter(after: string | undefined): string {
  return after === undefined ? 'the first page' : `the page after ${after}`;
}

/** An item with the moment of its creation. */
type Dated = { createDate: string };

/** So many neighbours have to agree on a time, since a single record may have a wrong one. */
const neighbours = 10;

/** Hears the pages of a list, newest first. Answers true once they are older than a moment. */
export function passing(ms: number): (page: readonly Dated[]) => boolean {
  let last: Dated[] = [];
  return (page) => {
    last = [...last, ...page].slice(-neighbours);
    return last.length === neighbours && last.every((one) => timeOf(one) < ms);
  };
}

/**
 * The time at which a list begins, by its first page, newest first. The newest few do not count,
 * and none is in the future. So a wrong date moves nothing. Zero if no date can be read.
 */
export function listStartMs(page: readonly Dated[]): number {
  const times = page.map(timeOf).filter(Number.isFinite);
  const sorted = times.sort((one, other) => other - one);
  return Math.min(Date.now(), sorted[neighbours - 1] ?? sorted.at(-1) ?? 0);
}

/** The record by which a later walk knows that it has come to where this page begins. */
export function anchorOf<Item extends { id: string }>(page: readonly Item[]): string | undefined {
  return (page[neighbours - 1] ?? page.at(-1))?.id;
}

function timeOf({ createDate }: Dated): number {
  return Date.parse(createDate);
}
