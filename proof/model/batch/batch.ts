import type { Game } from '../explore';
import type { Player } from '../loop/temporal/player';
import { Parts } from './part';
import { partSteps } from './partSteps';
import { personSteps } from './personSteps';
import { brokenByStep, brokenPromise } from './promises';
import { runSteps } from './runSteps';
import type { BatchScope } from './scopes';
import { serviceSteps } from './serviceSteps';
import { type BatchWorld, firstWorld, textOf } from './world';

/** A part that pays in batches as the product carries it out, in the worlds of a scope. */
export function batchGame(play: Player, scope: BatchScope): Game<BatchWorld> {
  const parts = new Parts(play, scope);
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
