import { mayStray } from '../order';
import { forgotten, isForgettable } from '../runs';
import { strayed } from '../service';
import { cutOff } from './ends';
import { orderOf } from './order';
import { told } from './orderSteps';
import type { Orders } from './positions';
import { firstLoop, type LoopScope, type LoopStep, type LoopWorld, moved } from './world';

/** Things that people and Temporal do to runs: start, terminate, reset, forget. */
export function runSteps(world: LoopWorld, positions: Orders, scope: LoopScope): LoopStep[] {
  return [
    ...starts(world, positions, scope),
    ...terminations(world, scope),
    ...resets(world, positions, scope),
    ...(isForgettable(world) ? [forgottenWhole(world, scope)] : []),
  ];
}

/** Any client may start the id with any generation. An order that was cancelled needs a new one. */
function starts(world: LoopWorld, positions: Orders, scope: LoopScope): LoopStep[] {
  const { known, startsLeft, run } = world;
  if (run === 'open' || startsLeft === 0 || known.isCompleted) return [];
  return Array.from({ length: scope.generations }, (_, asked) => asked)
    .filter((asked) => known.cancelledAt < 0 || asked > known.cancelledAt)
    .map((asked) => {
      const fresh = { run: 'open', keptOrder: undefined, closedAge: 0, said: undefined } as const;
      const age = run === 'none' ? 0 : known.age;
      const begun = { ...world, ...fresh, startsLeft: startsLeft - 1, known: { ...known, age } };
      const place = positions.begun(orderOf(asked));
      const words = `The order is started with generation ${asked}: ${told(place)}.`;
      return { words, world: moved(begun, place), helps: false };
    });
}

/** The run is gone without a write log. A request of it may still be under way. */
function terminations(world: LoopWorld, scope: LoopScope): LoopStep[] {
  const { order, run, startsLeft } = world;
  if (run !== 'open' || startsLeft === 0 || order === undefined) return [];
  const gone = { run: 'closed', closedAge: 0, order: undefined, write: undefined } as const;
  const after: LoopWorld = { ...cutOff(world, order), ...gone };
  return [
    { words: 'The run is terminated.', world: after, helps: false },
    ...overtaken(world, after, scope).map((late) => {
      const words = 'The run is terminated while its request is under way.';
      return { words, world: late, helps: false };
    }),
  ];
}

/** The same, with the attempt of the old run still under way. */
function overtaken({ order, run }: LoopWorld, after: LoopWorld, scope: LoopScope): LoopWorld[] {
  const attempt = order?.calls.find(({ name, isOld }) => name === 'createTransfer' && !isOld);
  if (run !== 'open' || attempt === undefined || !mayStray(after, scope)) return [];
  return [strayed(after, attempt.given.parts.generation, 1)];
}

/** Somebody resets the run to a point that it has passed. */
function resets(world: LoopWorld, positions: Orders, scope: LoopScope): LoopStep[] {
  const { order, keptOrder, resetsLeft, run } = world;
  if (resetsLeft === 0 || order === undefined) return [];
  if (keptOrder === undefined) {
    if (run !== 'open') return [];
    const words = `(To this point the run will be reset: ${told(order)}.)`;
    return [{ words, world: { ...world, keptOrder: order }, helps: false }];
  }
  if (run === 'none' || keptOrder === order) return [];
  const left = resetsLeft - 1;
  const before = run === 'open' ? cutOff(world, order) : world;
  const place = positions.reset(keptOrder);
  const after: LoopWorld = {
    ...moved(before, place),
    run: 'open',
    closedAge: 0,
    resetsLeft: left,
    said: undefined,
    keptOrder: left === 0 ? undefined : keptOrder,
    known: { ...before.known, isLogless: true },
  };
  const words = `The run is reset: ${told(place)}`;
  return [
    { words: `${words}.`, world: after, helps: false },
    ...overtaken(world, after, scope).map((late) => {
      const under = `${words}, and a request of the old one is under way.`;
      return { words: under, world: late, helps: false };
    }),
  ];
}

function forgottenWhole(world: LoopWorld, scope: LoopScope): LoopStep {
  const { order, keptOrder, findings, said } = firstLoop(scope);
  const { words, world: bare, helps } = forgotten(world, scope);
  return { words, world: { ...bare, order, keptOrder, findings, said }, helps };
}
