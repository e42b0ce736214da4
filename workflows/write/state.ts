import type { ReceiptAnswer } from '../../activities/chain/receipt';
import { finalState } from '../../src/custody/objects/state';
import type { Transaction } from '../../src/custody/objects/transaction';
import type { Finding } from '../../src/orders/progress/resolve';
import { disagreement, hadNoEffect } from './confirm';
import { operatorDelayMs, parkedDelayMs, settleDelayMs, troubleDelayMs } from './delays';

/**
 * The state machine of one write, of a single order and of a payout's line alike. `next` is pure:
 * it knows a write's state and one event, and returns the state after it. `wishOf` says what the
 * write wants then. Time comes only from events. proof/model explores it exhaustively.
 *
 *   unseen ──looked: absent──▶ ready ──sending──▶ sending ──accepted──▶ accepted ──final──▶ an end
 *     │ looked: there ─────────────────────────────────────────────────▶ ▲  │
 *     ▼                           a refusal after an ambiguous attempt    │  ▼ contradicted
 *   an end                        sending ──▶ doubt ──grace over──▶ unknown disputed
 */
export type WriteState = {
  stage: Stage;
  generation: number;
  /** `clean`: every attempt of this generation provably had no effect. */
  tries: 'clean' | 'ambiguous';
  /** When an order first considered this write. No attempt of this generation is older. */
  knownAtMs: number;
  /** The first attempt under this generation's key that may have arrived. */
  bornAtMs?: number | undefined;
  /** The service's answer when it accepted the write. */
  accepted?: unknown;
  transactionId?: string | undefined;
  /** Found in the service's list, and not sent by this run. */
  isFound?: boolean | undefined;
  /** The final record, which the chain confirms or contradicts. */
  record?: FinalRecord | undefined;
  /** A person has proven that the generation before had no effect. */
  isProven?: boolean | undefined;
  /** Nothing more is to be sent. */
  isCancelled?: boolean | undefined;
  /** An event `forgot` has happened: it counts once. */
  isForgotten?: boolean | undefined;
  /** Since when this stage lasts, and how often it has looked in vain. */
  sinceMs?: number | undefined;
  times?: number | undefined;
  /** Nothing is done for it earlier. */
  notBeforeMs?: number | undefined;
  /** Why it is in this stage, as a sentence. */
  why?: string | undefined;
  /** Its attempts and look-ups, oldest first, for the person who decides. */
  evidence?: readonly string[] | undefined;
};

/**
 * unseen: not looked up yet in this run, so nothing may be sent. ready: may be sent. sending: an
 * attempt is pending. doubt: may have been accepted, and is looked up over the grace period.
 * unknown: was not found, and a person is asked. accepted: the service has it. disputed: order,
 * service and chain contradict each other, and a person is asked. The other stages are ends.
 */
export type Stage =
  | ('unseen' | 'ready' | 'sending' | 'doubt' | 'unknown' | 'accepted' | 'disputed')
  | ('completed' | 'failed' | 'refused' | 'stopped' | 'givenUp');

/** As much of a record as the machine reads. A driver may keep more in it. */
export type FinalRecord = Pick<Transaction, 'id' | 'state'> &
  Partial<Pick<Transaction, 'txHash' | 'userOpHash' | 'errorReason' | 'errorDetails' | 'refId'>>;

/** A trace of a write in the service's list. A wallet or a wallet set has no record. */
export type Trace = {
  generation: number;
  accepted: unknown;
  record?: FinalRecord | undefined;
};

export type Happening =
  | { kind: 'looked'; traces: readonly Trace[]; seen: number }
  /** The look-up, record or receipt could not be read. */
  | { kind: 'unread' }
  | { kind: 'sending' }
  | { kind: 'answered'; answer: Answer }
  | { kind: 'record'; record: FinalRecord; faults: readonly string[] }
  | { kind: 'receipt'; receipt: ReceiptAnswer }
  | { kind: 'found'; finding: Finding; trace?: Trace | undefined; faults?: readonly string[] }
  | { kind: 'cancel'; why: string }
  /** This run may have sent more than it remembers: after a reset. */
  | { kind: 'forgot' };

