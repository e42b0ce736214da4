import { type Reference, readReference } from '../custody/idempotencyKey';
import { isDecimal, toBaseUnits } from '../custody/objects/amount';
import { finalState } from '../custody/objects/state';
import type { Transaction } from '../custody/objects/transaction';
import { policyDecimals } from './file/policy';
import type { End } from './ledger/ledger';

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
    const { id: transactionId, networkFee = '' } = record;
    const fee = isDecimal(networkFee) ? toBaseUnits(networkFee, policyDecimals) : undefined;
    return [{ ...reference, transactionId, hadEffect: state === 'COMPLETE', fee }];
  });
}
