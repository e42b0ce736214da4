import type { CallOptions, CustodyApi } from '../custody/endpoints';
import { NotSentError, RefusedError, WithheldError } from '../custody/errors';
import { claimsNoEffect } from '../custody/objects/finalWord';
import type { Transaction } from '../custody/objects/transaction';
import { NotUnderstood } from './call/effects';
import { asFirst } from './call/ordered';
import { sendCall } from './call/sendCall';
import { type JudgedMethod, judgedMethods } from './call/shapes';
import type { Clock } from './clock';
import { confirmedTime } from './confirmedTime';
import { type Knowledge, knowledgeOf } from './knowledge';
import {
  type Ledger,
  LedgerError,
  type Reservation,
  type Reserved,
  type Window,
  type WriteEnd,
} from './ledger/ledger';
import { looksAt } from './list/look';
import { proven } from './list/prove';
import { readingOutside } from './list/readOutside';
import { effectsIn, type Own, seenIn, sightingsIn, wordsIn, writeEnd } from './list/records';
import { type PrepareOptions, preparing, type RawCall } from './prepare';
import { readingCustody } from './readingCustody';
import { longestWindowMs } from './reservation';

export type PolicedOptions = PrepareOptions & {
  /** True for an error that proves that the call had no effect. */
  isWithoutEffect(error: unknown): boolean;
  /** Throws while the account belongs to another ledger. */
  claim?: () => Promise<void>;
  /** Holds calls back while the clock of this machine is wrong. */
  clock?: Clock;
  /** Hears of a write that had an effect although somebody had said that it had none. */
  alarm?: (end: WriteEnd) => void;
};

/** Reads of records that the ledger hears of. */
type Records = Pick<CustodyApi, 'getTransaction' | 'listTransactions'>;

const waitMinMs = 2_000;
const waitMaxMs = 300_000;

/**
 * The same service, as far as the policy lets it out. Each signed call has one closed form. It is
 * classified, judged and reserved in the ledger before it is sent. Every other write and every
 * signature is closed. Records that pass by settle reservations, and count what others have paid.
 */
export function policed(custody: CustodyApi, options: PolicedOptions): CustodyApi {
  const knowledge = knowledgeOf(custody, options);
  const note = notingIn(custody, { ...options, ...knowledge });
  const listTransactions: CustodyApi['listTransactions'] = async (input, how) => {
    const answer = await custody.listTransactions(input, how);
    await note(answer.transactions);
    return answer;
  };
  const getTransaction: CustodyApi['getTransaction'] = async (input, how) => {
    const answer = await custody.getTransaction(input, how);
    await note([answer.transaction], { mayAsk: true });
    return answer;
  };
  const reading = { getTransaction, listTransactions };
  const judging = judgingOf(custody, { ...options, ...knowledge, ...reading });
  const methods = judgedMethods.map((name) => [
    name,
    (input: unknown, how?: CallOptions) => judging(name, { input, how }),
  ]);
  return {
    ...readingCustody(custody, 'under a policy'),
    ...Object.fromEntries(methods),
    ...reading,
  };
}

/**
 * Notes in the ledger what records show: the ends of its writes, and what others have paid. A claim
 * of no effect ends nothing before it is proven.
 */
function notingIn(custody: CustodyApi, options: PolicedOptions & Knowledge) {
  const { ledger, clock, policy } = options;
  const readOutside = readingOutside(custody, options);
  const windowsMs = longestWindowMs(policy);
  const end = async (ends: readonly WriteEnd[]): Promise<void> => {
    for (const late of await ledger.end(ends)) options.alarm?.(late);
  };
  /** Ends a write or a payment of others whose record claims no effect, as far as it is proven. */
  const prove = async (record: Transaction, own: Own, mayAsk: boolean): Promise<void> => {
    const claim = await ledger.claim(record.id);
    if (claim === undefined) return;
    const known = await proven({ record, claim }, { ...options, mayAsk });
    if (known === undefined) return;
    const { hadEffect } = known;
    const ends = writeEnd(record, { own, hadEffect });
    if (claim.own !== undefined && !hadEffect) return end(ends);
    if (claim.own !== undefined) {
      await ledger.end(ends);
      for (const one of ends) options.alarm?.(one);
      return;
    }
    const state = hadEffect ? 'settled' : 'void';
    const payment = { transactionId: record.id, reference: undefined, state, record } as const;
    await ledger.enter([await readOutside(payment)]);
  };
  return async (records: readonly Transaction[], { mayAsk = false } = {}): Promise<void> => {
    const known = await ledger.ownOf(records.map(({ id }) => id));
    await ledger.seen(seenIn(records, known));
    // Before any end: a record that only says to be of a write must not open its window.
    const news = await ledger.news(sightingsIn(records, { own: known, windowsMs }));
    if (news.length > 0) await ledger.enter(await Promise.all(news.map(readOutside)));
    // An end seen at a wrong time would free a window too early or too late. It is read again.
    if (clock?.read().fault !== undefined) return;
    await ledger.hear(wordsIn(records));
    await end(effectsIn(records, known));
    const own = await ledger.ownOf(records.map(({ id }) => id));
    for (const record of records.filter(claimsNoEffect)) await prove(record, own, mayAsk);
  };
}