/** A happening, and when it was seen. */
export type Event = Happening & { nowMs: number };

/** What came of an attempt. */
export type Answer =
  | { kind: 'accepted'; accepted: unknown; transactionId?: string | undefined }
  /**
   * Refused: final if all attempts were clean. Unknown: only a look-up tells. Again: passes by
   * itself. NeedsOperator: a person has to mend something.
   */
  | {
      kind: 'Refused' | 'Unknown' | 'Again' | 'NeedsOperator';
      why: string;
      isAmbiguous: boolean;
      afterMs?: number | undefined;
    };

/** What holds for all writes of an order. */
export type Terms = { graceMs: number; keyLifetimeMs: number; checksReceipts: boolean };

/** What a write wants next, and not before when. */
export type Wish = { want: 'lookUp' | 'send' | 'watch' | 'receipt' | 'nothing'; atMs: number };

const ends: readonly Stage[] = ['completed', 'failed', 'refused', 'stopped', 'givenUp'];
const evidenceMax = 24;

export function newWrite(
  given: Pick<WriteState, 'generation' | 'knownAtMs'> & Partial<WriteState>,
): WriteState {
  return { stage: 'unseen', tries: 'clean', ...given };
}

export function isOver({ stage }: Pick<WriteState, 'stage'>): boolean {
  return ends.includes(stage);
}

/** True while a person is asked: a finding ends that. */
export function isAsking({ stage }: Pick<WriteState, 'stage'>): boolean {
  return stage === 'unknown' || stage === 'disputed';
}

/** True while the write may have an effect that is not known yet. */
export function mayBePending({ stage, tries }: Pick<WriteState, 'stage' | 'tries'>): boolean {
  if (['sending', 'doubt', 'unknown', 'accepted', 'disputed', 'givenUp'].includes(stage))
    return true;
  return !isOver({ stage }) && tries === 'ambiguous';
}

export function wishOf({ stage, record, transactionId, notBeforeMs: atMs = 0 }: WriteState): Wish {
  if (stage === 'unseen' || stage === 'doubt' || stage === 'unknown')
    return { want: 'lookUp', atMs };
  if (stage === 'ready') return { want: 'send', atMs };
  if (stage === 'disputed' && transactionId === undefined) return { want: 'lookUp', atMs };
  if (stage === 'accepted' || stage === 'disputed') {
    return { want: record === undefined ? 'watch' : 'receipt', atMs };
  }
  return { want: 'nothing', atMs: Number.POSITIVE_INFINITY };
}

/** The state after an event. An event that has no meaning in a stage changes nothing. */
export function next(state: WriteState, event: Event, terms: Terms): WriteState {
  const { from, to }: Rule = rules[event.kind] as never;
  return from.includes(state.stage) ? to(state, event, terms) : state;
}

type Rule<Kind extends Event['kind'] = Event['kind']> = {
  /** The stages in which the event has a meaning. */
  from: readonly Stage[];
  to: (state: WriteState, event: Extract<Event, { kind: Kind }>, terms: Terms) => WriteState;
};

