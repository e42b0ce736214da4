import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { canonicalJson } from '../../custody/canonicalJson';
import { namedIdOf } from '../../orders/input/orderId';
import type { Signed } from '../../orders/input/signed';
import type { Signer } from '../../writer/signing/sign';
import { readWithdrawal, textOf, type WithdrawalStatement } from '../../writer/signing/statement';
import type { Guard } from '../guard';
import { orderNamed } from '../page/orderNamed';
import type { ConsoleParts } from '../parts';
import { readSent } from '../readSent';
import { Refusal } from '../refusal';
import { challengeTo, signedBy, touched } from '../touched';

/** A withdrawal has to be answered so soon. */
const answerMs = 240_000;

const stopping = z.strictObject({
  reason: z.string().trim().min(1, { error: 'is missing' }).max(1_000),
});
const withdrawing = stopping.extend({ at: z.iso.datetime(), made: touched });

/**
 * Adds the controls of an order. None of them can pay anything: they pause it, let it go on, end
 * it, or take back what somebody has signed for it.
 */
export function orderControls(server: FastifyInstance, parts: ConsoleParts, guard: Guard): void {
  const { steadfast } = parts;
  const controlling = async (request: FastifyRequest): Promise<{ person: string; id: string }> => {
    const { person, isRequester, isApprover } = guard.viewerOf(request);
    const { id } = readSent(orderNamed, request.params);
    if (!isRequester && !isApprover) {
      throw new Refusal(403, `${person} neither requests nor approves orders, and controls none.`);
    }
    // Throws for the workflow of somebody else.
    await steadfast.status(id);
    return { person, id };
  };
  const reasonOf = (person: string, { body }: FastifyRequest): string =>
    `${person}: ${readSent(stopping, body).reason}`;

  server.post('/orders/:id/pause', async (request) => {
    const { person, id } = await controlling(request);
    await steadfast.pause(id, reasonOf(person, request));
    return { message: `${id} is paused before its next write.` };
  });

  server.post('/orders/:id/resume', async (request) => {
    const { id } = await controlling(request);
    await steadfast.resume(id);
    return { message: `${id} goes on.` };
  });

  server.post('/orders/:id/cancel', async (request) => {
    const { person, id } = await controlling(request);
    const { words } = await steadfast.cancel(id, reasonOf(person, request));
    return { message: `${id} is to be cancelled. ${words}`.trim() };
  });

  server.post('/orders/:id/withdraw/challenge', async (request) => {
    const { person, id } = await controlling(request);
    const at = new Date().toISOString();
    const statement = textOf(withdrawalOf(parts, id, at));
    return challengeTo(parts, { person, purpose: 'rejection', statement, at });
  });

  server.post('/orders/:id/withdraw', async (request) => {
    const { person, id } = await controlling(request);
    const { reason, at, made } = readSent(withdrawing, request.body);
    const askedMs = Date.parse(at);
    if (askedMs > Date.now() || askedMs < Date.now() - answerMs) {
      throw new Refusal(409, 'This took too long. Try it again.');
    }
    const withdrawal = withdrawalOf(parts, id, at);
    const statement = textOf(withdrawal);
    const signed = signedBy(parts, { person, purpose: 'rejection', statement, at, made });
    const { entity, blockchain } = withdrawal;
    const signing = { entity, blockchain, sign: handingBack(signed) };
    const { isAsked, words } = await parts
      .steadfastWith(signing)
      .cancel(id, `${person}: ${reason}`);
    return { message: `${isAsked ? `${id} is to be cancelled. ` : ''}${words}` };
  });
}

/** The statement that takes back all that a person has signed for an order up to a moment. */
function withdrawalOf(
  { entity, blockchain, namespace, keyScope }: ConsoleParts,
  id: string,
  signedUntil: string,
): WithdrawalStatement & { entity: string } {
  if (entity === undefined) {
    const way = 'Set it to the id of the account: "steadfast doctor" tells it.';
    throw new Refusal(503, `Nobody can withdraw here: STEADFAST_ENTITY_ID is not set. ${way}`);
  }
  return { entity, blockchain, namespace, order: namedIdOf(id, keyScope), signedUntil };
}

/** A signer that has one withdrawal. It gives that for the same order, and refuses anything else. */
function handingBack(signed: Signed): Signer {
  const plain = (text: string): string =>
    canonicalJson({ ...readWithdrawal(text), signedUntil: '' });
  const own = plain(signed.statement);
  return async (text, purpose) => {
    if (purpose === 'rejection' && plain(text) === own) return signed;
    throw new Refusal(409, 'Another withdrawal was signed than is asked for. Nothing was done.');
  };
}
