import type { FastifyReply } from 'fastify';
import { isDisturbance, isFate } from '../faults/faultRule';
import type { Faults } from '../faults/faults';
import type { Store } from '../store/store';
import type { Answer } from './answer';
import type { Calls } from './calls';
import { type ApiCall, type CarryOutParts, carryOut } from './carryOut';
import { disturb, send, statusAnswer } from './disturb';
import { createsTransaction, faultTarget } from './faultTarget';

export type ServeParts = CarryOutParts & {
  store: Pick<Store, 'wallets'>;
  calls: Calls;
  faults: Faults;
};

/** Answers a call, unless the fault plan has something else in store for it. */
export async function serve(
  parts: ServeParts,
  call: ApiCall & { reply: FastifyReply; ended: AbortSignal },
): Promise<FastifyReply> {
  const { calls, faults } = parts;
  const { name, request, reply, ended } = call;
  const target = faultTarget(parts.store, call);
  const rule = faults.hit(target, isDisturbance);
  const noted = calls.note(request, { endpoint: name, fault: rule?.kind });
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
    noted.ignored = outcome.ignored;
    return outcome;
  };
  return rule === undefined ? send(reply, await answer()) : disturb({ rule, reply, answer, ended });
}