const rules: { [Kind in Event['kind']]: Rule<Kind> } = {
  looked: {
    from: ['unseen', 'doubt', 'unknown', 'disputed'],
    to: (given, { traces, seen, nowMs }, terms) => {
      const words = `looked through ${seen} record${seen === 1 ? '' : 's'} of the service`;
      const state = noted(
        given,
        nowMs,
        `${words}, with the reference of this write: ${traces.length}`,
      );
      const [trace, ...others] = highest(traces);
      if (others.length > 0) return disputed(state, twice([trace, ...others]), nowMs);
      if (trace !== undefined && !isSurpassed(trace, state)) return found(state, trace, nowMs);
      if (!mayStart(state, trace)) {
        const why = noProofBefore(state);
        return state.tries === 'clean'
          ? moved(state, 'refused', { why })
          : doubted(state, why, nowMs);
      }
      if (state.stage === 'unseen') return { ...moved(state, 'ready'), evidence: given.evidence };
      const { sinceMs = nowMs, why } = state;
      const leftMs = sinceMs + terms.graceMs - nowMs;
      if (state.stage === 'doubt' && leftMs > 0) {
        const times = (state.times ?? 0) + 1;
        return { ...state, times, notBeforeMs: nowMs + Math.min(troubleDelayMs(times), leftMs) };
      }
      const times = state.stage === 'unknown' ? (state.times ?? 0) + 1 : 1;
      const notBeforeMs = nowMs + parkedDelayMs(times);
      return moved(state, 'unknown', { why, sinceMs, times, notBeforeMs });
    },
  },

  unread: {
    from: ['unseen', 'doubt', 'unknown', 'accepted', 'disputed'],
    to: (state, { nowMs }) => {
      const times = (state.times ?? 0) + 1;
      return { ...state, times, notBeforeMs: nowMs + troubleDelayMs(times) };
    },
  },

  sending: {
    from: ['ready'],
    to: (state, { nowMs }) => {
      const { isCancelled, tries, times } = state;
      // Without a known first attempt, none is older than the write itself.
      const bornAtMs = state.bornAtMs ?? (tries === 'clean' ? nowMs : state.knownAtMs);
      if (isCancelled !== true) return moved(state, 'sending', { bornAtMs, times });
      if (tries === 'clean') return moved(state, 'stopped', { why: state.why });
      return doubted(state, 'It is cancelled, and it is not known whether it was sent.', nowMs);
    },
  },

  answered: {
    from: ['sending'],
    to: (given, { answer, nowMs }) => {
      if (answer.kind === 'accepted') {
        const { accepted, transactionId } = answer;
        const notBeforeMs = nowMs + settleDelayMs(1);
        return moved(given, 'accepted', { accepted, transactionId, notBeforeMs });
      }
      const { kind, why, isAmbiguous, afterMs = 0 } = answer;
      const tries = isAmbiguous ? 'ambiguous' : given.tries;
      // A key that did not arrive has not begun its life.
      const bornAtMs = tries === 'clean' ? undefined : given.bornAtMs;
      const state: WriteState = { ...noted(given, nowMs, why), tries, bornAtMs };
      if (kind === 'Unknown' || (kind === 'Refused' && tries === 'ambiguous')) {
        return doubted(state, why, nowMs);
      }
      if (kind === 'Refused') return moved(state, 'refused', { why });
      const times = (state.times ?? 0) + 1;
      const delayMs = kind === 'Again' ? troubleDelayMs(times) : operatorDelayMs(times);
      return moved(state, 'ready', { why, times, notBeforeMs: nowMs + Math.max(delayMs, afterMs) });
    },
  },

  record: {
    from: ['accepted', 'disputed'],
    to: (state, { record, faults, nowMs }, terms) => {
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
        const notBeforeMs = nowMs + settleDelayMs(times + 1);
        const why = `${record.state} at look ${times}`;
        return { ...moved(state, 'accepted', { times, notBeforeMs, why }), record: undefined };
      }
      const final = { ...state, record, notBeforeMs: undefined, why: undefined };
      if (!terms.checksReceipts || !record.txHash) return ended(final);
      return state.stage === 'disputed' ? final : { ...final, sinceMs: nowMs };
    },
  },

  receipt: {
    from: ['accepted', 'disputed'],
    to: (state, { receipt, nowMs }, terms) => {
      const { record, sinceMs = nowMs, stage } = state;
      if (record === undefined) return state;
      const isPatient = nowMs - sinceMs < terms.graceMs;
      const fault = disagreement(record, receipt, isPatient);
      if (fault === undefined) return ended(state);
      const why = `The service calls it ${record.state}, but ${fault} (${record.txHash}).`;
      const mayShow = receipt.found === 'absent' && isPatient && stage === 'accepted';
      if (!mayShow) return disputed(state, why, nowMs);
      const times = (state.times ?? 0) + 1;
      return { ...state, why, times, notBeforeMs: nowMs + settleDelayMs(times) };
    },
  },

  found: {
    from: ['unknown', 'disputed'],
    to: (given, { finding, trace, nowMs }) => {
      const state = noted(given, nowMs, `somebody found: ${finding.finding}, ${finding.evidence}`);
      if (finding.finding === 'skip')
        return moved(state, 'givenUp', { why: `Given up: ${finding.evidence}` });
      if (state.stage === 'disputed') {
        const record = trace?.record;
        if (trace === undefined || record === undefined) return given;
        return moved({ ...state, ...accepting(trace), record }, 'completed', {
          why: finding.evidence,
        });
      }
      if (finding.finding === 'noEffect') {
        return moved(state, state.isCancelled ? 'stopped' : 'ready', { why: finding.evidence });
      }
      if (trace === undefined) return given;
      if (finding.finding === 'completed') return found(state, trace, nowMs);
      // The new generation has a key of its own, and is looked up like any other.
      const { knownAtMs: _, bornAtMs, record, ...rest } = state;
      const raised = { ...rest, generation: state.generation + 1, tries: 'clean' as const };
      return moved({ ...raised, knownAtMs: nowMs, isProven: true }, 'unseen');
    },
  },

  cancel: {
    from: ['unseen', 'ready', 'sending', 'doubt', 'unknown', 'accepted', 'disputed'],
    to: (state, { why }) => ({
      ...state,
      isCancelled: true,
      why: state.stage === 'unseen' || state.stage === 'ready' ? why : state.why,
      notBeforeMs: state.stage === 'ready' ? undefined : state.notBeforeMs,
    }),
  },

  forgot: {
    from: ['unseen', 'ready', 'sending'],
    to: (state) => {
      if (state.isForgotten) return state;
      const { bornAtMs = state.knownAtMs } = state;
      return { ...moved(state, 'unseen'), tries: 'ambiguous', bornAtMs, isForgotten: true };
    },
  },
};

