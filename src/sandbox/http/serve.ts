import type { FastifyReply } from 'fastify';
import { disturb, send, statusAnswer } from '../control/disturb';
import { isDisturbance, isFate } from '../control/faultRule';
import type { Faults } from '../control/faults';
import { createsTransaction, faultTarget } from '../control/faultTarget';
import type { Running } from '../running';
import type { Answer } from './answer';
import type { Calls } from './calls';
import { type Call, type CarryOutParts, carryOut } from './carryOut';

export type ServeParts = CarryOutParts & Pick<Running, 'store'> & { calls: Calls; faults: Faults };

/** Answers a call, unless the fault plan has something else in store for it. */
export async function serve(
  parts: ServeParts,
  call: Call & { reply: FastifyReply; ended: AbortSignal },
): Promise<FastifyReply> {
  const { calls, faults } = parts;
  const { name, request, reply, ended } = call;
  const target = faultTarget(parts.store, call);
  const rule = faults.hit(target, isDisturbance);
  const noted = calls.note(request, { name, fault: rule?.kind });
  const comeTo = async (): Promise<Answer> => {
    // Only what is carried out can have a fate.
    const fate = createsTransaction(call) ? faults.hit(target, isFate)?.kind : undefined;
    if (fate !== undefined) noted.fault = rule === undefined ? fate : `${rule.kind}+${fate}`;
    return carryOut(parts, call, fate);
  };
  const answer = async (): Promise<Answer> => {
    const outcome = rule?.kind === 'status' ? statusAnswer(rule) : await comeTo();
    noted.status = outcome.status;
    noted.code = outcome.code;
    return outcome;
  };
  return rule === undefined ? send(reply, await answer()) : disturb({ rule, reply, answer, ended });
}
