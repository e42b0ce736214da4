import type { ReceiptAnswer } from '../../activities/chain/receipt';
import { finalState } from '../../src/custody/objects/state';
import type { Transaction } from '../../src/custody/objects/transaction';
import type { Trace, WriteState } from './writeState';

type Record = Pick<Transaction, 'state'>;

/** True if a record proves that its transaction had no effect, and never will have. */
export function hadNoEffect({ state }: Record): boolean {
  const end = finalState(state);
  return end !== undefined && end !== 'COMPLETE';
}

/** The contradiction between the chain and a final record, in words. Undefined if they agree. */
export function disagreement(
  record: Record,
  receipt: ReceiptAnswer,
  isPatient: boolean,
): string | undefined {
  return hadNoEffect(record) ? effectOf(receipt, isPatient) : lackOf(receipt);
}

/** The lack of a completed transaction on the chain, in words. */
function lackOf({ found, faults }: ReceiptAnswer): string | undefined {
  if (found === 'absent') return 'it is in no block of the chain';
  if (found === 'reverted') return 'it was reverted on the chain';
  return faults.length === 0 ? undefined : `the chain shows otherwise: ${faults.join('; ')}`;
}

/**
 * Why a failed transaction may have had an effect. Its absence from the chain proves that it had
 * none if another transaction has used its nonce. If the chain has never heard of the hash, its
 * nonce is not known, and its absence over the whole grace period is the proof.
 */
function effectOf({ found, replaced }: ReceiptAnswer, isPatient: boolean): string | undefined {
  if (found === 'reverted') return undefined;
  if (found === 'success') return 'it succeeded on the chain';
  if (replaced === true || (replaced === undefined && !isPatient)) return undefined;
  return 'the chain may still include it';
}

/** The traces of the highest generation. Of several, only those that may have had an effect. */
export function highest(traces: readonly Trace[]): Trace[] {
  const generation = Math.max(...traces.map((trace) => trace.generation));
  const latest = traces.filter((trace) => trace.generation === generation);
  const effective = latest.filter(({ record }) => record === undefined || !hadNoEffect(record));
  return effective.length > 0 ? effective : latest.slice(0, 1);
}

/** True if a trace belongs to an earlier generation that provably had no effect. */
export function isSurpassed({ generation, record }: Trace, state: WriteState): boolean {
  return generation < state.generation && record !== undefined && hadNoEffect(record);
}

/** A new generation needs proof that exactly the one before had no effect. */
export function mayStart({ generation, isProven }: WriteState): boolean {
  return generation === 0 || isProven === true;
}

export function noProofBefore({ generation }: WriteState): string {
  return (
    `generations: #${generation} of this write needs a record that proves that ` +
    `#${generation - 1} had no effect. The service has none. Start the order without that field.`
  );
}

export function twice(traces: readonly (Trace | undefined)[]): string {
  const ids = traces.flatMap((trace) => trace?.record?.id ?? []).join(', ');
  return (
    `The service has ${traces.length} records of this write under one reference (${ids}). ` +
    'It is not sent again. Find out where they come from.'
  );
}
