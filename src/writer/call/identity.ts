import { z } from 'zod';
import { batchIn, batchStep, itemOfBatch } from '../../custody/batch';
import { idempotencyKey, type KeyParts } from '../../custody/idempotencyKey';
import { codeOf, refId } from '../../custody/reference';
import { refuseUnnamable } from '../../orders/input/orderId';
import { readOrder } from '../../orders/input/read';
import { shown, shownField } from '../../orders/input/shown';
import type { OrderKind } from '../../orders/kinds';
import { NotUnderstood, understood } from './effects';
import { kindsOfWrite } from './kindsOfWrite';
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
export function remakeIdentity(call: JudgedCall, given: KeyParts | undefined): Identity {
  if (given === undefined) throw new NotUnderstood('It comes without the parts of its key.');
  const parts = understood(() => readOrder(keyParts, given));
  understood(() => refuseUnnamable(parts.workflowId));
  const key = idempotencyKey(parts);
  if (call.input.idempotencyKey !== key) {
    throw new NotUnderstood('Its idempotency key does not follow from its workflow and step.');
  }
  const own = call.method === 'createWalletSet' ? codeOf(parts) : refId(parts);
  if (!referencesOf(call).every((one) => one === own)) {
    throw new NotUnderstood('Its reference does not follow from its workflow and step.');
  }
  return { key, parts, kinds: kindsOf(call, parts) };
}

/** The kinds of orders that make such a write. A step or an item that none makes is refused. */
function kindsOf(call: JudgedCall, { step, item }: KeyParts): ReadonlySet<OrderKind> {
  const isRequest = step === requestStep[call.method];
  const { kinds, hasStep } = kindsOfWrite(call.method, { step, item });
  if (!isRequest && !hasStep) {
    throw new NotUnderstood(`No order makes a ${call.method} in a step ${shown(step)}.`);
  }
  if (isRequest ? !requestItem.test(item) : kinds.size === 0) {
    throw new NotUnderstood(`An order makes no write ${shownField([`${step}/${item}`])}.`);
  }
  if (call.method !== 'executeContract' || step !== batchStep) return kinds;
  const batch = batchIn(call.input);
  if (batch !== undefined && itemOfBatch(batch) === item) return kinds;
  throw new NotUnderstood(`It is not the batch ${item}, whose name follows from its payments.`);
}

/** The steps of requests about a write. They have keys of their own, and no other write has one. */
const requestStep: Partial<Record<JudgedCall['method'], string>> = {
  cancelTransaction: 'cancel',
  accelerateTransaction: 'accelerate',
};

/** The target and the transaction that a request is about. They stand in no reference. */
const requestItem = /^[\w.:/#-]{1,200}$/;

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
