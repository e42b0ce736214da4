import { fault, type Side } from './errors';
import type { Store } from './store';

/** What a handler has decided: its answer, and the records that make it true. */
export type Decision<Answer> = { answer: Answer; save: () => void };

/** Called when an answer is a replay, which the server shows as 200 instead of 201. */
export type Replayed = (() => void) | undefined;

export type Keyed = { endpoint: string; key: string; side: Side; replayed: Replayed };

/**
 * Answers a key once: the records and the kept answer are committed together, and the same key gets
 * the same answer, whatever its body says, as the hosted service was seen to do. A refused request
 * keeps no key. A key that another endpoint has answered is refused.
 */
export function createIdempotency(store: Store) {
  const underWay = new Map<string, Promise<unknown>>();

  return async function once<Answer>(
    keyed: Keyed,
    decide: () => Promise<Decision<Answer>>,
  ): Promise<Answer> {
    // Duplicates that arrive together wait for the first one, whatever it comes to.
    for (let first = underWay.get(keyed.key); first; first = underWay.get(keyed.key)) {
      await first.catch(() => {});
    }
    const deciding = answerOnce(store, keyed, decide);
    underWay.set(keyed.key, deciding);
    try {
      return await deciding;
    } finally {
      underWay.delete(keyed.key);
    }
  };
}

export type Idempotency = ReturnType<typeof createIdempotency>;

async function answerOnce<Answer>(
  store: Store,
  keyed: Keyed,
  decide: () => Promise<Decision<Answer>>,
): Promise<Answer> {
  const kept = store.keys.get(keyed.key);
  if (kept !== undefined) {
    if (kept.endpoint !== keyed.endpoint) throw fault('keyTaken', keyed.side);
    keyed.replayed?.();
    return JSON.parse(kept.answer);
  }
  const { answer, save } = await decide();
  store.atomically(() => {
    save();
    store.keys.insert(keyed.key, {
      endpoint: keyed.endpoint,
      answer: JSON.stringify(answer),
      createdAtMs: Date.now(),
    });
  });
  return answer;
}
