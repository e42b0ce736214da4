import {
  type ChainShows,
  claimsNoEffect,
  shownBy,
  verdictOn,
} from '../../../src/custody/objects/finalWord';
import { finalState } from '../../../src/custody/objects/state';
import { noHash } from './compare';
import { operatorDelayMs, parkedDelayMs, settleDelayMs, troubleDelayMs } from './delays';
import { isPaidBy } from './finding';
import { adopted, again, continued, endedIn, inherited } from './lines';
import {
  countingIn,
  differenceIn,
  isProofOld,
  isSurpassed,
  mayStart,
  noProofBefore,
  proofOf,
  twice,
  unproven,
} from './proof';
import {
  type Event,
  type EventOf,
  ends,
  type FinalHeard,
  type FinalRecord,
  isAsking,
  isOver,
  mayBePending,
  type Stage,
  type Terms,
  type Trace,
  type WriteState,
} from './writeState';

/**
 * The state machine of one write, of a single order and of a payout's line alike. `next` is pure:
 * it knows a write's state and one event, and returns the state after it. `wishOf` says what the
 * write wants then. Time comes only from events. proof/model explores it exhaustively.
 *
 *   unseen ──looked: absent──▶ ready ──sending──▶ sending ──accepted──▶ accepted ──final──▶ an end
 *     │ looked: there ─────────────────────────────────────────────────▶ ▲  │
 *     ▼                           a refusal after an ambiguous attempt    │  ▼ contradicted
 *   an end                        sending ──▶ doubt ──grace over──▶ unknown disputed
 *   unseen ◀── its look-up is older than the writer ── sending
 */
export function next(given: WriteState, event: Event, terms: Terms): WriteState {
  if (!heardIn[event.kind].includes(given.stage)) return given;
  const state = heard(given, event, terms);
  const { givenUp, why } = state;
  if (givenUp === undefined || !isAsking(state)) return state;
  const words = why === undefined ? givenUp : `${givenUp.replace(/\.$/, '')}. ${why}`;
  return moved(state, 'givenUp', { why: words });
}

function heard(state: WriteState, event: Event, terms: Terms): WriteState {
  switch (event.kind) {
    case 'looked':
      return looked(state, event, terms);
    case 'unread':
      return notRead(state, event, terms);
    case 'sending':
      return beginsToSend(state, event, terms);
    case 'answered':
      return answered(state, event);
    case 'record':
      return recorded(state, event, terms);
    case 'lost':
      return lost(state, event, terms);
    case 'receipt':
      return confirmed(state, event, terms);
    case 'found':
      return findingTaken(state, event);
    case 'cancel':
      return cancelled(state, event);
    case 'forgot':
      return forgotten(state, event);
    case 'lookAgain':
      return lookedUpAgain(state, event, terms);
    case 'hurry':
      return { ...state, notBeforeMs: 0 };
    case 'recalled':
      return { ...state, transactionId: event.transactionId };
    case 'inherited':
      return inherited(state, event);
    case 'adopted':
      return adopted(state, event);
    case 'endedIn':
      return endedIn(state, event);
    case 'again':
      return again(state, event);
    case 'continued':
      return continued(state, event);
  }
}

const open: Stage[] = ['unseen', 'ready', 'sending', 'doubt', 'unknown', 'accepted', 'disputed'];

/** The stages in which an event has a meaning. */
const heardIn: Readonly<Record<Event['kind'], readonly Stage[]>> = {
  looked: ['unseen', 'doubt', 'unknown', 'disputed', 'stopped', 'givenUp'],
  unread: ['unseen', 'doubt', 'unknown', 'accepted', 'disputed'],
  sending: ['ready'],
  answered: ['sending'],
  record: ['accepted', 'disputed'],
  lost: ['accepted', 'disputed'],
  receipt: ['accepted', 'disputed'],
  found: ['unknown', 'disputed'],
  cancel: open,
  forgot: ['unseen', 'ready', 'doubt', 'unknown'],
  lookAgain: ['unseen', 'ready'],
  hurry: open,
  recalled: open,
  inherited: ['unseen'],
  adopted: [...open, ...ends],
  endedIn: [...open, ...ends],
  again: ['unseen', 'ready', 'doubt', 'unknown', 'disputed', 'failed', 'refused'],
  continued: ['stopped'],
};

