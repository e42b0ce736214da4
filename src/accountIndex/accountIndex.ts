import { UnexpectedAnswerError } from '../custody/errors';
import { finalState } from '../custody/objects/state';
import type { Transaction } from '../custody/objects/transaction';
import { createReader, type ReaderOptions } from './reader';
import { briefly, type Entry, type IndexedRecord, type KeptRecord } from './records';

/** A caller that waits for readings of the list. */
export type Asker = {
  /** The same in all attempts of one question, so that an attempt continues the last one. */
  name?: string;
  /** Ends the wait. */
  signal?: AbortSignal;
  /** Called after each page. */
  onPage?: () => void;
};

export type Answer = {
  /** When the reading began that the answer rests on, by the local clock. */
  asOfMs: number;
  /** Number of records with a reference of ours. */
  seen: number;
  entries: Entry[];
};

/** The transactions that an account has sent, by their reference. Every failure is the service's. */
export type AccountIndex = {
  /** Finds all records with these hashes that the list has shown since the question. */
  lookUp(hashes: readonly string[], asker?: Asker): Promise<Answer>;
  /** Reads one page of the first pass. Returns the number of records so far, or undefined at its end. */
  build(): Promise<number | undefined>;
  /** A record that was read before, by the last digits of its id. */
  known(ending: string): Promise<IndexedRecord | undefined>;
  /** No record of ours is older that is not known. Waits for the end of the first pass. */
  unknownSinceMs(asker?: Asker): Promise<number>;
  /** True after the first pass through the list. */
  isWhole(): Promise<boolean>;
  /** The kept records that were created in a period. One of a batch may come twice. */
  createdIn(period: { fromMs: number; untilMs: number }): Promise<Iterable<KeptRecord>>;
  /** Keeps records that were read elsewhere. */
  keep(records: readonly Transaction[]): Promise<void>;
};

const questionsMax = 10_000;

/**
 * An index of all that the account has sent. It filters by no wallet, recipient, operation or time,
 * so that nothing that was corrected in an order hides a payment. All questions of a process share
 * the readings of the list, but each is answered from a reading that began after it.
 */
export function createAccountIndex(options: ReaderOptions): AccountIndex {
  const reader = createReader(options);
  /** When each question was asked first. */
  const questions = new Map<string, number>();

  const ask = ({ name }: Asker): number => {
    const asked = (name === undefined ? undefined : questions.get(name)) ?? reader.tick();
    if (name !== undefined) questions.set(name, asked);
    // A question that is forgotten is only answered from a later reading.
    const [oldest] = questions.keys();
    if (questions.size > questionsMax && oldest !== undefined) questions.delete(oldest);
    return asked;
  };

  return {
    lookUp: async (hashes, asker = {}) => {
      const asked = ask(asker);
      const { asOfMs } = await until(asker, async () => {
        const covered = reader.covered();
        if (covered !== undefined && covered.began > asked) return covered;
        await reader.readPage();
        return undefined;
      });
      const records = await reader.records();
      const entries: Entry[] = [];
      for (const entry of hashes.flatMap((hash) => records.withHash(hash))) {
        asker.signal?.throwIfAborted();
        const { id, state } = entry.record;
        const isFresh = finalState(state) !== undefined || reader.readSince(id, asked);
        entries.push(isFresh ? entry : { ...entry, record: await readAgain(id) });
        if (!isFresh) asker.onPage?.();
      }
      if (asker.name !== undefined) questions.delete(asker.name);
      return { asOfMs, seen: records.count(), entries };
    },
    build: async () => {
      const records = await reader.records();
      if ((await reader.unknownSinceMs()) !== undefined) return undefined;
      await reader.readPage();
      return records.count();
    },
    known: async (ending) => (await reader.records()).withEnding(ending),
    unknownSinceMs: (asker = {}) =>
      until(asker, async () => {
        const sinceMs = await reader.unknownSinceMs();
        if (sinceMs === undefined) await reader.readPage();
        return sinceMs;
      }),
    isWhole: async () => (await reader.unknownSinceMs()) !== undefined,
    createdIn: async ({ fromMs, untilMs }) => (await reader.records()).createdIn(fromMs, untilMs),
    keep: async (records) => reader.keep(records, reader.tick()),
  };

  /** The state of a record that was not final when it was read. */
  async function readAgain(id: string): Promise<IndexedRecord> {
    const at = reader.tick();
    const { transaction } = await options.custody.getTransaction({ id });
    if (transaction.id !== id) {
      const message = `Transaction ${id} was asked for, and ${transaction.id} was the answer.`;
      throw new UnexpectedAnswerError(message, { status: 200 });
    }
    await reader.keep([transaction], at);
    return briefly(transaction);
  }
}

/** Repeats until there is an answer. */
async function until<T>(asker: Asker, attempt: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    asker.signal?.throwIfAborted();
    const answer = await attempt();
    if (answer !== undefined) return answer;
    asker.onPage?.();
  }
}
