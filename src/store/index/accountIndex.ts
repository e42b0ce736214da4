import {
  CustodyError,
  NotSentError,
  RefusedError,
  UnexpectedAnswerError,
} from '../../custody/errors';
import { claimsNoEffect } from '../../custody/objects/finalWord';
import { finalState } from '../../custody/objects/state';
import { type Transaction, unreadableState } from '../../custody/objects/transaction';
import { createRecent } from '../../custody/sharing';
import { wholeList } from './pass';
import { createReader, type ReaderOptions } from './reader';
import type { Entry, IndexedRecord, KeptRecord } from './records';

/** A caller that waits for readings of the list. */
export type Asker = {
  /** The same in all attempts of one question, so that an attempt continues the last one. */
  name?: string;
  /** Ends the wait. */
  signal?: AbortSignal;
  /** Called after each page. */
  onPage?: () => void;
};

/** The part of the list that a look-up reads again, even where the index has it. */
export type Depth = {
  /**
   * No record is older that may be missing in the index, by a clock of a worker. Zero: the whole
   * list is read. Default: what is known is not read again.
   */
  backToMs?: number | undefined;
};

type Answer = {
  /** When the reading began that the answer rests on, by the local clock. */
  asOfMs: number;
  /** Number of records with a reference of ours. */
  seen: number;
  entries: Entry[];
};

/** The transactions that an account has sent, by their reference. Failures are the service's. */
export type AccountIndex = {
  /**
   * Finds all records with these hashes that the list has shown since the question. A record that
   * has not completed is read again. If it cannot be read, it is found as known, and not final.
   */
  lookUp(hashes: readonly string[], asker?: Asker & Depth): Promise<Answer>;
  /**
   * Reads a page of the first pass, or of one that is due and fills the holes of those before.
   * Returns the number of records so far. Undefined while none is due.
   */
  build(): Promise<number | undefined>;
  /** A record that was read before. */
  known(id: string): Promise<IndexedRecord | undefined>;
  /** No record of ours is older that is not known. Waits for the end of the first pass. */
  unknownSinceMs(asker?: Asker): Promise<number>;
  /** True after the first pass through the list. */
  isWhole(): Promise<boolean>;
  /** The kept records that were created in a period. A record of a batch may come twice. */
  createdIn(period: { fromMs: number; untilMs: number }): Promise<Iterable<KeptRecord>>;
  /** Keeps records that were read elsewhere. */
  keep(records: readonly Transaction[]): Promise<void>;
};

const questionsMax = 10_000;
/** Records that are read one by one at the same time. */
const atOnce = 10;
/** The clocks of the service and of a worker differ by less. */
const clocksDifferMs = 3_600_000;

/**
 * An index of all that the account has sent. It filters by no wallet, recipient, operation or time,
 * so that nothing that was corrected in an order hides a payment. All questions of a process share
 * the readings of the list, but each is answered from a reading that began after it.
 */
export function createAccountIndex(options: ReaderOptions): AccountIndex {
  const reader = createReader(options);
  /** When each question was asked first. A forgotten one is only answered from a later reading. */
  const questions = createRecent<string, number>(questionsMax);

  const ask = ({ name }: Asker): number => {
    const asked = (name === undefined ? undefined : questions.get(name)) ?? reader.tick();
    if (name !== undefined) questions.set(name, asked);
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
      if (asker.backToMs !== undefined) await readBack(asked, asker.backToMs, asker);
      const records = await reader.records();
      const entries = (): Entry[] => hashes.flatMap((hash) => records.withHash(hash));
      const due = entries().flatMap(({ record: { id, state } }) =>
        finalState(state) === 'COMPLETE' || reader.readSince(id, asked) ? [] : id,
      );
      const unread = await readAgain([...new Set([...due, ...records.unnamed()])], asker);
      const [unnamed] = records.unnamed();
      if (unnamed !== undefined && hashes.some((hash) => records.withHash(hash).length === 0)) {
        throw nameless(unnamed);
      }
      if (asker.name !== undefined) questions.delete(asker.name);
      const found = entries().map((one) => (unread.has(one.record.id) ? inDoubt(one) : one));
      return { asOfMs, seen: records.count(), entries: found };
    },
    build: async () => {
      const records = await reader.records();
      if ((await reader.unknownSinceMs()) === undefined) await reader.readPage();
      else if (!(await reader.readDue())) return undefined;
      return records.count();
    },
    known: async (id) => (await reader.records()).withId(id),
    unknownSinceMs: (asker = {}) =>
      until(asker, async () => {
        const sinceMs = await reader.unknownSinceMs();
        if (sinceMs === undefined) await reader.readPage();
        return sinceMs;
      }),
    isWhole: async () => (await reader.unknownSinceMs()) !== undefined,
    createdIn: async ({ fromMs, untilMs }) => (await reader.records()).createdIn(fromMs, untilMs),
    keep: async (records) => reader.keep(records, { at: reader.tick() }),
  };

  /** Reads the list once more, back to a moment, since the question was asked. */
  async function readBack(asked: number, sinceMs: number, asker: Asker): Promise<void> {
    const backToMs = Math.max(sinceMs - clocksDifferMs, wholeList);
    await until(asker, async () => {
      if (reader.askedPass.hasEnded(asked, backToMs)) return true;
      await reader.askedPass.readPage(backToMs);
      return undefined;
    });
  }

  /** Reads records one by one, and keeps them. Returns the ids of those that cannot be read. */
  async function readAgain(ids: readonly string[], asker: Asker): Promise<Set<string>> {
    const unread = new Set<string>();
    const readOne = async (id: string): Promise<void> => {
      const at = reader.tick();
      const found = await options.custody.getTransaction({ id }).catch(refuseUnlessOfRecord);
      if (found?.transaction.id !== id) unread.add(id);
      else await reader.keep([found.transaction], { at, isAlone: true });
    };
    for (let first = 0; first < ids.length; first += atOnce) {
      asker.signal?.throwIfAborted();
      await Promise.all(ids.slice(first, first + atOnce).map(readOne));
      asker.onPage?.();
    }
    return unread;
  }
}

/** Passes on an error that says nothing of the record: of the key, the rate limit, the network. */
function refuseUnlessOfRecord(error: unknown): undefined {
  const isOfCaller = error instanceof RefusedError && [401, 403, 429].includes(error.status);
  if (isOfCaller || error instanceof NotSentError || !(error instanceof CustodyError)) throw error;
  return undefined;
}

/** A record that cannot be read now. The last word about it proves nothing. */
function inDoubt(entry: Entry): Entry {
  const { record } = entry;
  if (!claimsNoEffect(record)) return entry;
  return { ...entry, record: { ...record, state: unreadableState } };
}

function nameless(id: string): UnexpectedAnswerError {
  return new UnexpectedAnswerError(
    `Transaction ${id} is not the interface, and may have any reference. So nothing counts as ` +
      'absent from the list. Have the service correct the record.',
    { status: 200 },
  );
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