function looked(
  given: WriteState,
  { askedAtMs, traces, seen, paid, nowMs }: EventOf<'looked'>,
  terms: Terms,
): WriteState {
  if (isOver(given)) return lookedAgain(given, { traces, paid, nowMs });
  const words = `looked through ${seen} record${seen === 1 ? '' : 's'} of the service`;
  const [trace, ...others] = countingIn(traces);
  const state = noted(given, nowMs, `${words}, with the reference of this write: ${traces.length}`);
  if (others.length > 0) return disputed(state, twice([trace, ...others]), nowMs);
  if (trace !== undefined) {
    const isOfBefore = trace.generation === given.generation - 1;
    const isPassed = isSurpassed(trace, state);
    // The list's word is a claim, and may be old. The record is read before this one goes on.
    if (isOfBefore && !(isPassed && given.isProven)) {
      return { ...found(state, trace), goesOnAs: given.generation };
    }
    if (!isPassed) return found(state, trace);
  }
  // The list may show late what the chain shows. It is never sent meanwhile.
  if (paid !== undefined && state.stage === 'unseen') return doubted(state, paid, nowMs);
  if (state.isRefused && state.tries === 'clean') {
    return moved(state, 'refused', { why: state.why });
  }
  if (state.stage === 'unseen' && !mayStart(state)) {
    const why = noProofBefore(state);
    const isClean = state.tries === 'clean' && state.isSuspect !== true;
    return isClean ? moved(state, 'refused', { why }) : doubted(state, why, nowMs);
  }
  if (state.stage === 'unseen') {
    return moved(state, 'ready', { lookedUpAtMs: askedAtMs, evidence: given.evidence });
  }
  const { sinceMs = nowMs, why } = state;
  const leftMs = sinceMs + terms.lookupGraceMs - askedAtMs;
  if (state.stage === 'doubt' && leftMs > 0) {
    const times = (state.times ?? 0) + 1;
    return { ...state, times, notBeforeMs: nowMs + Math.min(troubleDelayMs(times), leftMs) };
  }
  if (paid !== undefined) return disputed(state, paid, nowMs);
  const times = state.stage === 'unknown' ? (state.times ?? 0) + 1 : 1;
  const notBeforeMs = nowMs + parkedDelayMs(times);
  return moved(state, 'unknown', { why, sinceMs, times, notBeforeMs });
}

/** The list may show late what was sent before a write was skipped or given up. */
function lookedAgain(
  state: WriteState,
  { traces: listed, paid, nowMs }: Pick<EventOf<'looked'>, 'traces' | 'paid' | 'nowMs'>,
): WriteState {
  const [trace, ...others] = countingIn(listed);
  if (others.length > 0) return disputed(state, twice([trace, ...others]), nowMs);
  if (trace === undefined || isSurpassed(trace, state)) {
    return paid === undefined ? state : disputed(state, paid, nowMs);
  }
  const { record, accepted } = trace;
  const isKnown = record !== undefined && record.id === state.transactionId;
  // Its record was known when it was given up. Only an end is news.
  if (isKnown && finalState(record.state) === undefined) return state;
  return accepted === undefined ? state : found(state, trace);
}

/**
 * A service that is away proves nothing. A fault of this write's own record is a contradiction once
 * it has lasted over the whole grace period. A write that was never sent asks nobody.
 */
function notRead(
  state: WriteState,
  { fault, nowMs }: EventOf<'unread'>,
  { lookupGraceMs }: Terms,
): WriteState {
  const times = (state.times ?? 0) + 1;
  const again = { ...state, times, notBeforeMs: nowMs + troubleDelayMs(times) };
  if (fault === undefined || !mayBePending(state)) return again;
  const { sinceMs = nowMs, transactionId: id } = state;
  if (!isAsking(state) && nowMs - sinceMs < lookupGraceMs) return { ...again, sinceMs };
  const which = id === undefined ? '' : `The record of transaction ${id} cannot be read. `;
  return disputed(state, `${which}${fault.replace(/\.$/, '')}.`, nowMs);
}

/** Has a write looked up once more before it is sent. */
function lookedUpAgain(
  state: WriteState,
  { nowMs }: EventOf<'lookAgain'>,
  terms: Terms,
): WriteState {
  return isProofOld(state, nowMs, terms) ? unproven(state) : { ...state, stage: 'unseen' };
}

function beginsToSend(state: WriteState, { nowMs }: EventOf<'sending'>, terms: Terms): WriteState {
  const { isCancelled, tries, times } = state;
  // The order may have waited for long: for people, or while it was paused.
  if (isCancelled !== true && isProofOld(state, nowMs, terms)) return unproven(state);
  // Without a known first attempt, none is older than the write itself.
  const bornAtMs = state.bornAtMs ?? (tries === 'clean' ? nowMs : state.knownAtMs);
  if (isCancelled !== true) return moved(state, 'sending', { bornAtMs, times });
  if (tries === 'clean') return moved(state, 'stopped', { why: state.why });
  return doubted(state, 'It is cancelled, and it is not known whether it was sent.', nowMs);
}

