type Item = { id: string };
type Cursor = { pageSize: number; pageAfter?: string };

/** All items of a list. It follows the cursors: each page begins after the last item so far. */
export async function everyPage<Found extends Item>(
  list: (cursor: Cursor) => Promise<Found[]>,
  pageSize: number,
): Promise<Found[]> {
  const found: Found[] = [];
  for (;;) {
    const last = found.at(-1);
    const page = await list({ pageSize, ...(last === undefined ? {} : { pageAfter: last.id }) });
    expect(page.length).toBeLessThanOrEqual(pageSize);
    found.push(...page);
    if (page.length < pageSize) return found;
  }
}
