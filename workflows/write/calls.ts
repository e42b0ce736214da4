import type { Activities } from '../../activities';
import type { WriteIdentity } from '../../activities/attempt';
import type { NoticeState } from '../../activities/guard/noticeSense';
import { type Finding, isTransactionId } from '../../src/orders/progress/resolve';
import { longReads, reads, stopOf } from '../order/activities';
import type { LiveOrder } from '../order/liveOrder';
import { isSlow } from './machine/delays';
import { depthOf } from './machine/proof';
import type { Happening, Looked, Trace, Wish, WriteState } from './machine/writeState';
import {
  type identityOf,
  receiptQuestion,
  type Step,
  type Transacting,
  transactionIdIn,
  type Write,
} from './step';
import { faultsBy, learnToken, strangeToken } from './token';

/** A call's knowledge of a write and of its order. */
export type WriteQuestion = {
  write: Write;
  state: WriteState;
  identity: ReturnType<typeof identityOf>;
  opened: LiveOrder['opened'];
  carried: Pick<LiveOrder['carried'], 'done'>;
  /** The answer of the list that the guard has read. */
  firstLook?: Looked | undefined;
  /** The transactions that people have found for its attempts, in all runs. The newest is first. */
  known: () => Promise<readonly Pick<Trace, 'generation' | 'accepted'>[]>;
  notice: NoticeState | undefined;
  /** A person's finding, which is weighed afterwards. */
  finding?: Finding | undefined;
};

/** The call for each wish of a write. It returns the event that its answer is. */
export const calls: Readonly<
  Record<Exclude<Wish['want'], 'nothing'>, (question: WriteQuestion) => Promise<Happening>>
> = { lookUp, send, watch, receipt };

async function send({ write, identity }: WriteQuestion): Promise<Happening> {
  const accepted = await write.send(identity);
  const transactionId = transactionIdIn(accepted);
  return { kind: 'answered', answer: { kind: 'accepted', accepted, transactionId } };
}

/**
 * The traces of a write. Besides those in the service's list, a transaction counts that somebody
 * has found in an earlier run. It may lack the reference. The service may correct the end of an
 * earlier attempt, so that all of them are read.
 */
async function lookUp(question: WriteQuestion): Promise<Happening> {
  const { write, identity, known } = question;
  const looked = question.firstLook ?? (await listed(question));
  const traces = [...looked.traces];
  for (const { generation, accepted } of await known()) {
    if (traces.some(({ record }) => record?.id === transactionIdIn(accepted))) continue;
    const parts = { ...identity.parts, generation };
    traces.push(...(await findRecalled(write, { parts }, accepted)));
  }
  return { kind: 'looked', ...looked, traces };
}

/**
 * The traces of a write by the transaction that somebody has found, which a memo names. A memo is a
 * claim, so its record is read: a record of another write is none of this one. A transaction that
 * the service has lost, or that nobody can read, is a trace. Its polls show that, and ask a person.
 */
export async function findRecalled(
  { find }: Pick<Step<unknown>, 'find'>,
  { parts }: Pick<WriteIdentity, 'parts'>,
  accepted: unknown,
): Promise<readonly Trace[]> {
  const named = transactionIdIn(accepted) ?? '';
  if (!isTransactionId(named)) return [];
  const service = longReads(`read what was found before: ${named}`);
  const { seen, traces } = await find(service, { parts, named }).catch((error: unknown) => {
    if (stopOf(error)?.facts.ofRecord !== true) throw error;
    return { seen: 0, traces: [] };
  });
  const lost = { generation: parts.generation, accepted, record: { id: named, state: '' } };
  return seen === 0 ? [lost] : traces;
}

async function listed({ write, state, identity, finding }: WriteQuestion): Promise<Looked> {
  const { parts } = identity;
  const askedAtMs = Date.now();
  const service = longReads(`look for an earlier ${write.doing}`);
  const found = await write.find(service, { parts, ...depthOf([state], finding) });
  return { ...found, askedAtMs };
}

/** Reads the record of a transaction, and compares it with what was ordered. */
async function watch({ write, state, opened, carried, notice }: WriteQuestion): Promise<Happening> {
  const { transactionId: id = '', times = 0 } = state;
  const isOverdue = isSlow(state) && !asTransaction(write).isSmart;
  const asked = { id, ...(notice && { notice }), ...(isOverdue && { isOverdue }) };
  const record = await reads(`${write.doing}: poll ${times + 1}`).getTransaction(asked);
  if (record === undefined) return { kind: 'lost' };
  const read = { step: asTransaction(write), record };
  const tokenId = strangeToken(read);
  const { readToken } = reads('which token is it');
  const token = tokenId && (await learnToken({ carried }, tokenId, readToken));
  return {
    kind: 'record',
    record,
    faults: faultsBy(opened, { ...read, token: token || undefined }),
  };
}

/** Asks the chain about a final record. */
async function receipt({ write, state, opened }: WriteQuestion): Promise<Happening> {
  const question = receiptQuestion(asTransaction(write), state, opened.earlier);
  if (question === undefined) return { kind: 'unread' };
  const chain: Activities = longReads(`${write.doing}: receipt on the chain`);
  const asked = { transactionId: state.record?.id, askedAtMs: Date.now() };
  return { kind: 'receipt', receipt: await chain.checkReceipt(question), ...asked };
}

/** Only a transaction is accepted with an id, so that nothing else is watched. */
function asTransaction(write: Write): Transacting {
  if ('effect' in write) return write;
  throw new Error(`The ${write.doing} is no transaction.`);
}