function answered(given: WriteState, { answer, nowMs }: EventOf<'answered'>): WriteState {
  if (answer.kind === 'accepted') {
    const { accepted, transactionId } = answer;
    return moved(given, 'accepted', { accepted, transactionId, lookedUpAtMs: undefined });
  }
  const { kind, why, isAmbiguous, afterMs = 0 } = answer;
  const tries = isAmbiguous ? 'ambiguous' : given.tries;
  // A key that did not arrive has not begun its life.
  const bornAtMs = tries === 'clean' ? undefined : given.bornAtMs;
  const state: WriteState = { ...noted(given, nowMs, why), tries, bornAtMs };
  if (kind === 'Unknown' || (kind === 'Refused' && tries === 'ambiguous')) {
    return doubted(state, why, nowMs);
  }
  if (kind === 'Outdated') return moved(state, 'unseen');
  // A restored database may have forgotten an attempt, so that the list has the last word.
  if (kind === 'Refused') return moved({ ...state, isRefused: true }, 'unseen', { why });
  const times = (state.times ?? 0) + 1;
  const delayMs = kind === 'Again' ? troubleDelayMs(times) : operatorDelayMs(times);
  return moved(state, 'ready', { why, times, notBeforeMs: nowMs + Math.max(delayMs, afterMs) });
}

function recorded(
  state: WriteState,
  { record, faults: told, nowMs }: EventOf<'record'>,
  terms: Terms,
): WriteState {
  // Somebody may have found another transaction while this one was read.
  const { transactionId = record.id } = state;
  if (record.id !== transactionId) return state;
  // The chain is searched for a call whose record names no transaction.
  const faults = told.filter((fault) => fault !== noHash || !terms.checksReceipts);
  if (faults.length > 0) {
    return disputed(
      state,
      `Transaction ${record.id} is not what was ordered: ${faults.join('; ')}.`,
      nowMs,
    );
  }
  const end = finalState(record.state);
  if (end === undefined) {
    const times = state.stage === 'accepted' ? (state.times ?? 0) + 1 : 1;
    const why = `${record.state} at poll ${times}`;
    const unheard = { record: undefined, final: undefined, inFront: record.inFront };
    return { ...moved(state, 'accepted', { times, why }), ...unheard };
  }
  const heard: WriteState = {
    ...state,
    record,
    final: heardFinal(state, record, nowMs),
    // It is not missing any more.
    sinceMs: state.stage === 'accepted' ? undefined : state.sinceMs,
    notBeforeMs: undefined,
    why: undefined,
  };
  if (terms.checksReceipts) return heard;
  return judged(heard, { shows: 'unasked', nowMs, asOfMs: nowMs }, terms);
}

/**
 * A record may show late. A record that is missing over the whole grace period is a contradiction.
 */
function lost(state: WriteState, { nowMs }: EventOf<'lost'>, { lookupGraceMs }: Terms): WriteState {
  const { sinceMs = nowMs, stage, transactionId } = state;
  if (stage === 'disputed' || nowMs - sinceMs >= lookupGraceMs) {
    const words = `The service accepted transaction ${transactionId}, and does not know it now.`;
    return disputed(state, words, nowMs);
  }
  const times = (state.times ?? 0) + 1;
  const why = `no record at poll ${times}`;
  // A word that is gone meanwhile has not stood.
  return { ...state, why, sinceMs, times, final: undefined, notBeforeMs: undefined };
}

/** A write after somebody has said what became of it. `refusalOf` lets no other word in. */
function findingTaken(given: WriteState, { finding, trace, nowMs }: EventOf<'found'>): WriteState {
  const words = `somebody found: ${finding.finding}, ${finding.evidence}`;
  const state = { ...noted(given, nowMs, words), goesOnAs: undefined };
  if (finding.finding === 'skip') {
    const givenUp = `Given up: ${finding.evidence}`;
    return moved({ ...state, givenUp }, 'givenUp', { why: givenUp });
  }
  const { transactionId: id = '', paidIn } = state;
  if (isPaidBy(state, finding)) {
    // The service's record may be lost, and its time with it.
    const updateDate = new Date(nowMs).toISOString();
    const record = { updateDate, ...state.record, id, state: 'COMPLETE', txHash: paidIn };
    return moved({ ...state, record }, 'completed', { why: finding.evidence });
  }
  if (state.stage === 'disputed') {
    const record = trace?.record;
    if (trace === undefined || record === undefined) return given;
    // A record that is not final tells no end yet.
    if (finalState(record.state) === undefined) return found(state, trace);
    const whole = { ...record, txHash: paidIn ?? record.txHash };
    return moved({ ...found(state, trace), record: whole }, 'completed', {
      why: finding.evidence,
    });
  }
  if (finding.finding === 'noEffect') {
    const word = { why: finding.evidence, proof: undefined };
    return moved(state, state.isCancelled ? 'stopped' : 'ready', word);
  }
  if (trace === undefined) return given;
  if (finding.finding === 'completed') return found(state, trace);
  // The record has to prove it first. Then it goes on under a key of its own.
  const unsent = {
    tries: 'clean',
    bornAtMs: undefined,
    knownAtMs: nowMs,
    isRefused: undefined,
  } as const;
  return { ...found(state, trace), ...unsent, goesOnAs: trace.generation + 1 };
}

