import type { ReceiptAnswer } from '../../../activities/chain/receipt';
import type { Transaction } from '../../../src/custody/objects/transaction';
import type { Finding } from '../../../src/orders/progress/resolve';

/** The state of one write. Plain JSON, since runs hand it on. */
export type WriteState = {
  stage: Stage;
  generation: number;
  /** `clean`: every attempt of this generation provably had no effect. */
  tries: 'clean' | 'ambiguous';
  /** When an order first considered this write. No attempt of this generation is older. */
  knownAtMs: number;
  /** The first attempt under this generation's key that may have arrived. */
  bornAtMs?: number | undefined;
  /** When the look-up was asked for that lets it be sent. */
  lookedUpAtMs?: number | undefined;
  /** The service's answer when it accepted the write. */
  accepted?: unknown;
  transactionId?: string | undefined;
  /** Found in the service's list, and not sent by this run. */
  isFound?: boolean | undefined;
  /** The final record, which the chain confirms or contradicts. */
  record?: FinalRecord | undefined;
  /** The final word that the service says, and since when. Unset while it says none. */
  final?: FinalHeard | undefined;
  /**
   * The transaction on the chain that did exactly what was ordered, though the service says
   * otherwise. It stays if the chain's node does not show it any more.
   */
  paidIn?: string | undefined;
  /** It is proven that the generation before had no effect. */
  isProven?: boolean | undefined;
  /** The record that has proven it. Such a proof is a claim, and is old after the grace period. */
  proof?: RecordProof | undefined;
  /**
   * The next generation. The write goes on under this number once it is proven that the present one
   * had no effect. Until then `accepted` and `record` belong to the present one.
   */
  goesOnAs?: number | undefined;
  /** An earlier generation may have been accepted, so that a lack of its record proves nothing. */
  isSuspect?: boolean | undefined;
  /** The service has refused it. It has ended once it is not in the service's list either. */
  isRefused?: boolean | undefined;
  /** Nothing more is to be sent. */
  isCancelled?: boolean | undefined;
  /** Somebody has given it up, with these words. From then on it asks nobody. */
  givenUp?: string | undefined;
  /** An event `forgot` has happened: it counts once. */
  isForgotten?: boolean | undefined;
  /** Since when this stage lasts, and how often it has looked in vain. */
  sinceMs?: number | undefined;
  times?: number | undefined;
  /** Nothing is done for it earlier. */
  notBeforeMs?: number | undefined;
  /** Why it is in this stage, as a sentence. */
  why?: string | undefined;
  /** The transaction of its wallet that it waits for, and what frees that one. */
  inFront?: string | undefined;
  /** Its attempts and look-ups, oldest first, for the person who decides. */
  evidence?: readonly string[] | undefined;
};

/**
 * unseen: to be looked up before anything may be sent. ready: may be sent. sending: an
 * attempt is pending. doubt: may have been accepted, and is looked up over the grace period.
 * unknown: was not found, and a person is asked. accepted: the service has it. disputed: order,
 * service and chain contradict each other, and a person is asked. The other stages are ends.
 */
export type Stage =
  | ('unseen' | 'ready' | 'sending' | 'doubt' | 'unknown' | 'accepted' | 'disputed')
  | ('completed' | 'failed' | 'refused' | 'stopped' | 'givenUp');

/** The final word that the service says, and since when it says so. */
export type FinalHeard = { claimsNoEffect: boolean; sinceMs: number };

/** A record that has proven an end: since when the service says its word, and when that proved it. */
export type RecordProof = { id: string; sinceMs: number; atMs: number };

/** As much of a record as the machine reads. A driver may keep more in it. */
export type FinalRecord = Pick<Transaction, 'id' | 'state'> & Partial<Transaction>;

/** A trace of a write in the service's list. A wallet or a wallet set has no record. */
export type Trace = {
  generation: number;
  accepted: unknown;
  record?: FinalRecord | undefined;
};