/** Takes a signed call from its input to its answer, or says why it is not sent. */
function judgingOf(custody: CustodyApi, options: PolicedOptions & Knowledge & Records) {
  const { ledger } = options;
  const prepare = preparing(custody, options);
  const looks = looksAt(options, ledger);
  const confirmedMs = confirmedTime(custody, options.clock);
  /** Judges a call by the policy in force. An older one neither lets out nor refuses anything. */
  const judge = async (name: JudgedMethod, asked: RawCall) => {
    const words = await ledger.putInForce(options.policy);
    if (words !== undefined) throw held(name, { words, untilMs: undefined });
    return prepare(name, { ...asked, nowMs: await confirmedMs() });
  };
  /** Reserves a call. Where another write has just filled a window, people may have to decide. */
  const reserve = async (name: JudgedMethod, asked: RawCall) => {
    const prepared = await judge(name, asked);
    const { windows, isRepeat } = prepared.reservation;
    if (!isRepeat && windows.some(countsOthers)) await looks.fresh();
    // The clock may have jumped during the reads.
    const reserved = await ledger.reserve(prepared.reservation, await confirmedMs());
    if (reserved.kind !== 'wait' || reserved.rule === undefined) return { ...prepared, reserved };
    const again = await judge(name, asked);
    return { ...again, reserved: await ledger.reserve(again.reservation, await confirmedMs()) };
  };
  return async (name: JudgedMethod, asked: RawCall): Promise<unknown> => {
    await beforeSending(name, confirmedMs);
    await beforeSending(name, async () => options.claim?.());
    await beforeSending(name, looks.once);
    const { call, reservation, reserved } = await beforeSending(name, () => reserve(name, asked));
    refuseUnlessReserved(name, reserved);
    const isRepeated = reserved.kind === 'repeated';
    const { grounds } = isRepeated ? reserved : reservation;
    const sent = isRepeated ? asFirst(call, reserved.call) : call;
    asked.how?.onLetOut?.(ledger.seal(reservation.key, grounds));
    try {
      const answer = await sendCall(custody, sent, asked.how);
      await remember(ledger, reservation, answer);
      return answer;
    } catch (error) {
      if (options.isWithoutEffect(error))
        await ledger.withoutEffect(reservation.key).catch(() => {});
      throw error;
    }
  };
}

/**
 * True for a window that counts what others pay. The window of a signed payout counts its lines
 * alone.
 */
function countsOthers({ scope, isUsual = false }: Window): boolean {
  return !('request' in scope || 'creates' in scope || isUsual);
}

/** Runs what comes before the call. A failure here says that nothing was sent. */
async function beforeSending<T>(name: JudgedMethod, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof WithheldError) throw error;
    if (error instanceof NotUnderstood) {
      throw withheld(name, error.message, { next: 'stop', apart: error.apart });
    }
    if (error instanceof LedgerError) throw withheld(name, error.message, { next: 'again' });
    if (error instanceof RefusedError && [401, 403, 429].includes(error.status)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new NotSentError(`${name} could not be judged, and was not sent: ${reason}`, {
      cause: error,
    });
  }
}

function refuseUnlessReserved(name: JudgedMethod, reserved: Reserved): void {
  switch (reserved.kind) {
    case 'refused':
      throw withheld(name, reserved.words, { next: 'stop', apart: reserved.apart });
    case 'lookUp':
      throw withheld(name, reserved.words, { next: 'lookUp' });
    case 'wait':
      throw held(name, reserved);
    default:
  }
}

/** It waits for the policy, a window, or the ledger's time. */
function held(
  name: JudgedMethod,
  { words, untilMs = 0 }: Pick<Extract<Reserved, { kind: 'wait' }>, 'words' | 'untilMs'>,
): WithheldError {
  const afterMs = Math.min(Math.max(untilMs - Date.now(), waitMinMs), waitMaxMs);
  return new WithheldError(`The policy holds ${name} back. ${words}`, { next: 'again', afterMs });
}

/** The answer counts, also when the ledger cannot note it. Settling finds the record later. */
async function remember(ledger: Ledger, asked: Reservation, answer: unknown): Promise<void> {
  const id = transactionIdOf(answer);
  try {
    if (id !== undefined && asked.about === undefined) await ledger.accepted(asked.key, id);
    else await ledger.end([endOfAnswer(asked)]);
  } catch {
    // It stays reserved, which is on the safe side.
  }
}

/** A call without a transaction of its own has ended once it was answered. */
function endOfAnswer({ hash, parts: { generation }, about = '' }: Reservation): WriteEnd {
  return { hash, generation, transactionId: about, hadEffect: true, fee: undefined };
}

function transactionIdOf(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  if ('transactionId' in answer) return String(answer.transactionId);
  return 'id' in answer ? String(answer.id) : undefined;
}

function withheld(
  name: string,
  words: string,
  facts: Pick<WithheldError, 'next'> & { apart?: readonly number[] | undefined },
): WithheldError {
  const { next, apart = [] } = facts;
  return new WithheldError(`The policy does not allow this ${name}. ${words}`, { next, apart });
}
