import { claimsNoEffect } from '../../../src/custody/objects/finalWord';
import { sameText } from '../../../src/custody/objects/sameText';
import { type Finding, paidSentence } from '../../../src/orders/progress/resolve';
import { mayStart, noProofBefore } from './proof';
import { type Event, isAsking, type WriteState } from './writeState';

type Given = Pick<Extract<Event, { kind: 'found' }>, 'finding' | 'trace' | 'faults'>;
type Now = { nowMs: number; keyLifetimeMs: number };

/**
 * True for a finding that the chain has proven: its evidence is the transaction that has paid the
 * write. The service's record adds nothing to that, and may be lost or unreadable.
 */
export function isPaidBy({ paidIn }: WriteState, { finding, evidence }: Finding): boolean {
  return paidIn !== undefined && finding === 'completed' && sameText(evidence, paidIn);
}

/** Why a finding cannot be used. Undefined if it can. */
export function refusalOf(state: WriteState, given: Given, now: Now): string | undefined {
  const { finding } = given;
  const { target } = finding;
  if (!isAsking(state)) return `target: ${target} does not wait for a finding any more.`;
  if (isPaidBy(state, finding)) return undefined;
  const { paidIn } = state;
  const paid = paidIn === undefined ? undefined : paidSentence({ target, paidIn });
  if (paid !== undefined && finding.finding !== 'completed') return paid;
  const refusal = unproven(state, given, now);
  return refusal === undefined || paid === undefined ? refusal : `${refusal} ${paid}`;
}

/** Why a finding cannot be used that the chain has not proven. */
function unproven(
  state: WriteState,
  { finding, trace, faults = [] }: Given,
  { nowMs, keyLifetimeMs }: Now,
): string | undefined {
  const { evidence, target } = finding;
  if (finding.finding === 'skip') return undefined;
  if (state.stage === 'disputed' && finding.finding !== 'completed') {
    return (
      `finding: ${finding.finding} does not fit ${target}, about which order, service and chain ` +
      'contradict each other, so it is never sent again. Use completed with the id of its ' +
      'transaction, or skip to give it up.'
    );
  }
  if (finding.finding === 'noEffect')
    return noEffectRefusal(state, target, { nowMs, keyLifetimeMs });
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
    // A record that the service calls FAILED may have moved money on the chain.
    if (!claimsNoEffect(record) || state.stage === 'disputed') return undefined;
    return `evidence: ${evidence} is ${record.state}. Its finding is retry.`;
  }
  if (!claimsNoEffect(record)) {
    return (
      `evidence: ${evidence} is ${record.state}. A retry needs one that is FAILED, DENIED ` +
      'or CANCELLED. The finding completed goes on from this one.'
    );
  }
  if (trace.generation === state.generation && record.refId) return undefined;
  return (
    `evidence: ${evidence} does not carry the reference of ${target}, so it proves nothing about ` +
    'it. Find the record with that reference.'
  );
}

/** Why a write cannot be sent again, though it was never accepted. */
function noEffectRefusal(
  state: WriteState,
  target: string,
  { nowMs, keyLifetimeMs }: { nowMs: number; keyLifetimeMs: number },
): string | undefined {
  const { bornAtMs = state.knownAtMs } = state;
  const isOld = nowMs > bornAtMs + keyLifetimeMs;
  if (state.isCancelled) return undefined;
  if (!mayStart(state)) {
    return (
      `finding: noEffect does not let ${target} be sent. ${noProofBefore(state)} ` +
      'Cancel the order first. Then this finding ends it.'
    );
  }
  if (!isOld) return undefined;
  return (
    `finding: the key of ${target} is older than CUSTODY_KEY_LIFETIME_HOURS, and the service may ` +
    'have forgotten it, so it is never sent again. Find the record, or cancel the order ' +
    'first. Then this finding ends it.'
  );
}
