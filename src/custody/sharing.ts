/** A question that callers at the same time share. A later caller asks again. */
export function sharing<T>(ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<T> | undefined;
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

type Remembering<T> = {
  /** An answer counts this long. */
  ms: number;
  /** Number of answers after which all are forgotten. Default: no limit. */
  most?: number;
  /** False for an answer that is asked for again. Default: each one is kept. */
  isKept?: (answer: T) => boolean;
};

/**
 * Remembers answers by their keys for a time, so that many who ask cost one question. A failed
 * question is not remembered.
 */
export function remembering<T>({
  ms,
  most = Number.POSITIVE_INFINITY,
  isKept = () => true,
}: Remembering<T>): (key: string, ask: () => Promise<T>) => Promise<T> {
  const answers = new Map<string, Promise<T>>();
  return (key, ask) => {
    const known = answers.get(key);
    if (known !== undefined) return known;
    if (answers.size >= most) answers.clear();
    const answer = ask();
    answers.set(key, answer);
    const forget = (): void => {
      if (answers.get(key) === answer) answers.delete(key);
    };
    answer.then((told) => {
      if (isKept(told)) setTimeout(forget, ms).unref();
      else forget();
    }, forget);
    return answer;
  };
}

/** A memory of the newest entries. Old ones are forgotten, so that it never grows. */
type Recent<Key, Value> = {
  get(key: Key): Value | undefined;
  /** Makes the entry the newest one. */
  set(key: Key, value: Value): void;
  delete(key: Key): void;
};

export function createRecent<Key, Value>(most: number): Recent<Key, Value> {
  const entries = new Map<Key, Value>();
  return {
    get: (key) => entries.get(key),
    set: (key, value) => {
      entries.delete(key);
      entries.set(key, value);
      const [oldest] = entries.keys();
      if (entries.size > most && oldest !== undefined) entries.delete(oldest);
    },
    delete: (key) => void entries.delete(key),
  };
}
