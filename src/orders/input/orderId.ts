import { BadOrderError } from './read';
import { shown } from './shown';

const idForm = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,199}$/;

/** Checks the caller's own id of an order. Throws a BadOrderError if it cannot be used. */
export function readOrderId(id: string): string {
  if (idForm.test(id)) return id;
  throw new BadOrderError(
    `id: ${shown(id)} cannot be used. Give up to 200 letters, digits and . _ : - ` +
      'that start with a letter or digit, such as transfer:invoice-4711.',
  );
}

/** The same form, after the scope of a system if there is one. */
const workflowIdForm = /^[\w.-][\w.:-]{0,300}$/;

/**
 * Refuses a workflow id that no client and no command could name, from a starter in another
 * language. Such an order could not be shown, cancelled or resolved.
 */
export function refuseUnnamable(workflowId: string): void {
  if (!workflowIdForm.test(workflowId)) readOrderId(workflowId);
}

/** An order under such an id would be in the way of a payout, whose part has it. */
const partIdForm = /^(?:[\w.-]+:)?payout:(.+):shard:(\d+)$/;

/** Refuses an order whose workflow id is that of a part of a payout. */
export function refusePartId(workflowId: string): void {
  const [, payoutId, part] = partIdForm.exec(workflowId) ?? [];
  if (payoutId === undefined) return;
  throw new BadOrderError(
    `id: ${shown(workflowId)} is the id of part ${part} of the payout ${shown(payoutId)}. Give an id ` +
      'that does not end with ":shard:" and a number.',
  );
}

/**
 * The workflow id of an order that is started: the caller's own id, after the scope of its system
 * if it has one. An id that begins with the scope is refused, since it names another order.
 */
export function workflowIdOf(id: string, keyScope: string): string {
  const own = readOrderId(id);
  if (keyScope === '') return own;
  if (!isScoped(own, keyScope)) return `${keyScope}:${own}`;
  throw new BadOrderError(
    `id: ${shown(own)} begins with the key scope, which is put in front by itself. Give an id ` +
      'that begins in another way.',
  );
}

/**
 * The workflow id of an order that somebody names, by the caller's own id or as Temporal UI shows
 * it. An id that begins with the scope is the latter, and nothing else.
 */
export function namedIdOf(id: string, keyScope: string): string {
  return keyScope !== '' && isScoped(id, keyScope) ? id : workflowIdOf(id, keyScope);
}

/** True for the workflow id of an order of this scope. */
export function isScoped(workflowId: string, keyScope: string): boolean {
  return keyScope === '' || workflowId.startsWith(`${keyScope}:`);
}

/** The id of a payout, which may be given as that of its workflow: "shop:payout:january". */
export function payoutIdOf(id: string, keyScope: string): string {
  const whole = keyScope === '' ? payoutBegin : `${keyScope}:${payoutBegin}`;
  const begin = [whole, payoutBegin].find((one) => id.startsWith(one)) ?? '';
  return id.slice(begin.length);
}

/** Refuses a payoutId that is written as the id of a workflow. It would be another payout. */
export function refuseWholePayoutId(payoutId: string, keyScope: string): void {
  const begins = keyScope === '' ? [payoutBegin] : [payoutBegin, `${keyScope}:`];
  const begin = begins.find((one) => payoutId.startsWith(one));
  if (begin === undefined) return;
  throw new BadOrderError(
    `payoutId: ${shown(payoutId)} begins with "${begin}", which is put in front by itself. Leave ` +
      'that out, or give an id that begins in another way.',
  );
}

const payoutBegin = 'payout:';

/** True if an id tells an address or a hash, which private payloads hide. */
export function isTelling(id: string): boolean {
  return /[0-9a-f]{40}/i.test(id);
}

/**
 * Refuses an id that tells what private payloads hide. Ids are never encrypted, and lists and logs
 * keep them.
 */
export function refuseTellingId(id: string): void {
  if (!isTelling(id)) return;
  throw new BadOrderError(
    `id: ${shown(id)} holds an address or a hash, and an id is never encrypted, as payloads are ` +
      'here. Give one that tells nothing, such as transfer:invoice-4711.',
  );
}

/**
 * The name under which a schedule is withdrawn, by the start of its orders' ids: "schedule:rent" of
 * "transfer:rent". So a withdrawal holds whatever kind of order somebody makes of it.
 */
export function scheduleNameOf(idsBegin: string): string {
  return idsBegin.replace(/[^:]+(?=:[^:]+$)/, scheduleWord);
}

export const scheduleWord = 'schedule';

const scheduleIdForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * Checks the caller's own id of a schedule. It has no colons, since its orders' ids are built from
 * it. So it may also come with the scope in front, as Temporal UI shows it.
 */
export function readScheduleId(given: string, keyScope: string): string {
  const id = scheduleIdIn(given, keyScope) ?? given;
  if (scheduleIdForm.test(id)) return id;
  throw new BadOrderError(
    `id: ${shown(id)} cannot be that of a schedule. Give up to 64 letters, digits and . _ - ` +
      'that start with a letter or digit, such as payroll.',
  );
}

/** The caller's own id of a schedule at Temporal, or undefined where another scope made it. */
export function scheduleIdIn(scheduleId: string, keyScope: string): string | undefined {
  const scope = keyScope === '' ? '' : `${keyScope}:`;
  const id = scheduleId.slice(scope.length);
  return scheduleId.startsWith(scope) && scheduleIdForm.test(id) ? id : undefined;
}
