/** Does something once in the life of an order, however often its workflow continues as new. */
export async function once<T>(
  live: { carried: { done: Record<string, unknown> } },
  path: string,
  make: () => Promise<T>,
): Promise<T> {
  if (path in live.carried.done) return live.carried.done[path] as T;
  const made = await make();
  live.carried.done[path] = made;
  return made;
}
