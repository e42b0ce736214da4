/**
 * Makes the value of a key once, and again only when so many others were made since that it had to
 * be forgotten. For what always comes out the same, and takes long to make.
 */
export function memoize<Value>(
  keptMax: number,
  make: (key: string) => Value,
): (key: string) => Value {
  const kept = new Map<string, Value>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    kept.set(key, value);
    const [oldest] = kept.keys();
    if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest);
    return value;
  };
}