export type Happening =
  | ({ kind: 'looked' } & Looked)
  /** The look-up, record or receipt could not be read. `fault`: it is that of this write alone. */
  | { kind: 'unread'; fault?: string | undefined }
  | { kind: 'sending' }
  | { kind: 'answered'; answer: AttemptOutcome }
  | { kind: 'record'; record: FinalRecord & { inFront?: string }; faults: readonly string[] }
  /** The service does not know the transaction that it has accepted. */
  | { kind: 'lost' }
  /** The chain's answer about a transaction. The chain may have gone on since it was asked. */
  | ({ kind: 'receipt'; receipt: ReceiptAnswer } & ReceiptAsked)
  | { kind: 'found'; finding: Finding; trace?: Trace | undefined; faults?: readonly string[] }
  | { kind: 'cancel'; why: string }
  /** This run may have sent more than it remembers: after a reset. */
  | { kind: 'forgot' }
  /** It is looked up once more before it is sent. */
  | { kind: 'lookAgain' }
  /** Whatever it waits for is done at once. */
  | { kind: 'hurry' }
  /** Somebody, or an earlier run, has known its transaction. */
  | { kind: 'recalled'; transactionId: string | undefined }
  | { kind: 'inherited'; left: LeftLine }
  /** A batch that the list shows pays this line. Or it is such a batch, whose lines were given up. */
  | { kind: 'adopted'; generation?: number; givenUp?: string | undefined }
  /** Its batch has ended. `failedAlone` says why its own payment had no effect. */
  | { kind: 'endedIn'; batch: WriteState; generation: number; failedAlone?: string | undefined }
  | { kind: 'again'; generation: number; isProven: boolean; batch?: WriteState }
  | { kind: 'continued'; isInBatch: boolean };

/** The transaction that the chain was asked about, and when. */
export type ReceiptAsked = { transactionId: string | undefined; askedAtMs: number };

/** A line as an earlier run has left it. Without an end it is looked up. */
type LeftLine = Pick<
  WriteState,
  'generation' | 'transactionId' | 'record' | 'why' | 'givenUp' | 'isCancelled' | 'isProven'
> & { end?: Stage | undefined; isUnsent: boolean };

/** The answer of a look-up that was asked for at a moment. */
export type Looked = {
  askedAtMs: number;
  traces: readonly Trace[];
  seen: number;
  /** The chain shows the payment, in words, and the list may not have it. */
  paid?: string | undefined;
};

/** A happening, and when it was seen. */
export type Event = Happening & { nowMs: number };

/** An event of one kind. */
export type EventOf<Kind extends Event['kind']> = Extract<Event, { kind: Kind }>;

/** The outcome of an attempt. */
export type AttemptOutcome =
  | { kind: 'accepted'; accepted: unknown; transactionId?: string | undefined }
  /**
   * Refused: final if all attempts were clean. Unknown: only a look-up tells. Again: passes by
   * itself. NeedsOperator: a person has to mend something. Outdated: it is looked up again first.
   */
  | {
      kind: 'Refused' | 'Unknown' | 'Again' | 'NeedsOperator' | 'Outdated';
      why: string;
      isAmbiguous: boolean;
      afterMs?: number | undefined;
    };

/** The terms that hold for all writes of an order. */
export type Terms = {
  lookupGraceMs: number;
  keyLifetimeMs: number;
  checksReceipts: boolean;
  /** True if other writes follow from its end, so that no end is told before it is proven. */
  mustProve?: boolean | undefined;
};

/** A write's next wish, and the earliest time for it. */
export type Wish = { want: 'lookUp' | 'send' | 'watch' | 'receipt' | 'nothing'; atMs: number };

/** The stages in which nothing more is wanted. */
export const ends: readonly Stage[] = ['completed', 'failed', 'refused', 'stopped', 'givenUp'];

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

/** An entry of a write log. A person's word ends a write, and does not make its attempts clean. */
export function loggedAs(state: WriteState): WriteState['tries'] {
  const wasSent = state.accepted !== undefined || state.tries === 'ambiguous';
  return wasSent || mayBePending(state) ? 'ambiguous' : 'clean';
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
