import { workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../../activities';
import type { WriteIdentity } from '../../activities/attempt';
import type { ReceiptQuestion } from '../../activities/chain/receipt';
import type { HeardFailures } from '../../activities/guard/earlierRuns';
import type { Found, Search } from '../../activities/lookUp';
import type { Accepted } from '../../activities/transactions';
import type { Effect } from '../../src/chain/effect';
import { claimsNoEffect } from '../../src/custody/objects/finalWord';
import { finalState } from '../../src/custody/objects/state';
import type { Stop } from '../order/activities';
import type { Expected } from './machine/compare';
import type { Left } from './machine/firstState';
import type { AttemptOutcome, WriteState } from './machine/writeState';

/** The name of a write: its step, and the item within the step. */
export type WriteName = { step: string; item: string };

/** A write of a workflow: its name, and what it does. */
export type Step<T> = WriteName & {
  /** Its action, in words. */
  doing: string;
  /** Finds it in the service's lists. */
  find: (from: Activities, search: Search) => Promise<Found<T>>;
  /** One attempt. The whole request is in it, frozen before the first one. */
  send: (identity: WriteIdentity) => Promise<T>;
  /** The fields of its record, if it is a transaction. Any other value stops the write. */
  expected?: Expected;
};

/** A write that is a transaction: what it does, and what its record and the chain must say. */
export type Transacting<T extends Accepted = Accepted> = Step<T> & {
  expected: Expected;
  /** The address that sends it. */
  sender: string;
  /** True for a smart account: its calls are user operations. */
  isSmart: boolean;
  /** The effect that the chain must show. */
  effect: Effect;
};

/** A write of an order. Only a write that is a transaction is watched. */
export type Write<T = unknown> = Step<T> | (Step<T> & Transacting);

/** The part of an order that a write's identity needs. */
type Place = Pick<WriteIdentity, 'baseUrl' | 'validUntil' | 'authority'> & { workflowId: string };

/** The write as its activity gets it, in its present generation. */
export function identityOf(
  { step, item }: WriteName,
  state: Pick<WriteState, 'generation' | 'tries' | 'bornAtMs' | 'lookedUpAtMs'>,
  { workflowId, ...place }: Place,
): WriteIdentity {
  const { generation, tries: earlierTries, bornAtMs = Date.now(), lookedUpAtMs } = state;
  const parts = { workflowId, step, item, generation };
  const { runId } = workflowInfo();
  const lookedUpAgoMs = lookedUpAtMs === undefined ? undefined : Date.now() - lookedUpAtMs;
  return { parts, earlierTries, bornAtMs, lookedUpAgoMs, runId, ...place };
}

/**
 * The question about a write on the chain, where its record is final. The date of a record is a
 * claim. It never makes the search begin after the write itself. A write that was found in the list
 * was sent by an earlier run. The search begins with the first run that Temporal knows. Where it
 * knows none, all blocks are searched. An earlier run may have heard first that this operation has
 * failed, and a later operation proves the same for this run.
 */
export function receiptQuestion(
  { sender, isSmart, effect, ...write }: Transacting,
  { record, final, stage, generation, isFound, bornAtMs, knownAtMs }: WriteState,
  { ranSinceMs = 0, heard }: Pick<Left, 'ranSinceMs'> & { heard?: HeardFailures | undefined },
): ReceiptQuestion | undefined {
  if (record === undefined) return undefined;
  const { id, walletId, txHash, blockHeight, userOpHash, createDate = '' } = record;
  const knownAt = new Date(bornAtMs ?? knownAtMs).toISOString();
  const ownMs = isFound ? ranSinceMs : (bornAtMs ?? knownAtMs);
  const since = Date.parse(createDate) > ownMs ? new Date(ownMs).toISOString() : createDate;
  const isCancelled = finalState(record.state) === 'CANCELLED';
  // A completed call is where its record says, unless it was sent again with another hash.
  const isNamed = !claimsNoEffect(record) && stage !== 'disputed' && !userOpHash;
  const place = { id, isSmart, isSent: isFound !== true, ...(walletId && { walletId }) };
  const before = heard?.[`${write.step}/${write.item}#${generation}`];
  const isSame = claimsNoEffect(record) && before?.id === id && before.userOpHash === userOpHash;
  const heardMs = isSame ? before.sinceMs : final?.sinceMs;
  const search = { ...place, since, knownAt, heardMs, isCancelled, isNamed };
  const named = { txHash, ...(userOpHash ? { userOpHash } : {}), blockHeight };
  return { ...named, sender, effect, search };
}

/** The transaction that an answer names. A wallet has none. */
export function transactionIdIn(accepted: unknown): string | undefined {
  if (typeof accepted !== 'object' || accepted === null) return undefined;
  return 'transactionId' in accepted ? String(accepted.transactionId) : undefined;
}

/** The answer to an attempt that ended without an acceptance. */
export function answerOf({ type, message, facts }: Stop): AttemptOutcome {
  // The payout of a line has ended, and may be started again.
  const kind = type === 'Ended' ? 'Again' : type;
  return { kind, why: message, isAmbiguous: facts.ambiguous, afterMs: facts.afterMs };
}
