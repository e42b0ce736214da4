import { z } from 'zod';
import { idempotencyKey, type KeyParts, refId } from '../../custody/idempotencyKey';
import { readOrder } from '../../orders/input/read';
import type { OrderKind } from '../../orders/kinds';
import { NotUnderstood, understood } from './effects';
import { kindsOfStep } from './kindsOfStep';
import type { JudgedCall } from './shapes';

/** A write by its parts, which its key and its reference were checked against. */
export type Identity = {
  key: string;
  parts: KeyParts;
  kinds: ReadonlySet<OrderKind>;
};

/**
 * The parts of a key, which are compared with signed texts. The number 1 reads as the text "1"
 * there and has another key, so that one signature would pay twice.
 */
const keyParts = z.object({
  workflowId: z.string(),
  step: z.string(),
  item: z.string(),
  generation: z.int().min(0).max(999_999_999),
});

/** Makes key and reference from the parts again. A caller's own are only compared. */
export function identityOf(call: JudgedCall, given: KeyParts | undefined): Identity {
  if (given === undefined) throw new NotUnderstood('It comes without the parts of its key.');
  const parts = understood(() => readOrder(keyParts, given));
  const key = idempotencyKey(parts);
  if (call.input.idempotencyKey !== key) {
    throw new NotUnderstood('Its idempotency key does not follow from its workflow and step.');
  }
  const reference = refId(parts);
  const own = call.method === 'createWalletSet' ? lastWord(reference) : reference;
  if (!referencesOf(call).every((one) => one === own)) {
    throw new NotUnderstood('Its reference does not follow from its workflow and step.');
  }
  const kinds = kindsOfStep(call.method, parts.step);
  if (parts.step !== requestStep[call.method] && kinds.size === 0) {
    throw new NotUnderstood(`No order makes a ${call.method} in a step "${parts.step}".`);
  }
  return { key, parts, kinds };
}

/** The steps of requests about a write. They have keys of their own, and no other write has one. */
const requestStep: Partial<Record<JudgedCall['method'], string>> = {
  cancelTransaction: 'cancel',
  accelerateTransaction: 'accelerate',
};

/** The references in a call. A wallet set has its hash at the end of its name. */
function referencesOf(call: JudgedCall): string[] {
  switch (call.method) {
    case 'createWalletSet':
      return [lastWord(call.input.name)];
    case 'createWallets':
      return call.input.metadata.map(({ refId }) => refId);
    case 'cancelTransaction':
    case 'accelerateTransaction':
      return [];
    default:
      return [call.input.refId];
  }
}

function lastWord(text: string): string {
  return text.split(' ').at(-1) ?? '';
}
