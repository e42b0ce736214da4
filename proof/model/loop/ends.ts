import type { Known } from '../world';
import { path } from './order';
import type { Position } from './positions';
import type { Log, Memory } from './state';
import type { LoopWorld } from './world';

function memoryIn({ memo }: Position): Memory | undefined {
  return Object.values(memo)[0];
}

/** The world after a run has ended by itself, with what the run tells. */
export function closed(world: LoopWorld, place: Position): LoopWorld {
  const { end } = place;
  const after = { ...world, run: 'closed' as const, closedAge: 0, keptOrder: world.keptOrder };
  const memory = memoryIn(place);
  if (memory === undefined || end === undefined) return after;
  const findings = { ...world.findings, ...memory.findings };
  if (end.kind === 'completed')
    return { ...after, findings, known: { ...world.known, isCompleted: true } };
  const details: Memory['end'] = end.kind === 'failed' ? end.details : memory.end;
  const log = details?.writes;
  const known = log === undefined ? withoutLog(world.known, memory) : withLog(world.known, log);
  if (end.kind !== 'cancelled') return { ...after, findings, known };
  const cancelledAt = Math.max(known.cancelledAt, generationIn(memory));
  return { ...after, findings, known: { ...known, cancelledAt } };
}

/** The world after a run has ended from outside. Only its memo tells of it. */
export function cutOff(world: LoopWorld, place: Position): LoopWorld {
  const memory = memoryIn(place);
  // A run without a memory has not got past its guard.
  if (memory === undefined) return { ...world, said: undefined };
  const findings = { ...world.findings, ...memory.findings };
  return { ...world, findings, said: undefined, known: withoutLog(world.known, memory) };
}

function withoutLog(known: Known, memory: Memory): Known {
  const generation = Math.max(known.generation, generationIn(memory));
  return { ...known, isLogless: true, generation };
}

function generationIn({ generations = {} }: Memory): number {
  return generations[path] ?? 0;
}

/** A write that may have been sent once stays so. */
function withLog(known: Known, writes: Log): Known {
  const log = known.log.map((before, at) => {
    return before === 'ambiguous' ? before : (writes[`${path}#${at}`] ?? before);
  });
  const generation = Math.max(known.generation, log.lastIndexOf('ambiguous'));
  return { ...known, log, generation };
}
