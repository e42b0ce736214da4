import type { Transaction } from '../../../src/custody/objects/transaction';
import { type Answer, type Call, startProxy } from './proxy';

/** Chooses records that the account has sent. */
export type About = (record: Transaction) => boolean;

/** An untruth that is told until it is withdrawn. */
export type Lie = {
  /** Tells the truth from now on. */
  withdraw(): void;
  /** The number of times that somebody was told it. */
  told(): number;
};

/** Stands between a worker and the service, and tells what is not so. It changes nothing there. */
export type LyingService = {
  baseUrl: string;
  /** Sets the service's address. */
  forwardTo(baseUrl: string): void;
  /** Says a final word of records, with a reason and without what only the chain can know. */
  saysFalsely(state: FinalWord, about: About, errorReason?: string): Lie;
  /** Shows records with the hash of another transaction. */
  givesHash(txHash: string, about: About): Lie;
  /** Shows records with fields that are not theirs. */
  gives(fields: Partial<Transaction>, about: About): Lie;
  /** Knows no such record: the list hides it, and a question for it is answered with 404. */
  loses(about: About): Lie;
  /** Leaves records out of the list until they have this age. A question for one is answered. */
  listsLate(ageMs: number, about: About): Lie;
  /** Dates records in another time. */
  dates(createDate: Date, about: About): Lie;
  /** Writes a word of state otherwise. */
  spells(state: string, spelling: string): Lie;
  /** Shows records without one of their fields. */
  hides(field: keyof Transaction, about?: About): Lie;
  /** Answers one page of the list empty, although more follow. */
  leavesHole(): Lie;
  /** Loses a record that a cursor names, as an older copy of the list does. */
  losesCursor(mayLose?: (id: string) => boolean): Lie;
  /** Tells no longer which page follows. */
  dropsLinks(): Lie;
  /** Answers the list in pages of this size. */
  listsBy(pageSize: number): Lie;
  /** Withdraws every lie. */
  tellsTruth(): void;
  close(): Promise<void>;
};

type FinalWord = 'FAILED' | 'DENIED' | 'CANCELLED' | 'COMPLETE';

/** The ways of a lie to change an answer. A part that leaves the truth as it is gives undefined. */
type Twist = {
  record?: (record: Transaction) => Transaction | undefined;
  hidesInList?: About;
  hides?: About;
  /** The call that the service hears. */
  call?: (call: Call) => Call | undefined;
  /** The answer to a call that the service does not hear. */
  refusal?: (call: Call) => Answer | undefined;
  page?: (call: Call, answer: Answer) => Answer | undefined;
  timesMax?: number;
};

type Telling = Twist & { times: number };

/** The size of the service's largest page. */
const sizeMax = 50;

/** The fields that come from the chain. A record that failed before it has none of them. */
const chainFields = [
  'txHash',
  'blockHash',
  'blockHeight',
  'networkFee',
  'firstConfirmDate',
] as const;

/** A real HTTP server on a free port in front of the service. */
export async function startLyingService(): Promise<LyingService> {
  const proxy = await startProxy();
  const lies = new Set<Telling>();
  proxy.answer = (call, ask) => answerTo([...lies].filter(isTold), call, ask);

  const tell = (twist: Twist): Lie => {
    const lie: Telling = { ...twist, times: 0 };
    lies.add(lie);
    return { withdraw: () => lies.delete(lie), told: () => lie.times };
  };
  const change = (about: About, fields: Partial<Transaction>): Lie =>
    tell({ record: (record) => (about(record) ? { ...record, ...fields } : undefined) });

  return {
    baseUrl: proxy.baseUrl,
    forwardTo: proxy.forwardTo,
    saysFalsely: (state, about, errorReason = '') =>
      change(about, { ...without(...chainFields), state, errorReason }),
    givesHash: (txHash, about) => change(about, { txHash }),
    gives: (fields, about) => change(about, fields),
    loses: (about) => tell({ hidesInList: about, hides: about }),
    listsLate: (ageMs, about) =>
      tell({ hidesInList: (record) => about(record) && ageOf(record) < ageMs }),
    dates: (date, about) => change(about, { createDate: date.toISOString() }),
    spells: (word, state) => change((record) => record.state === word, { state }),
    hides: (field, about = () => true) => change(about, without(field)),
    leavesHole: () => tell({ page: emptied, timesMax: 1 }),
    losesCursor: (mayLose = () => true) => tell(withoutCursor(mayLose)),
    dropsLinks: () => tell({ page: (_, answer) => ({ ...answer, link: undefined }) }),
    listsBy: (size) => tell({ call: (call) => sized(call, size) }),
    tellsTruth: () => lies.clear(),
    close: proxy.close,
  };
}

async function answerTo(
  lies: readonly Telling[],
  call: Call,
  ask: (call: Call) => Promise<Answer>,
): Promise<Answer> {
  const refusal = firstOf(lies, ({ refusal }) => refusal?.(call));
  if (refusal !== undefined) return refusal;
  if (await isHidden(lies, call, ask)) return notFound;
  const heard = firstOf(lies, (lie) => lie.call?.(call)) ?? call;
  const hiding = lies.filter(({ hidesInList }) => hidesInList);
  const answer = lies.reduce(
    (told, lie) =>
      firstOf([lie], ({ page }) => (isPage(call) ? page?.(call, told) : undefined)) ?? told,
    hiding.length > 0 && isPage(heard) ? await askFull(hiding, heard, ask) : await ask(heard),
  );
  return call.method === 'GET' ? { ...answer, text: retold(lies, answer.text) } : answer;
}

