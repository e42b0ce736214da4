import { finalState } from '../../src/custody/objects/state';
import { operatorDelayMs, parkedDelayMs, troubleDelayMs } from './delays';
import { findingTaken } from './finding';
import { confirmed, heardFinal, judged } from './judge';
import {
  adopted,
  again,
  cancelled,
  continued,
  disputed,
  doubted,
  endedIn,
  forgotten,
  found,
  inherited,
  moved,
  noted,
} from './moves';
import { countingIn, isSurpassed, mayStart, noProofBefore, twice } from './proof';
import {
  type Event,
  type EventOf,
  ends,
  isAsking,
  isOver,
  type Stage,
  type Terms,
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
      return notRead(state, event);
    case 'sending':
      return beginsToSend(state, event);
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
      return { ...state, stage: 'unseen' };
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
  const isBefore = trace?.generation === given.generation - 1;
  const state = noted(given, nowMs, `${words}, with the reference of this write: ${traces.length}`);
  if (others.length > 0) return disputed(state, twice([trace, ...others]), nowMs);
  // The list's word is a claim, and may be older than a proof. The record is read before it goes on.
  const isClaim = trace !== undefined && isSurpassed(trace, state) !== (given.isProven === true);
  if (isClaim && isBefore) return { ...found(state, trace), goesOnAs: given.generation };
  if (trace !== undefined && !isSurpassed(trace, state)) return found(state, trace);
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
  const leftMs = sinceMs + terms.lookupGraceMs - nowMs;
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

function notRead(state: WriteState, { nowMs }: EventOf<'unread'>): WriteState {
  const times = (state.times ?? 0) + 1;
  return { ...state, times, notBeforeMs: nowMs + troubleDelayMs(times) };
}

function beginsToSend(state: WriteState, { nowMs }: EventOf<'sending'>): WriteState {
  const { isCancelled, tries, times } = state;
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
  { record, faults, nowMs }: EventOf<'record'>,
  terms: Terms,
): WriteState {
  if (faults.length > 0) {
    return disputed(
      state,
      `Transaction ${record.id} is not what was ordered: ${faults.join('; ')}.`,
      nowMs,
    );
  }
  const end = finalState(record.state);
  if (end === undefined || (end === 'COMPLETE' && !record.txHash)) {
    const times = state.stage === 'accepted' ? (state.times ?? 0) + 1 : 1;
    const why = `${record.state} at poll ${times}`;
    return { ...moved(state, 'accepted', { times, why }), record: undefined, final: undefined };
  }
  const heard: WriteState = {
    ...state,
    record,
    final: heardFinal(state, record, nowMs),
    notBeforeMs: undefined,
    why: undefined,
  };
  return terms.checksReceipts ? heard : judged(heard, { shows: 'unasked', nowMs }, terms);
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
  return { ...state, why, sinceMs, times };
}
