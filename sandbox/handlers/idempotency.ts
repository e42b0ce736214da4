import { createHash } from 'node:crypto';
import { canonicalJson } from '../../src/custody/canonicalJson';
import type { Settings } from '../config/settings';
import { ApiError, fault, type Side } from '../errors/errors';
import type { KeptAnswer, Store } from '../store/store';

/** The decision of a handler: its answer, and the records that make it true. */
type Decision<Answer> = { answer: Answer; save: () => void };

/** Called when an answer creates nothing, such as a replay: the server shows 200 instead of 201. */
export type Replayed = (() => void) | undefined;

type Keyed = {
  endpoint: string;
  key: string;
  side: Side;
  /** The input of the call, as its schema has parsed it. */
  input: Record<string, unknown>;
  replayed: Replayed;
};

type Rules = Pick<Settings, 'keyLifetimeMs' | 'sameKeyOtherBody' | 'refusalBurnsKey'>;

/**
 * Answers a key once. The records and the kept answer are committed together. The same key gets the
 * same answer, whatever its body says, as the hosted service was seen to do. A refused request
 * keeps no key. A key that another endpoint has answered is refused.
 *
 * Settings make it stricter: another body is refused, a refusal burns its key, and a key older than
 * its lifetime counts as new.
 */
export function createIdempotency(store: Store, rules: Rules) {
  const underWay = new Map<string, Promise<unknown>>();

  return async function once<Answer>(
    keyed: Keyed,
    decide: () => Promise<Decision<Answer>>,
  ): Promise<Answer> {
    // Duplicates that arrive together wait for the first one, whatever its result.
    for (let first = underWay.get(keyed.key); first; first = underWay.get(keyed.key)) {
      await first.catch(() => {});
    }
    const deciding = answerOnce({ store, rules }, keyed, decide);
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
  { store, rules }: { store: Store; rules: Rules },
  keyed: Keyed,
  decide: () => Promise<Decision<Answer>>,
): Promise<Answer> {
  const { endpoint, key, side } = keyed;
  const inputHash = hashOf(keyed.input);
  const keep = (answer?: string) => {
    const kept = { endpoint, inputHash, createdAtMs: Date.now() };
    store.keys.insert(key, answer === undefined ? kept : { ...kept, answer });
  };
  const kept = store.keys.get(key);
  if (kept !== undefined && kept.createdAtMs + rules.keyLifetimeMs > Date.now()) {
    const answer = keptAnswer(kept, { endpoint, inputHash, rules });
    if (answer === undefined) throw fault('keyTaken', side);
    keyed.replayed?.();
    return JSON.parse(answer);
  }
  try {
    const { answer, save } = await decide();
    store.atomically(() => {
      save();
      keep(JSON.stringify(answer));
    });
    return answer;
  } catch (error) {
    if (rules.refusalBurnsKey && error instanceof ApiError && error.status < 500) keep();
    throw error;
  }
}

/** The answer that a repeat gets. Undefined if it is to use a key of its own. */
function keptAnswer(
  kept: KeptAnswer,
  repeat: { endpoint: string; inputHash: string; rules: Rules },
): string | undefined {
  const isOtherBody = kept.inputHash !== repeat.inputHash;
  if (kept.endpoint !== repeat.endpoint) return undefined;
  if (isOtherBody && repeat.rules.sameKeyOtherBody === 'refuse') return undefined;
  return kept.answer;
}

/** The same for the same fields in any order. The key itself is left out, so its case is too. */
function hashOf({ idempotencyKey: _, ...input }: Record<string, unknown>): string {
  return createHash('sha256').update(canonicalJson(input)).digest('hex');
}
