import type { Finding } from '../../../src/orders/progress/resolve';
import type { StepOf } from '../explore';
import type { Named } from '../person';
import { older } from '../service';
import { textOf } from '../text';
import { firstWorld, type Scope, type World } from '../world';
import type { Orders, Position } from './positions';

/** The powers of the world in one exploration of the loop. */
export type LoopScope = Scope & {
  /** Wrong answers of people. Otherwise they say what is right. */
  errors: boolean;
};

/** The world beside an order that runs, with the place at which its run waits. */
export type LoopWorld = World & {
  order: Position | undefined;
  /** The place that a reset returns to. */
  keptOrder: Position | undefined;
  /** The transactions that people have found, in the memos of all runs. */
  findings: Record<string, unknown>;
  /** The finding that the order weighs now. */
  said: Said | undefined;
};

export type Said = { finding: Finding['finding']; record?: Named | undefined };

export type LoopStep = StepOf<LoopWorld>;

export function firstLoop(scope: Scope): LoopWorld {
  return {
    ...firstWorld(scope),
    order: undefined,
    keptOrder: undefined,
    findings: {},
    said: undefined,
  };
}

/** The world with the order at another place. Its write is the run's. */
export function moved(world: LoopWorld, order: Position): LoopWorld {
  return { ...world, order, write: order.write };
}

/** One tick later. */
export function laterLoop(world: LoopWorld, positions: Orders): LoopWorld {
  const { order, keptOrder } = world;
  const after = { ...older(world), keptOrder: keptOrder && positions.older(keptOrder) };
  return order === undefined ? after : moved(after, positions.older(order));
}

/** A world as text: equal texts have equal futures. */
export function textOfLoop(world: LoopWorld): string {
  const { run, order, keptOrder, findings, said } = world;
  const weighed = said === undefined ? '' : `${said.finding} ${said.record?.words}`;
  // An order that has ended has told all that counts.
  const place = run === 'open' ? order?.number : '';
  const numbers = `${place} ${keptOrder?.number}`;
  return `${textOf(world)} ${numbers} ${JSON.stringify(findings)} ${weighed}`;
}
