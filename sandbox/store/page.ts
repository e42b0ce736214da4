import { z } from 'zod';
import { fault, found, type Side } from '../errors/errors';
import { invalidField } from '../errors/fieldFaults';
import type { Collection } from './collection';
import type { Filters, SortOrder } from './list';

/** The input that every list has. */
type PageInput = {
  from?: string | undefined;
  to?: string | undefined;
  pageBefore?: string | undefined;
  pageAfter?: string | undefined;
  pageSize?: number | string | undefined;
  order?: SortOrder | undefined;
};

/** The place of a page: the ids that lead to the pages beside it, if there are such pages. */
export type PageLinks = { size: number; next: string | undefined; prev: string | undefined };

/** Hears where the page lies that a handler has read. */
export type Paged = ((links: PageLinks) => void) | undefined;

/** A list that can be read page by page. */
export type Listed<Row extends { id: string }, Name extends string> = Pick<
  Collection<Row, Name>,
  'get' | 'list'
>;

type Reading<Name extends string> = {
  input: PageInput;
  filters?: Filters<Name>;
  paged: Paged;
  side?: Side;
};

const pageSizeDefault = 10;
/** A greater size counts as this one. */
const pageSizeMax = 50;

/**
 * One page of a list. Refuses a cursor that does not exist with 156014 or 156012, on the side of
 * contracts with 175408. Refuses two cursors with code 2.
 */
export function readPage<Row extends { id: string }, Name extends string>(
  listed: Listed<Row, Name>,
  { input, filters = {}, paged, side = 'wallets' }: Reading<Name>,
): Row[] {
  const { pageBefore: before, pageAfter: after, order } = input;
  checkCursors(listed, input, side);
  const size = Math.min(Number(input.pageSize ?? pageSizeDefault), pageSizeMax);
  const query = { filters, order, ...moments(input, side) };
  const isThere = (beside: { before?: string; after?: string }) =>
    listed.list({ ...query, ...beside, limit: 1 }).length > 0;

  // One more than fits tells whether the list goes on. It is the one that is furthest away.
  const rows = listed.list({ ...query, before, after, limit: size + 1 });
  const goesOn = rows.length > size;
  const page = before === undefined ? rows.slice(0, size) : rows.slice(goesOn ? 1 : 0);
  const [first, last] = [page[0]?.id, page.at(-1)?.id];
  const hasNext = before === undefined ? goesOn : last !== undefined && isThere({ after: last });
  const hasPrev =
    before === undefined
      ? after !== undefined && first !== undefined && isThere({ before: first })
      : goesOn;
  paged?.({ size, next: hasNext ? last : undefined, prev: hasPrev ? first : undefined });
  return page;
}

function checkCursors(listed: Listed<{ id: string }, never>, input: PageInput, side: Side): void {
  const { pageBefore, pageAfter } = input;
  if (pageBefore !== undefined && pageAfter !== undefined) {
    throw invalidField(input, 'pageAfter', 'Give either pageBefore or pageAfter, not both');
  }
  const cursor = pageBefore ?? pageAfter;
  if (cursor === undefined) return;
  if (!z.guid().safeParse(cursor).success) throw fault('cursorIsNoUuid', side);
  found(listed.get(cursor), 'noCursor', side);
}

const secondMs = 1_000;
const dayMs = 86_400_000;

/**
 * The range of creation times that `from` and `to` select, both included. Contracts count to the
 * millisecond, all others in whole seconds. A date means its whole day.
 */
function moments({ from, to }: PageInput, side: Side): { fromMs?: number; toMs?: number } {
  const stepMs = side === 'contracts' ? 1 : secondMs;
  const lastOf = (text: string) => Date.parse(text) + (text.includes('T') ? 0 : dayMs - 1);
  return {
    ...(from === undefined ? {} : { fromMs: Math.ceil(Date.parse(from) / stepMs) * stepMs }),
    ...(to === undefined ? {} : { toMs: Math.floor(lastOf(to) / stepMs) * stepMs + stepMs - 1 }),
  };
}

/** A list that is at hand, to be read page by page. What is hidden only keeps its place. */
export function listed<Row extends { id: string; hidden: boolean }>(
  all: readonly Row[],
): Listed<Row, never> {
  const placeOf = (id: string | undefined, otherwise: number) =>
    id === undefined ? otherwise : all.findIndex((row) => row.id === id);
  return {
    get: (id) => all.find((row) => row.id === id),
    list: ({ after, before, limit = all.length } = {}) => {
      const rows = all
        .slice(placeOf(after, -1) + 1, placeOf(before, all.length))
        .filter(({ hidden }) => !hidden);
      return before === undefined ? rows.slice(0, limit) : rows.slice(-limit);
    },
  };
}
