import {
  batchedGenerationMax,
  batchIn,
  batchStep,
  itemOfBatch,
  markOf,
  memoIdOf,
} from '../../custody/batch';
import { fromBaseUnits } from '../../custody/objects/amount';
import type { LineProof } from '../../orders/input/signed';
import { type PolicyTokens, scaled } from '../call/callEffects';
import { type CallEffect, NotUnderstood } from '../call/effects';
import type { JudgedCall } from '../call/shapes';
import type { UnderstoodCall } from '../call/understoodCall';
import { lineStep } from '../ledger/attempts';

/** A payment in a call. Its amount is in the token's units. */
type Payment = { to: string; amount: string; tokenAddress: string };

/** The lines that a proof names for the payments of a call, in their order. */
type Named = LineProof['lines'];

/**
 * The payments of a call that pays lines of a payout, and does nothing else. Refuses a call that is
 * marked for other lines or attempts than those that are named.
 */
export async function paymentsIn(
  asked: UnderstoodCall,
  named: Named,
  tokens: Pick<PolicyTokens, 'decimalsOf'>,
): Promise<Payment[]> {
  const { call } = asked;
  const { step, item, generation } = asked.identity.parts;
  if (call.method === 'createTransfer' && step === lineStep) {
    const [line] = named;
    if (line !== undefined && (line.lineId !== item || line.generation !== generation)) {
      throw new NotUnderstood(`Its proof is of the line ${line.lineId}#${line.generation}.`);
    }
    const { destinationAddress: to, amounts, tokenAddress } = call.input;
    return [{ to, amount: amounts[0], tokenAddress }];
  }
  if (call.method === 'executeContract' && step === batchStep) {
    return batched(asked, call, { named, tokens });
  }
  throw new NotUnderstood(`The payout that was signed makes no write ${step}/${item}.`);
}

/** The payments of a batch. Its item is a digest of them, and each one is marked for its line. */
async function batched(
  { identity, classified }: UnderstoodCall,
  { input }: Extract<JudgedCall, { method: 'executeContract' }>,
  { named, tokens }: { named: Named; tokens: Pick<PolicyTokens, 'decimalsOf'> },
): Promise<Payment[]> {
  const { workflowId, item } = identity.parts;
  const batch = batchIn(input);
  if (batch === undefined || itemOfBatch(batch) !== item) {
    throw new NotUnderstood(`It is not the batch ${item}, whose name follows from its payments.`);
  }
  const { tokenAddress, payments } = batch;
  const { effects } = classified;
  if (effects.length !== payments.length) {
    throw new NotUnderstood('It does more than the payments of its batch.');
  }
  const decimals = await tokens.decimalsOf(tokenAddress);
  return payments.map(({ to, baseUnits, mark }, at) => {
    const units = BigInt(baseUnits);
    if (!isPayment(effects[at], { to, amount: scaled(units, decimals) })) {
      throw new NotUnderstood(`Payment ${at} of its batch does something else.`);
    }
    const line = named[at];
    if (line !== undefined && !isMarkedFor(line, workflowId, mark)) {
      throw new NotUnderstood(
        `Payment ${at} of its batch is not marked for ${line.lineId}#${line.generation}.`,
      );
    }
    return { to, amount: fromBaseUnits(units, decimals), tokenAddress };
  });
}

function isPayment(effect: CallEffect | undefined, paid: { to: string; amount: bigint }): boolean {
  return effect?.kind === 'money' && effect.to === paid.to && effect.amount === paid.amount;
}

function isMarkedFor(
  { lineId, generation }: Named[number],
  workflowId: string,
  mark: string,
): boolean {
  const isOwn = [markOf, memoIdOf].some((of) => of(workflowId, lineId, generation) === mark);
  return generation <= batchedGenerationMax && isOwn;
}
