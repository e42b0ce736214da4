import { misleads } from '../person';
import { liveOf } from '../world';
import { closed } from './ends';
import type { Heard, Orders, Position } from './positions';
import { type Ending, endingsOf } from './service';
import type { Happened } from './temporal/told';
import { type LoopScope, type LoopStep, type LoopWorld, moved } from './world';

/** Things that a run hears: answers to its calls, and its timer. */
export function orderSteps(world: LoopWorld, positions: Orders, scope: LoopScope): LoopStep[] {
  const { order, run } = world;
  if (run !== 'open' || order === undefined) return [];
  const after = (words: string, happened: Happened, reached = world): LoopStep => {
    const next = positions.next(order, happened);
    return { words: `${words}: ${told(next.place)}.`, world: heard(reached, next), helps: true };
  };
  if (order.calls.length === 0)
    return order.rests ? [after('The timer fires', { kind: 'timer' })] : [];
  return order.calls.flatMap((call) =>
    endingsOf(call, world, scope)
      .filter(isNews(order))
      .map(({ words, value, failure, world: reached }) =>
        after(
          words,
          { kind: 'answer', call: call.number, value, ...(failure && { failure }) },
          reached,
        ),
      ),
  );
}

/** A read fails once in a run. It hands its state on before the next failure. */
function isNews({ script, calls }: Position): (ending: Ending) => boolean {
  const hasFailed = script.pasts.some(({ happened }) => 'failure' in happened);
  const isRead = calls.every(({ name }) => name !== 'createTransfer');
  return ({ failure }) => failure === undefined || !isRead || !hasFailed;
}

/** The world after its run has heard something. A run that has ended is closed. */
export function heard(world: LoopWorld, { place, answer }: Heard): LoopWorld {
  const { said, order } = world;
  const isWeighed = said !== undefined && order?.isAsked === true && answer !== undefined;
  const weighed = isWeighed ? afterWord(world, answer) : world;
  const after = moved(weighed, place);
  return place.end === undefined ? after : closed(after, place);
}

/** A finding was answered. An accepted word that no check can refute may mislead. */
function afterWord(world: LoopWorld, answer: Heard['answer']): LoopWorld {
  const { said, ...rest } = world;
  const isTaken = answer?.said !== undefined && !/was found|by itself/.test(answer.said);
  const isWrong = said !== undefined && isTaken && misleads(world, said.finding, said.record);
  return { ...rest, said: undefined, isMisled: world.isMisled || isWrong };
}

export function told({ write, calls, end, isCancelled }: Position): string {
  if (end !== undefined) return `the order is ${end.kind}`;
  const stage = write === undefined ? 'no write' : `write #${write.generation} ${write.stage}`;
  const waits = calls.map(({ name }) => name).join(', ') || 'its timer';
  return `${stage}${isCancelled ? ' (cancelled)' : ''}, waiting for ${waits}`;
}

/** Says which promise of the loop a step breaks. */
export function brokenByLoop(before: LoopWorld, { world }: LoopStep): string | undefined {
  const { order, run } = world;
  if (order?.end?.kind === 'crashed') return `The workflow fails: ${order.end.message}`;
  const sends = order?.calls.filter(({ name, isOld }) => name === 'createTransfer' && !isOld) ?? [];
  if (sends.length > 1) return 'Two attempts are under way at once.';
  const isSame = before.order?.script.start.order === order?.script.start.order;
  const wasSending = before.order?.calls.some(({ name }) => name === 'createTransfer');
  if (isSame && sends.length > 0 && !wasSending && before.order?.isCancelled)
    return 'A cancelled order sends.';
  if (run !== 'closed' || before.run !== 'open' || world.isMisled) return undefined;
  const end = order?.end;
  const isNone = end?.kind === 'cancelled' || (end?.kind === 'failed' && end.type === 'Refused');
  if (isNone && liveOf(world).length > 0)
    return `The order is ${end.kind}, and a transaction of it is pending or has paid.`;
  const paid = world.transactions.filter(({ isMoved, isOther }) => isMoved && !isOther);
  if (end?.kind === 'completed' && paid.length !== 1)
    return 'The order is completed, and no payment of it was made.';
  return undefined;
}
