import type { Game } from '../explore';
import { brokenPromise } from '../promises';
import { serviceSteps } from '../service';
import { brokenByLoop, orderSteps } from './orderSteps';
import { peopleSteps } from './peopleSteps';
import { ordersOf } from './positions';
import { runSteps } from './runSteps';
import type { Player } from './temporal/player';
import { firstLoop, type LoopScope, type LoopWorld, laterLoop, textOfLoop } from './world';

/** A transfer as the product carries it out, in the worlds of a scope. */
export function loopGame(play: Player, scope: LoopScope): Game<LoopWorld> {
  const positions = ordersOf(play);
  const later = (world: LoopWorld): LoopWorld => laterLoop(world, positions);
  return {
    first: firstLoop(scope),
    textOf: textOfLoop,
    stepsOf: (world) => [
      ...orderSteps(world, positions, scope),
      ...serviceSteps(world, scope, later),
      ...peopleSteps(world, positions, scope),
      ...runSteps(world, positions, scope),
    ],
    isEnd: ({ run }) => run !== 'open',
    brokenPromise,
    brokenByStep: brokenByLoop,
  };
}
