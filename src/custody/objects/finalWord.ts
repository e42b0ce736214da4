/**
 * Pure: runs in workflows. A final word of the service is a claim, and the chain proves. This file
 * decides about such claims. It names the readings of the chain, the end that may be told, and the
 * proof that lets a write be sent again.
 */
import { type FinalState, finalState } from './state';

/** A chain's view of the ordered call, whichever transaction the record names. */
export type ChainShows =
  /** No node is asked. */
  | 'unasked'
  /** The ordered call is in a block, and has succeeded. */
  | 'effect'
  /** The record names a transaction that is in a block and is not the ordered call. */
  | 'other'
  /** It can never happen: it failed in a block, or another call has used its nonce. */
  | 'dead'
  /** It may still come into a block. */
  | 'open'
  /** No block since the creation of the record has it. */
  | 'nothing';

/** A final record, as far as the decision needs it. */
export type FinalClaim = {
  state: string;
  txHash?: string | undefined;
  userOpHash?: string | undefined;
  errorReason?: string | undefined;
};

/**
 * stands: the write has ended as the word says, and that is proven. told: the end may be told, and
 * proves nothing. waits: record and chain are read again later. contradicted: a person is asked.
 */
export type WordVerdict = 'stands' | 'told' | 'waits' | 'contradicted';

/** The verdicts within the grace period of a word, and after it. */
type Row = { young: WordVerdict; old: WordVerdict };

/** Verdicts on COMPLETE. */
const completed: Readonly<Record<ChainShows, Row>> = {
  unasked: { young: 'stands', old: 'stands' },
  effect: { young: 'stands', old: 'stands' },
  other: { young: 'contradicted', old: 'contradicted' },
  dead: { young: 'contradicted', old: 'contradicted' },
  open: { young: 'waits', old: 'contradicted' },
  nothing: { young: 'waits', old: 'contradicted' },
};

/** Verdicts on FAILED, DENIED and CANCELLED. */
const withoutEffect: Readonly<Record<ChainShows, Row>> = {
  unasked: { young: 'waits', old: 'stands' },
  effect: { young: 'contradicted', old: 'contradicted' },
  // The chain has been searched for the ordered call, and the named one tells nothing about it.
  other: { young: 'waits', old: 'stands' },
  dead: { young: 'stands', old: 'stands' },
  open: { young: 'waits', old: 'contradicted' },
  nothing: { young: 'waits', old: 'stands' },
};

/**
 * Reasons by which the service ends a transaction before it signs it. Only they may be told at
 * once. Source: the service's list of error reasons, and its page about screening.
 */
const beforeSigning: ReadonlySet<string> = new Set([
  'ABI_SIGNATURE_PARAMS_MISMATCH',
  'ESTIMATION_ERROR',
  'FEE_EXCEEDS_MAX_ALLOWANCE',
  'GAS_LIMIT_TOO_LOW',
  'INSUFFICIENT_NATIVE_TOKEN',
  'INSUFFICIENT_TOKEN',
  'INSUFFICIENT_TOKEN_BALANCE',
  'PAYMASTER_ENTITY_RESTRICTION',
  'PAYMASTER_POLICY_EXCEED_MAX_DAILY_TRANSACTIONS',
  'PAYMASTER_POLICY_EXCEED_MAX_NATIVE_TOKEN_DAILY',
  'PAYMASTER_POLICY_EXCEED_MAX_SPEND_USD_DAILY',
  'PAYMASTER_POLICY_EXCEED_MAX_SPEND_USD_PER_TX',
  'PAYMASTER_POLICY_NOT_ACTIVATED',
  'PAYMASTER_POLICY_SENDER_IN_BLOCKLIST',
  'QUERY_NFT_METADATA_ERROR',
]);

/**
 * Decides about a final record. `isOld`: the word has stood for the whole grace period, by the
 * reader's own clock, and was read again just now. `mayTell`: no write follows from the end.
 */
export function verdictOn(
  claim: FinalClaim,
  { shows, isOld, mayTell }: { shows: ChainShows; isOld: boolean; mayTell: boolean },
): WordVerdict {
  const { [shows]: row } = finalState(claim.state) === 'COMPLETE' ? completed : withoutEffect;
  const verdict = isOld ? row.old : row.young;
  const isSilent = shows === 'nothing' || shows === 'unasked';
  return verdict === 'waits' && mayTell && isSilent && wasUnsigned(claim) ? 'told' : verdict;
}

/** True if a record says that it ended before the service has signed anything. */
function wasUnsigned({ state, txHash, userOpHash, errorReason = '' }: FinalClaim): boolean {
  if (txHash || userOpHash) return false;
  const word: FinalState | undefined = finalState(state);
  return word === 'DENIED' || (word === 'FAILED' && beforeSigning.has(errorReason));
}

/** True if a record claims that its transaction had no effect. */
export function claimsNoEffect({ state }: Pick<FinalClaim, 'state'>): boolean {
  const end = finalState(state);
  return end !== undefined && end !== 'COMPLETE';
}

/** The chain's answer about a call: what became of it, and how it differs from what was ordered. */
export type ChainAnswer = {
  found: 'success' | 'reverted' | 'absent';
  faults: readonly string[];
  other?: string;
  replaced?: boolean;
};

/** The chain's view of the ordered call, from its answer. */
export function shownBy(
  { found, faults, replaced, other }: ChainAnswer,
  record: Pick<FinalClaim, 'state'>,
): ChainShows {
  if (found === 'success')
    return faults.length === 0 || claimsNoEffect(record) ? 'effect' : 'other';
  if (found === 'reverted' || replaced === true) return 'dead';
  if (replaced === false) return 'open';
  return other === undefined ? 'nothing' : 'other';
}

/** A reading of the chain for a record. They are made in this order until one finds the call. */
type Reading =
  /** The named transaction, with its receipt. It counts if it is the ordered call. */
  | 'transaction'
  /** The account's own transactions since the creation: by logs of the money, or by its nonces. */
  | 'ownTransactions'
  /** The account's transactions that no block has yet. */
  | 'pending'
  /** The event of the user operation, by its hash. */
  | 'operation'
  /** The events of the account's user operations since the creation. */
  | 'ownOperations'
  /** The nonce of the user operation: another one has been carried out since, or in its place. */
  | 'laterOperations';

/** The readings for a record, by its account and by the hashes that it has. */
export function readingsFor(
  { txHash, userOpHash }: Pick<FinalClaim, 'txHash' | 'userOpHash'>,
  { isSmart }: { isSmart: boolean },
): Reading[] {
  const named: Reading[] = txHash ? ['transaction'] : [];
  if (!isSmart) return [...named, 'ownTransactions', 'pending'];
  if (!userOpHash) return [...named, 'ownOperations'];
  return [...named, 'operation', 'ownOperations', 'laterOperations'];
}
