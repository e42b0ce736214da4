import type { Finding } from '../../../src/orders/progress/resolve';
import { isAsking } from '../../../workflows/write/machine/writeState';
import { isRight, type Named } from '../person';
import { isVoid } from '../world';
import { path } from './order';
import { heard, told } from './orderSteps';
import type { Orders } from './positions';
import { foreign, idOf } from './records';
import { hasHeard } from './temporal/positions';
import { type LoopScope, type LoopStep, type LoopWorld, moved, type Said } from './world';

/** Messages of people to a run: to cancel, and what became of its write. */
export function peopleSteps(world: LoopWorld, positions: Orders, scope: LoopScope): LoopStep[] {
  const { order, run, write } = world;
  if (run !== 'open' || order === undefined) return [];
  const message = (name: string, given: unknown) =>
    positions.next(order, { kind: 'message', name, given });
  const steps: LoopStep[] = [];
  if (scope.cancels && !order.isCancelled) {
    const next = message('cancel', { reason: 'asked' });
    const isRefused = next.answer?.refused !== undefined;
    const words = `Somebody cancels: ${told(next.place)}.`;
    if (!isRefused) steps.push({ words, world: heard(world, next), helps: true });
  }
  if (!scope.answers || write === undefined || !isAsking(write)) return steps;
  // A run hears one finding. It hands its state on before the next one.
  if (hasHeard(order.script, 'resolve')) return steps;
  const target = `${path}#${write.generation}`;
  for (const said of wordsIn(world, scope)) {
    const { finding, record } = said;
    const { place } = message('resolve', { target, finding, evidence: record?.id ?? 'a call' });
    // A word that is refused at once changes nothing.
    if (!place.isAsked) continue;
    const about = record === undefined ? '' : `, by ${record.words}`;
    steps.push({
      words: `Somebody says ${finding}${about}: ${told(place)}.`,
      world: { ...moved(world, place), said },
      helps: isRight(world, finding, record),
    });
  }
  return steps;
}

type Word = Said & { record?: Named & { id: string } };

/** The findings of people about a write. The scope decides whether people also say wrong ones. */
function wordsIn(world: LoopWorld, { errors }: LoopScope): Word[] {
  const plain: Word[] = [{ finding: 'noEffect' }, { finding: 'skip' }];
  const records = [...ours(world), ...(errors ? strange : [])];
  const of = (finding: Finding['finding']): Word[] =>
    records.map((record) => ({ finding, record }));
  const all = [...plain, ...of('completed'), ...of('retry')];
  return errors ? all : all.filter(({ finding, record }) => isRight(world, finding, record));
}

function ours({ transactions }: LoopWorld): NonNullable<Word['record']>[] {
  return transactions.flatMap((one, index) => {
    if (one.isLost) return [];
    const record = { id: String(index), state: one.state };
    const trace = { generation: one.generation, accepted: {}, record };
    const words = `transaction ${index + 1}`;
    return [{ id: idOf(index), words, trace, isVoid: isVoid(one), isForeign: false }];
  });
}

const strange = foreign.map(({ name, id }) => {
  return { id, words: name, isVoid: false, isForeign: true };
});