/** Fills a page up to its size with what comes after it, as an older copy of the list does. */
async function askFull(
  hiding: readonly Telling[],
  call: Call,
  ask: (call: Call) => Promise<Answer>,
): Promise<Answer> {
  const size = Number(/pageSize=(\d+)/.exec(call.path)?.[1] ?? sizeMax);
  const answer = await ask(sized(call, sizeMax) ?? call);
  const { transactions } = read(answer.text) ?? {};
  if (transactions === undefined) return answer;
  const shown = transactions.filter((record) => isShown(hiding, record));
  const text = JSON.stringify({ data: { transactions: shown.slice(0, size) } });
  return { ...answer, text, link: shown.length > size ? '<older>; rel="next"' : answer.link };
}

/** True for a question for a lost record, and for an order to cancel or accelerate it. */
async function isHidden(
  lies: readonly Telling[],
  { path }: Call,
  ask: (call: Call) => Promise<Answer>,
): Promise<boolean> {
  const [, id] = /\/transactions\/([0-9a-f-]{36})/.exec(path) ?? [];
  if (id === undefined || !lies.some(({ hides }) => hides)) return false;
  const { text } = await ask({ method: 'GET', path: `/v1/w3s/transactions/${id}` });
  const record = read(text)?.transaction;
  return (
    record !== undefined && firstOf(lies, ({ hides }) => hides?.(record) || undefined) === true
  );
}

/** The text of an answer with its records as the lies tell them. */
function retold(lies: readonly Telling[], text: string): string {
  const data = read(text);
  const tell = (record: Transaction): Transaction =>
    record.transactionType === 'OUTBOUND'
      ? lies.reduce((told, lie) => firstOf([lie], () => lie.record?.(told)) ?? told, record)
      : record;
  if (data?.transaction !== undefined) data.transaction = tell(data.transaction);
  if (data?.transactions !== undefined) {
    data.transactions = data.transactions.filter((one) => isShown(lies, one)).map(tell);
  }
  return data === undefined ? text : JSON.stringify({ data });
}

/** True unless a lie leaves the record out of the list. */
function isShown(lies: readonly Telling[], record: Transaction): boolean {
  return firstOf(lies, ({ hidesInList }) => hidesInList?.(record) || undefined) === undefined;
}

/** The first change that a lie makes. That lie is told once more. */
function firstOf<T>(lies: readonly Telling[], change: (lie: Telling) => T | undefined) {
  for (const lie of lies) {
    const changed = change(lie);
    if (changed !== undefined) lie.times += 1;
    if (changed !== undefined) return changed;
  }
  return undefined;
}

function read(
  text: string,
): { transaction?: Transaction; transactions?: Transaction[] } | undefined {
  try {
    return JSON.parse(text).data;
  } catch {
    // A fault of the sandbox may have cut the answer, or it has none.
    return undefined;
  }
}

function isTold({ times, timesMax = Number.POSITIVE_INFINITY }: Telling): boolean {
  return times < timesMax;
}

function isPage({ method, path }: Call): boolean {
  return method === 'GET' && /\/transactions(\?|$)/.test(path);
}

function sized(call: Call, size: number): Call | undefined {
  const path = call.path.replace(/pageSize=\d+/, `pageSize=${size}`);
  return isPage(call) ? { ...call, path } : undefined;
}

function emptied({ path }: Call, answer: Answer): Answer | undefined {
  const isInside = path.includes('pageAfter=') && answer.link?.includes('rel="next"');
  return isInside ? { ...answer, text: JSON.stringify({ data: { transactions: [] } }) } : undefined;
}

/** Loses the first record that a cursor names, of those that it may lose. */
function withoutCursor(mayLose: (id: string) => boolean): Twist {
  let lost: string | undefined;
  const isLost: About = ({ id }) => id === lost;
  return {
    hides: isLost,
    hidesInList: isLost,
    refusal: (call) => {
      const [, cursor] = /pageAfter=([0-9a-f-]+)/.exec(call.path) ?? [];
      if (!isPage(call) || cursor === undefined) return undefined;
      if (mayLose(cursor)) lost ??= cursor;
      const message = 'Cannot find corresponding pagination cursor in the system.';
      return cursor === lost ? refused(404, 156012, message) : undefined;
    },
  };
}

const notFound = refused(404, 156003, 'Cannot find target transaction in the system.');

function refused(status: number, code: number, message: string): Answer {
  return { status, text: JSON.stringify({ code, message }) };
}

function without(...fields: readonly (keyof Transaction)[]): Partial<Transaction> {
  return Object.fromEntries(fields.map((field) => [field, undefined]));
}

function ageOf({ createDate }: Transaction): number {
  return Date.now() - Date.parse(createDate);
}
