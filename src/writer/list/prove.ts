import type { CustodyApi } from '../../custody/endpoints';
import { WithheldError } from '../../custody/errors';
import { type ChainShows, claimsNoEffect, verdictOn } from '../../custody/objects/finalWord';
import type { Transaction } from '../../custody/objects/transaction';
import type { OrderedCall } from '../call/ordered';
import type { Attempt, Claim } from '../ledger/claim';
import type { Ledger } from '../ledger/ledger';

/** A record that claims no effect, and the call that was ordered, where a writer has ordered it. */
type ClaimedRecord = {
  record: Transaction;
  call: OrderedCall | undefined;
  /** The ledger's own time before the call was sent first. */
  sinceMs: number | undefined;
  /** When the word of the record was heard first. */
  heardMs: number;
};

/** Asks the chain for the call behind a record. Throws while the chain cannot be read. */
export type AsksChain = (claimed: ClaimedRecord) => Promise<{
  shows: ChainShows;
  /** The age of the newest block when the chain was asked. */
  headAgeMs?: number | undefined;
}>;

/** The end of a record that is proven. Undefined while it waits. */
type Proven = { hadEffect: boolean } | undefined;

export type ProveOptions = {
  /** So long a word has to stand, by the ledger's own time. */
  graceMs: number;
  /** Asks the chain, where this process has a node of it. */
  chain?: AsksChain | undefined;
};

/**
 * Decides about a record that claims no effect, by the one table for such words. It was read just
 * now. A list has many records, so the chain is asked only for one that was read by itself.
 */
export async function proven(
  { record, claim }: { record: Transaction; claim: Claim },
  {
    ledger,
    graceMs,
    chain,
    mayAsk,
  }: ProveOptions & { ledger: Pick<Ledger, 'claimAsked'>; mayAsk: boolean },
): Promise<Proven> {
  if (chain !== undefined && !mayAsk) return undefined;
  const { own, ageMs } = claim;
  const asked = { record, call: own?.call, sinceMs: own?.firstMs, heardMs: Date.now() - ageMs };
  // While the chain cannot be read, the word waits.
  const unasked = { shows: 'unasked', headAgeMs: 0 } as const;
  const answer = chain === undefined ? unasked : await chain(asked).catch(() => undefined);
  if (mayAsk) await ledger.claimAsked(record.id);
  if (answer === undefined) return undefined;
  // The chain's answer is as old as its newest block.
  const { shows, headAgeMs = 0 } = answer;
  const isOld = ageMs - headAgeMs >= graceMs;
  const verdict = verdictOn(record, { shows, isOld, mayTell: false });
  if (verdict === 'stands') return { hadEffect: false };
  return verdict === 'contradicted' && shows === 'effect' ? { hadEffect: true } : undefined;
}

const againMinMs = 2_000;

/**
 * Before a write is tried again: reads the records of its earlier attempts. Throws while the word
 * of one of them proves nothing.
 */
export function provingBefore({
  ledger,
  graceMs,
  getTransaction,
}: ProveOptions & { ledger: Pick<Ledger, 'openBefore' | 'claim'> } & Pick<
    CustodyApi,
    'getTransaction'
  >): (attempt: Attempt) => Promise<void> {
  return async (attempt) => {
    for (const id of await ledger.openBefore(attempt)) {
      const { transaction } = await getTransaction({ id });
      const claim = await ledger.claim(id);
      const isOpen = (await ledger.openBefore(attempt)).includes(id);
      if (!isOpen || claim === undefined || !claimsNoEffect(transaction)) continue;
      const { generation = 0 } = claim.own ?? {};
      const restMs = Math.max(graceMs - claim.ageMs, againMinMs);
      throw new WithheldError(
        `The policy holds it back: the service calls its generation ${generation} ` +
          `${transaction.state} (${id}), and that word proves nothing yet. It is read again in ` +
          `${Math.ceil(restMs / 1_000)} s.`,
        { next: 'again', afterMs: restMs },
      );
    }
  };
}