/** Why a finding cannot be used. Undefined if it can. */
export function refusalOf(
  state: WriteState,
  {
    finding,
    trace,
    faults = [],
  }: Pick<Extract<Event, { kind: 'found' }>, 'finding' | 'trace' | 'faults'>,
  { nowMs, keyLifetimeMs }: { nowMs: number; keyLifetimeMs: number },
): string | undefined {
  const { evidence, target } = finding;
  if (!isAsking(state)) return `target: ${target} does not wait for a finding any more.`;
  if (finding.finding === 'skip') return undefined;
  if (state.stage === 'disputed' && finding.finding !== 'completed') {
    return (
      `finding: ${finding.finding} does not fit ${target}, about which order, service and chain ` +
      'contradict each other, so it is never sent again. Use completed with the id of its ' +
      'transaction, or skip to give it up.'
    );
  }
  if (finding.finding === 'noEffect') {
    const { bornAtMs = state.knownAtMs } = state;
    const isOld = nowMs > bornAtMs + keyLifetimeMs;
    if (!isOld || state.isCancelled) return undefined;
    return (
      `finding: the key of ${target} is older than CUSTODY_KEY_LIFETIME_HOURS, and the service may ` +
      'have forgotten it, so it is never sent again. Find the record, or cancel the order ' +
      'first. Then this finding ends it.'
    );
  }
  const record = trace?.record;
  if (trace === undefined || record === undefined) {
    return (
      `evidence: ${evidence} is no transaction of this write. Its reference names another one, or ` +
      'the wallet has none by that name.'
    );
  }
  if (faults.length > 0)
    return `evidence: ${evidence} is not what was ordered: ${faults.join('; ')}.`;
  if (finding.finding === 'completed') {
    if (!hadNoEffect(record)) return undefined;
    return `evidence: ${evidence} is ${record.state}. Its finding is retry.`;
  }
  if (!hadNoEffect(record)) {
    return (
      `evidence: ${evidence} is ${record.state}. A new attempt needs one that is FAILED, DENIED ` +
      'or CANCELLED; the finding completed goes on from this one.'
    );
  }
  if (trace.generation === state.generation && record.refId) return undefined;
  return (
    `evidence: ${evidence} does not carry the reference of ${target}, so it proves nothing about ` +
    'it. Find the record with that reference.'
  );
}

