import { ApplicationFailure, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../../activities';
import type { Notice } from '../../activities/guard/noticeSense';
import type { Accepted } from '../../activities/transactions';
import { sameMoney } from '../../src/custody/money';
import { isNamedWhole } from '../../src/custody/readable';
import type { Settlement } from '../../src/orders/input/settlement';
import { noteSettled } from '../order/archiveOrder';
import { cancelled } from '../order/cancel';
import type { LiveOrder } from '../order/liveOrder';
import { noteFinal, noteMoney } from '../order/meter';
import { readSurely, readThrough } from '../order/read';
import { finished, show } from '../order/show';
import { continueWhenLong, waitOrWake } from '../order/wait';
import { answerWith, weighAsked } from './ask';
import { type Compared, mismatches } from './compare';
import { noticedDelayMs, settleDelayMs } from './delays';
import { happened, once, settled, stateOf, target, type Writer } from './happened';
import { untilAsked } from './lookUp';
import { accelerateWhenAsked, cancelWhenAsked } from './requests';
import { receiptOf, type Transacting } from './step';
import { type FinalRecord, isAsking, type WriteState, wishOf } from './writeState';

/**
 * Waits on durable timers until the transaction is final, however long that takes. Returns its end
 * if it is COMPLETE, on the chain too where that is read. Throws Failed with its record otherwise,
 * or a cancellation if one was requested. An unknown word of state is not final yet.
 */
export async function settle(
  live: LiveOrder,
  step: Transacting,
  { transactionId, key, grounds }: Accepted,
): Promise<Settlement> {
  return once(live, `settled ${transactionId}`, async () => {
    live.settling = { transactionId };
    try {
      for (;;) {
        const state = stateOf(live, step);
        const { stage, record, times = 0 } = state;
        if (stage === 'completed' && record !== undefined) {
          noteMoney(step.expected);
          noteSettled(live, step, { state, grounds });
          finished(live, `${step.doing}: settled in ${record.txHash}`);
          return settlementOf(record, { key, polls: times + 1, ...(grounds && { grounds }) });
        }
        if (stage !== 'accepted' && stage !== 'disputed') {
          settled(live, step);
          noteSettled(live, step, { state, grounds });
          throw cameToNothing(live, step, state);
        }
        await poll(live, step);
        await continueWhenLong(live);
      }
    } finally {
      tooLate(live, step.doing);
      live.parked = undefined;
      live.noticed = false;
    }
  });
}

/** Polls a transaction: its record, then its receipt on the chain. */
export async function poll(live: LiveOrder, step: Transacting): Promise<void> {
  const state = stateOf(live, step);
  if (isAsking(state)) {
    if (wishOf(state).atMs > Date.now()) await untilAsked(live, step);
    const { asked } = live;
    await readEvent(live, step);
    if (!isAsking(stateOf(live, step)))
      answerWith(live, `${target(live, step)} has settled by itself.`);
    else if (asked !== undefined) await weighAsked(live, step, asked);
    return;
  }
  if (wishOf(state).want === 'watch') await untilDue(live, step);
  else if (state.times !== undefined && state.why !== undefined) {
    const { doing } = step;
    show(live, 'Settling', `${doing}: ${state.why}`);
    await waitOrWake(live, settleDelayMs(state.times), `${doing}: until the chain shows it`);
  }
  await readEvent(live, step);
}

async function untilDue(live: LiveOrder, step: Transacting): Promise<void> {
  const { doing } = step;
  const state = stateOf(live, step);
  const { times = 0, why = 'accepted', transactionId = '' } = state;
  const waitingFor = `${doing} to settle (${why}), transaction ${transactionId}`;
  if (state.final !== undefined) {
    show(live, 'Settling', waitingFor);
    const delayMs = wishOf(state).atMs - Date.now();
    if (delayMs > 0) await waitOrWake(live, delayMs, `${doing}: until its end is proven`);
    return;
  }
  await cancelWhenAsked(live, step, transactionId);
  show(live, 'Settling', waitingFor);
  const withinMs = noticeWithinMs(live, step);
  const delayMs =
    withinMs === undefined ? settleDelayMs(times + 1) : noticedDelayMs(times + 1, withinMs);
  await waitOrWake(live, delayMs, `${doing}: settling`);
  await cancelWhenAsked(live, step, transactionId);
  await accelerateWhenAsked(live, step);
}

/** The time by which the service will tell of the transaction's end, if it has not done so. */
function noticeWithinMs(live: LiveOrder, { step, item }: Transacting): number | undefined {
  const { workflowId } = workflowInfo();
  const isNamed = !live.noticed && isNamedWhole({ workflowId, step, item });
  return isNamed ? live.opened.noticeWithinMs : undefined;
}

/** Reads what the write wants to know: its record, or its receipt on the chain. */
async function readEvent(live: LiveOrder, step: Transacting): Promise<void> {
  const state = stateOf(live, step);
  const { record, times = 0, transactionId: id = '' } = state;
  const { doing } = step;
  const question = receiptOf(step, state, live.opened.earlier);
  if (record !== undefined && question !== undefined) {
    const receipt = await readThrough(live, `${doing}: receipt on the chain`, (from) =>
      from.checkReceipt(question),
    );
    const { place } = receipt;
    if (place) live.carried.places = { ...live.carried.places, [record.id]: place };
    happened(live, step, { kind: 'receipt', receipt });
    return;
  }
  const read = await readSurely(live, `${doing}: poll ${times + 1}`, (from) =>
    from.getTransaction({ id, ...noticeOf(live, step) }),
  );
  if (read === undefined) {
    happened(live, step, { kind: 'lost' });
    return;
  }
  const readToken: ReadToken = (token) =>
    readSurely(live, 'which token is it', (from) => from.readToken(token));
  const faults = await faultsOf(live, { step, record: read, readToken });
  const after = happened(live, step, { kind: 'record', record: read, faults });
  if (after.record !== undefined) {
    tooLate(live, doing);
    noteFinal(read);
  }
  if (after.stage === 'disputed')
    refuseAcceleration(live, `The ${doing} is not accelerated: ${after.why}`);
}

/** Tells the worker whether notices arrive, so that later orders know when to poll. */
function noticeOf(live: LiveOrder, step: Transacting): { notice?: Notice } {
  if (live.noticed) return { notice: 'came' };
  return noticeWithinMs(live, step) === undefined ? {} : { notice: 'awaited' };
}

/** A final transaction cannot settle sooner, even while the chain is still read. */
function tooLate(live: LiveOrder, doing: string): void {
  refuseAcceleration(live, `The ${doing} is final by now.`);
  live.settling = undefined;
}

/** Refuses a pending `accelerate`, so that its caller does not wait for an operator. */
function refuseAcceleration(live: LiveOrder, why: string): void {
  live.settling?.accelerating?.refuse(why);
  delete live.settling?.accelerating;
}

type Known = Pick<Settlement, 'key' | 'polls' | 'grounds'>;

function settlementOf(transaction: FinalRecord, known: Known) {
  const { id: transactionId, txHash = '', blockHeight, networkFee, updateDate = '' } = transaction;
  const cost = { blockHeight, networkFee, settledAt: updateDate };
  return { transactionId, state: 'COMPLETE' as const, txHash, ...cost, ...known };
}

/** Reads the token of an id. */
export type ReadToken = (token: { id: string }) => ReturnType<Activities['readToken']>;

/** A token, as the service tells of it. */
export type Token = Awaited<ReturnType<ReadToken>>;

type Read = {
  step: Transacting;
  record: Compared & { tokenId?: string | undefined };
  readToken: ReadToken;
};

/**
 * The differences between a record and its write, as sentences. The record names its token by id
 * only. An id that is not known yet is looked up once.
 */
async function faultsOf(live: LiveOrder, { readToken, ...read }: Read): Promise<string[]> {
  const id = strangeToken(read);
  const token = id === undefined ? undefined : await learnToken(live, id, readToken);
  return faultsBy(live.opened, { ...read, token });
}

/** The id of a record's token, unless it is one of the ordered token's own. */
export function strangeToken({ step, record }: Pick<Read, 'step' | 'record'>): string | undefined {
  const { token } = step.expected;
  const { tokenId: id } = record;
  return token === undefined || id === undefined || token.ids.includes(id) ? undefined : id;
}

/** Looks a token up, once in the life of an order. */
export function learnToken(
  live: Pick<Writer, 'carried'>,
  id: string,
  readToken: ReadToken,
): ReturnType<ReadToken> {
  return once(live, `token ${id}`, () => readToken({ id }));
}

/** The same differences, where a strange token was looked up before. */
export function faultsBy(
  { blockchain }: { blockchain: string },
  { step, record, token: actual }: Pick<Read, 'step' | 'record'> & { token: Token | undefined },
): string[] {
  const faults = mismatches(record, step.expected);
  const { token } = step.expected;
  if (token === undefined || actual === undefined) return faults;
  const address = actual.isNative ? '' : (actual.tokenAddress ?? '');
  if (sameMoney(address, token.address, blockchain)) return faults;
  const name = actual.symbol ?? record.tokenId;
  return [...faults, `token is ${name} ${address}, ordered was ${token.name}`];
}

/** The end of an order whose transaction had no effect: cancelled if that was asked, or failed. */
function cameToNothing(
  live: LiveOrder,
  step: Transacting,
  end: Pick<WriteState, 'stage' | 'why' | 'record'>,
): Error {
  const { stage, why = '', record } = end;
  const proof = { ...(record === undefined ? {} : { record }), target: target(live, step) };
  if (stage === 'stopped') return cancelled(proof);
  const words = record === undefined ? '' : why.replace('Its transaction', `The ${step.doing}`);
  return ApplicationFailure.create({
    message: words || `The ${step.doing} is given up. ${why}`,
    type: 'Failed',
    nonRetryable: true,
    details: [proof],
  });
}