/** The final word of a record. It is as old as the first record that has said the same. */
function heardFinal({ final }: WriteState, record: FinalRecord, nowMs: number): FinalHeard {
  const isNegative = claimsNoEffect(record);
  if (final?.claimsNoEffect === isNegative) return final;
  return { claimsNoEffect: isNegative, sinceMs: nowMs };
}

/** Compares a final record with what the chain shows of it. */
function confirmed(state: WriteState, event: Receipt, terms: Terms): WriteState {
  const { receipt, nowMs, askedAtMs, transactionId } = event;
  const { record, final } = state;
  if (record?.id !== transactionId || record === undefined || final === undefined) return state;
  const { txHash = record.txHash, headAgeMs = 0, headMs = askedAtMs } = receipt;
  // The chain's answer is as old as its newest block. A node may stand still, or be behind. No
  // clock alone tells how old the block is.
  const asOfMs = Math.min(askedAtMs - headAgeMs, headMs);
  const shows = shownBy(receipt, record);
  const paidIn = shows === 'effect' && receipt.faults.length === 0 ? txHash : state.paidIn;
  const named: WriteState = {
    ...state,
    record: shows === 'effect' && !final.claimsNoEffect ? { ...record, txHash } : record,
    // Only a proof that it can never happen takes it back.
    paidIn: shows === 'dead' ? undefined : paidIn,
  };
  const where = txHash === undefined ? '' : ` (${txHash})`;
  const difference = differenceIn(receipt, record);
  const words = `The service calls it ${record.state}, but ${difference}${where}.`;
  return judged(named, { shows, words, nowMs, asOfMs }, terms);
}

type Receipt = Extract<Event, { kind: 'receipt' }>;
type Shown = { shows: ChainShows; words?: string; nowMs: number; asOfMs: number };

/** A newer block comes within this time where blocks come fast. */
const blockWaitMs = 1_000;

/** Applies the verdict on a final word. */
function judged(state: WriteState, shown: Shown, terms: Terms): WriteState {
  const { shows, words = '', nowMs, asOfMs } = shown;
  const { record, final, stage, goesOnAs, paidIn } = state;
  if (record === undefined || final === undefined) return state;
  // A node may lack what it has shown.
  if (final.claimsNoEffect && paidIn !== undefined && shows !== 'effect') {
    const shownBefore = `the chain has shown that ${paidIn} has paid, and does not show that now`;
    return disputed(state, `The service calls it ${record.state}, but ${shownBefore}.`, nowMs);
  }
  const graceEndsAtMs = final.sinceMs + terms.lookupGraceMs;
  const mayTell = goesOnAs === undefined && terms.mustProve !== true;
  const verdict = verdictOn(record, { shows, isOld: asOfMs >= graceEndsAtMs, mayTell });
  if (verdict === 'stands' || verdict === 'told') return ended(state, nowMs);
  if (verdict === 'contradicted' || stage === 'disputed') return disputed(state, words, nowMs);
  const times = (state.times ?? 0) + 1;
  // The grace period has to end by the chain's newest block, too.
  const restMs = Math.max(graceEndsAtMs - nowMs, graceEndsAtMs - asOfMs, blockWaitMs);
  const notBeforeMs = nowMs + Math.min(settleDelayMs(times), restMs);
  const behind = nowMs >= graceEndsAtMs && asOfMs < graceEndsAtMs ? behindWords(asOfMs) : '';
  if (!final.claimsNoEffect) return { ...state, why: `${words}${behind}`, times, notBeforeMs };
  // A correction of the service is seen as well, so that the record is read again, too.
  const why = `${waitWords(record, graceEndsAtMs)}${behind}`;
  return { ...state, record: undefined, why, times, notBeforeMs };
}

