import { z } from 'zod';
import { type Html, html } from './html';

/** Orders on a page of a list. */
const shownMax = 100;

/** The moment up to which a list looks back, as an address has it. Empty for now. */
export const until = z.union([z.literal(''), z.iso.datetime()]).default('');

/** Asks for one more than a page shows: older ones begin with it. */
export function pageUntil(moment: string): { limit: number; until?: string } {
  return { limit: shownMax + 1, ...(moment === '' ? {} : { until: moment }) };
}

/** The part of a list that a page shows, and the way to older ones. */
export function olderThan<Listed extends { startedAt: string }>(
  listed: readonly Listed[],
  { path, ...filter }: { path: string } & Record<string, string>,
): { here: readonly Listed[]; older: Html | undefined } {
  const here = listed.slice(0, shownMax);
  const next = listed[shownMax];
  if (next === undefined) return { here, older: undefined };
  const to = `${path}?${new URLSearchParams({ ...filter, until: next.startedAt })}`;
  const words = `This page looks at ${shownMax} of them.`;
  return { here, older: html`<p>${words} <a href="${to}">Older ones</a></p>` };
}
