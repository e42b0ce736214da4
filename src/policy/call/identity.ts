import { idempotencyKey, type KeyParts, refId } from '../../custody/idempotencyKey';
import type { OrderKind } from '../../orders/kinds';
import { NotUnderstood } from './effects';
import { kindsOfStep } from './kindsOfStep';
import type { JudgedCall } from './shapes';

/** A write by its parts, which its key and its reference were checked against. */
export type Identity = {
  key: string;
  parts: KeyParts;
  kinds: ReadonlySet<OrderKind>;
};

/** Makes key and reference from the parts again. A caller's own are only compared. */
export function identityOf(call: JudgedCall, parts: KeyParts | undefined): Identity {
  if (parts === undefined) throw new NotUnderstood('It comes without the parts of its key.');
  const key = idempotencyKey(parts);
  if (call.input.idempotencyKey !== key) {
    throw new NotUnderstood('Its idempotency key does not follow from its workflow and step.');
  }
  const wanted = refId(parts);
  if (!referencesOf(call).every((reference) => wanted.endsWith(reference))) {
    throw new NotUnderstood('Its reference does not follow from its workflow and step.');
  }
  const isRequest = call.method === 'cancelTransaction' || call.method === 'accelerateTransaction';
  const kinds = kindsOfStep(call.method, parts.step);
  if (!isRequest && kinds.size === 0) {
    throw new NotUnderstood(`No order makes a ${call.method} in a step "${parts.step}".`);
  }
  return { key, parts, kinds };
}

/** The references in a call. A wallet set has its hash at the end of its name. */
function referencesOf(call: JudgedCall): string[] {
  switch (call.method) {
    case 'createWalletSet':
      return [call.input.name.split(' ').at(-1) ?? ''];
    case 'createWallets':
      return call.input.metadata.map(({ refId }) => refId);
    case 'cancelTransaction':
    case 'accelerateTransaction':
      return [];
    default:
      return [call.input.refId];
  }
}
