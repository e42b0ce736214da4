import { isDecimal, toBaseUnits } from '../../custody/objects/amount';
import { claimsNoEffect } from '../../custody/objects/finalWord';
import { finalState } from '../../custody/objects/state';
import type { Transaction } from '../../custody/objects/transaction';
import { type Reference, readReference } from '../../custody/reference';
import { policyDecimals } from '../file/policy';
import type { Heard } from '../ledger/claim';
import type { Sighting, WriteEnd } from '../ledger/ledger';
import { amountEnd } from '../ledger/tables';

/** The writes of the ledger whose transactions these are. */
export type Own = ReadonlyMap<string, Reference>;

/** The write that a record is of. The ledger's own memory counts before the record's reference. */
function referenceOf({ id, refId, transactionType }: Transaction, own: Own): Reference | undefined {
  return own.get(id) ?? (transactionType === 'INBOUND' ? undefined : readReference(refId));
}

/** The records of ours among these, by their references. */
export function seenIn(records: readonly Transaction[], own: Own) {
  return records.flatMap((record) => {
    const reference = referenceOf(record, own);
    return reference === undefined ? [] : [{ ...reference, transactionId: record.id }];
  });
}

/** The payments that records show. No single record proves that a write had no effect. */
export function effectsIn(records: readonly Transaction[], own: Own): WriteEnd[] {
  return records.flatMap((record) => {
    return finalState(record.state) === 'COMPLETE'
      ? writeEnd(record, { own, hadEffect: true })
      : [];
  });
}

/** The end of a write by its record. None for a record that is of no write of ours. */
export function writeEnd(
  record: Transaction,
  { own, hadEffect }: { own: Own; hadEffect: boolean },
): WriteEnd[] {
  const reference = referenceOf(record, own);
  const { id: transactionId, networkFee } = record;
  return reference ? [{ ...reference, transactionId, hadEffect, fee: unitsIn(networkFee) }] : [];
}

/** The words of records, as far as the ledger notes them. */
export function wordsIn(records: readonly Transaction[]): Heard[] {
  return records.map(({ id: transactionId, state }) => ({
    transactionId,
    claimsNoEffect: claimsNoEffect({ state }),
    isFinal: finalState(state) !== undefined,
  }));
}

/**
 * All that wallets have sent among these records. The ledger says which of it is of others. A word
 * without effect proves nothing, unless the record was made before all windows began.
 */
export function sightingsIn(
  records: readonly Transaction[],
  { own, windowsMs, nowMs = Date.now() }: { own: Own; windowsMs: number; nowMs?: number },
): (Sighting & { record: Transaction })[] {
  const outbound = records.filter(({ transactionType }) => transactionType !== 'INBOUND');
  return outbound.map((record) => {
    const { id: transactionId, state: word } = record;
    const isPast = Date.parse(record.createDate) < nowMs - windowsMs;
    const withoutEffect = isPast ? 'void' : 'claimed';
    const end = finalState(word);
    const ended = end === 'COMPLETE' ? 'settled' : withoutEffect;
    const state = end === undefined ? 'moving' : ended;
    return { transactionId, reference: referenceOf(record, own), state, record };
  });
}

/** An amount in the decimals of a policy. Undefined for a text that is none, or is far too large. */
export function unitsIn(text: string | undefined): bigint | undefined {
  if (text === undefined || !isDecimal(text)) return undefined;
  const [, fraction = ''] = text.split('.');
  if (fraction.length > policyDecimals) return undefined;
  const units = toBaseUnits(text, policyDecimals);
  return units < amountEnd ? units : undefined;
}
