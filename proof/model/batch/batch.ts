import type { Game } from '../explore';
import { type PartMachine, Parts } from './part';
import { partSteps } from './partSteps';
import { personSteps } from './personSteps';
import { brokenByStep, brokenPromise } from './promises';
import { runSteps } from './runSteps';
import { serviceSteps } from './serviceSteps';
import { type BatchScope, type BatchWorld, firstWorld, textOf } from './world';

/** A part that pays in batches, in the worlds of a scope. */
export function batchGame(machine: PartMachine, scope: BatchScope): Game<BatchWorld> {
  const parts = new Parts(machine, scope);
  return {
    first: firstWorld(scope),
    textOf,
    stepsOf: (world) => [
      ...partSteps(world, parts),
      ...serviceSteps(world, parts),
      ...personSteps(world, parts),
      ...runSteps(world, parts),
    ],
    isEnd: ({ run }) => run !== 'open',
    brokenPromise: (world) => brokenPromise(world, scope),
    brokenByStep,
  };
}