function ended(state: WriteState): WriteState {
  const { record, times } = state;
  if (record === undefined) return state;
  const end = finalState(record.state);
  if (end === 'COMPLETE') return { ...moved(state, 'completed', { times }), evidence: undefined };
  const reason = [record.errorReason, record.errorDetails].filter(Boolean).join(': ');
  const why = `Its transaction ended as ${record.state}${reason === '' ? '' : `: ${reason}`}.`;
  return moved(state, end === 'CANCELLED' && state.isCancelled ? 'stopped' : 'failed', { why });
}

/** Goes on from what the service has. */
function found(state: WriteState, trace: Trace, nowMs: number): WriteState {
  const notBeforeMs = nowMs + settleDelayMs(1);
  return moved({ ...state, ...accepting(trace), isFound: true }, 'accepted', { notBeforeMs });
}

function accepting({ generation, accepted, record }: Trace): Partial<WriteState> {
  return { generation, accepted, transactionId: record?.id, isProven: undefined };
}

function doubted(state: WriteState, why: string, sinceMs: number): WriteState {
  return moved({ ...state, tries: 'ambiguous' }, 'doubt', { why, sinceMs });
}

function disputed(state: WriteState, why: string, nowMs: number): WriteState {
  const isSame = state.stage === 'disputed';
  const times = isSame ? (state.times ?? 0) + 1 : 1;
  const sinceMs = isSame ? state.sinceMs : nowMs;
  const notBeforeMs = nowMs + operatorDelayMs(times);
  // Each part of what contradicts itself may change, so that all of it is read anew.
  const unread = { ...noted(state, nowMs, why), record: undefined };
  return moved(unread, 'disputed', { why, sinceMs, times, notBeforeMs });
}

/** What a stage keeps of the one before is said here; the rest of its own fields begins anew. */
function moved(state: WriteState, stage: Stage, own: Partial<WriteState> = {}): WriteState {
  const fresh = { sinceMs: undefined, times: undefined, notBeforeMs: undefined, why: undefined };
  return { ...state, ...fresh, ...own, stage };
}

/** Adds a line to the evidence, with its time. Of many, the first and the last stay. */
function noted(state: WriteState, nowMs: number, words: string): WriteState {
  const evidence = [...(state.evidence ?? []), `${new Date(nowMs).toISOString()} ${words}`];
  if (evidence.length > evidenceMax) evidence.splice(evidenceMax / 2, 1);
  return { ...state, evidence };
}

/** The traces of the highest generation. Of several, only those that may have had an effect. */
function highest(traces: readonly Trace[]): Trace[] {
  const generation = Math.max(...traces.map((trace) => trace.generation));
  const latest = traces.filter((trace) => trace.generation === generation);
  const effective = latest.filter(({ record }) => record === undefined || !hadNoEffect(record));
  return effective.length > 0 ? effective : latest.slice(0, 1);
}

/** True if a trace belongs to an earlier generation that provably had no effect. */
function isSurpassed({ generation, record }: Trace, state: WriteState): boolean {
  return generation < state.generation && record !== undefined && hadNoEffect(record);
}

/** A new generation needs proof that exactly the one before had no effect. */
function mayStart(
  { generation, isProven, stage }: WriteState,
  surpassed: Trace | undefined,
): boolean {
  if (generation === 0 || isProven || stage !== 'unseen') return true;
  return surpassed?.generation === generation - 1;
}

function noProofBefore({ generation }: WriteState): string {
  return (
    `generations: attempt #${generation} of this write needs a record that proves that attempt ` +
    `#${generation - 1} had no effect, and the service has none. Start the order without it.`
  );
}

function twice(traces: readonly (Trace | undefined)[]): string {
  const ids = traces.flatMap((trace) => trace?.record?.id ?? []).join(', ');
  return (
    `The service has ${traces.length} records of this write under one reference (${ids}). ` +
    'It is not sent again. Find out where they come from.'
  );
}
