import type { Game } from './explore';
import { orderSteps, type Rules } from './order';
import { personSteps } from './person';
import { brokenByStep, brokenPromise } from './promises';
import { runSteps } from './runs';
import { older, serviceSteps } from './service';
import { textOf } from './text';
import { firstWorld, type Machine, type Scope, type World } from './world';

/** One write in the worlds of a scope. */
export function writeGame(machine: Machine, scope: Scope, hears?: Rules['hears']): Game<World> {
  const rules: Rules = { machine, scope, answers: new Map(), ...(hears && { hears }) };
  return {
    first: firstWorld(scope),
    textOf,
    stepsOf: (world) => [
      ...orderSteps(world, rules),
      ...serviceSteps(world, scope, older),
      ...personSteps(world, rules),
      ...runSteps(world, rules),
    ],
    isEnd: ({ run }) => run !== 'open',
    brokenPromise,
    brokenByStep: (before, step) => brokenByStep(before, step, machine),
  };
}
