import type { Happened } from '../loop/temporal/told';
import { endingsOf } from './answers';
import type { Part, Parts } from './part';
import type { BatchStep, BatchWorld } from './world';

/** Things that a running part hears: answers to its calls, and its timer. */
export function partSteps(world: BatchWorld, parts: Parts): BatchStep[] {
  const { part, run } = world;
  if (run !== 'open' || part === undefined) return [];
  const after = (words: string, happened: Happened, reached = world): BatchStep => {
    const { place } = parts.places.next(part, happened);
    return { words: `${words}: ${place.told}.`, world: moved(reached, place), helps: true };
  };
  const answers = part.calls.flatMap((call) =>
    endingsOf(call, world, parts.scope).map(({ words, value, failure, world: reached }) => {
      const answer = { kind: 'answer', call: call.number, value } as const;
      return after(words, { ...answer, ...(failure && { failure }) }, reached);
    }),
  );
  const isIdle = part.rests && part.calls.length === 0;
  return isIdle ? [after('The timer fires', { kind: 'timer' })] : answers;
}

/** The world with the part at another place. A part that has ended is closed. */
export function moved(world: BatchWorld, part: Part): BatchWorld {
  if (part.end === undefined) return { ...world, part };
  const closed = { run: 'closed', isDone: true, isTold: true, isLongOver: false } as const;
  return { ...world, ...closed, part, kept: undefined };
}
