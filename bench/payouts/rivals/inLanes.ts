/** Calls a function for each item, as many at a time as there are lanes. */
export async function inLanes<Item>(
  items: readonly Item[],
  lanes: number,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let item = items[next++]; item !== undefined; item = items[next++]) await act(item);
    }),
  );
}

/** Limits how many calls run at a time. The others wait for their turn. */
export function gate(width: number): <T>(act: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return async (act) => {
    if (inside >= width) await new Promise<void>((enter) => waiting.push(enter));
    else inside += 1;
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next === undefined) inside -= 1;
      else next();
    }
  };
}
