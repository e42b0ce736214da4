import { isDecimal, toBaseUnits } from '../../custody/objects/amount';
import { finalState } from '../../custody/objects/state';
import type { Transaction } from '../../custody/objects/transaction';
import { type Reference, readReference } from '../../custody/reference';
import { policyDecimals } from '../file/policy';
import type { End, Sighting } from '../ledger/ledger';
import { amountEnd } from '../ledger/tables';

/** The reference of a record, if it is of a write of ours. */
function ownReference({ refId, transactionType }: Transaction): Reference | undefined {
  return transactionType === 'INBOUND' ? undefined : readReference(refId);
}

/** The records of ours among these, by their references. */
export function seenIn(records: readonly Transaction[]) {
  return records.flatMap((record) => {
    const reference = ownReference(record);
    return reference === undefined ? [] : [{ ...reference, transactionId: record.id }];
  });
}

/** The ends that records show. A record without a reference of ours, or not final, shows none. */
export function endsOf(records: readonly Transaction[]): End[] {
  return records.flatMap((record) => {
    const reference = ownReference(record);
    const state = finalState(record.state);
    if (reference === undefined || state === undefined) return [];
    const { id: transactionId, networkFee } = record;
    const hadEffect = state === 'COMPLETE';
    return [{ ...reference, transactionId, hadEffect, fee: unitsIn(networkFee) }];
  });
}

/** All that wallets have sent among these records. The ledger says which of it is of others. */
export function sightingsIn(
  records: readonly Transaction[],
): (Sighting & { record: Transaction })[] {
  const outbound = records.filter(({ transactionType }) => transactionType !== 'INBOUND');
  return outbound.map((record) => {
    const { id: transactionId, state: word } = record;
    const end = finalState(word);
    const ended = end === 'COMPLETE' ? 'settled' : 'void';
    const state = end === undefined ? 'moving' : ended;
    return { transactionId, reference: ownReference(record), state, record };
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
