import { isSameInAll } from '../../client/signing/signedBefore';
import type { Started } from '../../client/started';
import type { Signed } from '../../orders/input/signed';
import type { OrderKind } from '../../orders/kinds';
import type { Signer } from '../../writer/signing/sign';
import { readRequest } from '../../writer/signing/statement';
import type { ConsoleParts } from '../parts';
import { Refusal } from '../refusal';
import type { Draft } from './draft';

/** Starts a draft by the client that every backend uses, with the request of a person. */
export function startDraft(
  { steadfastWith, blockchain }: Pick<ConsoleParts, 'steadfastWith' | 'blockchain'>,
  { draft, signed, entity }: { draft: Draft; signed: Signed; entity: string },
): Promise<Started<OrderKind>> {
  const steadfast = steadfastWith({ entity, blockchain, sign: handingIn(signed) });
  const { kind, id, order, lines } = draft;
  if (kind === 'payout') return steadfast.payout(order, lines.all);
  return steadfast.start(kind, id, order);
}

/**
 * A signer that has one signature. It gives that where the client asks for the same statement, in
 * all but its moments, and refuses anything else.
 */
function handingIn(signed: Signed): Signer {
  const statement = readRequest(signed.statement);
  return async (text, purpose) => {
    if (purpose === 'request' && isSameInAll({ statement }, readRequest(text))) return signed;
    throw new Refusal(409, 'The order is another one than was signed. Nothing was started.');
  };
}