function waitWords({ state, txHash }: FinalRecord, graceEndsAtMs: number): string {
  const named = txHash === undefined ? 'names no transaction' : `names ${txHash}`;
  const until = new Date(graceEndsAtMs).toISOString();
  return `the service calls it ${state} and ${named}, which proves nothing until ${until}`;
}

function behindWords(asOfMs: number): string {
  const time = new Date(asOfMs).toISOString();
  return `. The newest block of the chain's node is of ${time}, which is too old to prove it`;
}

const evidenceMax = 24;

function ended(given: WriteState, nowMs: number): WriteState {
  const { record, times, goesOnAs: generation } = given;
  if (record === undefined) return given;
  const end = finalState(record.state);
  const state = { ...given, goesOnAs: undefined };
  // The next generation was waiting for the proof that this one had no effect.
  if (end !== 'COMPLETE' && generation !== undefined) {
    const none = { accepted: undefined, transactionId: undefined, isFound: undefined };
    const unheard = { record: undefined, final: undefined };
    const proof = proofOf(given, nowMs);
    return moved({ ...state, ...none, ...unheard, isProven: true, proof }, 'unseen', {
      generation,
    });
  }
  if (end === 'COMPLETE') return { ...moved(state, 'completed', { times }), evidence: undefined };
  const reason = [record.errorReason, record.errorDetails].filter(Boolean).join(': ');
  const why = `Its transaction ended as ${record.state}${reason === '' ? '' : `: ${reason}`}.`;
  return moved(state, end === 'CANCELLED' && state.isCancelled ? 'stopped' : 'failed', { why });
}

/** Goes on from what the service has. */
function found(state: WriteState, { generation, accepted, record }: Trace): WriteState {
  const { proof } = state;
  const named = { generation, accepted, transactionId: record?.id };
  // The final word on another transaction is none on this one.
  const isSame = proof !== undefined && proof.id === record?.id;
  const final = isSame ? { claimsNoEffect: true, sinceMs: proof.sinceMs } : undefined;
  const unheard = { record: undefined, final, isProven: undefined, proof: undefined };
  return moved({ ...state, ...named, ...unheard, isFound: true }, 'accepted');
}

function doubted(state: WriteState, why: string, sinceMs: number): WriteState {
  return moved({ ...state, tries: 'ambiguous' }, 'doubt', { why, sinceMs });
}

function disputed(state: WriteState, why: string, nowMs: number): WriteState {
  const isSame = state.stage === 'disputed';
  const times = isSame ? (state.times ?? 0) + 1 : 1;
  const sinceMs = isSame ? state.sinceMs : nowMs;
  const notBeforeMs = nowMs + operatorDelayMs(times);
  // Each part of what contradicts itself may change, so all of it is read again.
  const unread = { ...noted(state, nowMs, why), record: undefined };
  return moved(unread, 'disputed', { why, sinceMs, times, notBeforeMs });
}

/** Moves a write to a stage. The fields that belong to the stage before it are cleared. */
function moved(state: WriteState, stage: Stage, own: Partial<WriteState> = {}): WriteState {
  const fresh = { sinceMs: undefined, times: undefined, notBeforeMs: undefined, why: undefined };
  return { ...state, ...fresh, ...own, stage };
}

/** Adds a line to the evidence, with its time. Only the first and the last of many stay. */
function noted(state: WriteState, nowMs: number, words: string): WriteState {
  const evidence = [...(state.evidence ?? []), `${new Date(nowMs).toISOString()} ${words}`];
  if (evidence.length > evidenceMax) evidence.splice(evidenceMax / 2, 1);
  return { ...state, evidence };
}

/** Notes that the write is to be cancelled. */
function cancelled(state: WriteState, { why }: EventOf<'cancel'>): WriteState {
  const isUnsent = state.stage === 'ready' || (state.stage === 'unseen' && !state.isRefused);
  return {
    ...state,
    isCancelled: true,
    why: isUnsent ? why : state.why,
    notBeforeMs: state.stage === 'ready' ? undefined : state.notBeforeMs,
  };
}

/** Notes that the run may have sent more than it remembers. */
function forgotten(state: WriteState, { nowMs }: EventOf<'forgot'>): WriteState {
  if (state.isForgotten) return state;
  const { bornAtMs = state.knownAtMs, stage, why = 'The run was reset.' } = state;
  // The list may not show yet what the run sent before it was reset.
  if (stage === 'doubt' || stage === 'unknown') {
    return { ...doubted(state, why, nowMs), isForgotten: true };
  }
  return { ...moved(state, 'unseen'), tries: 'ambiguous', bornAtMs, isForgotten: true };
}
