import type { WorkflowHandle } from '@temporalio/client';
import type { FaultPlan } from '../../../src/sandbox/control/faultRule';
import type { Orders } from '../orders';
import type { Stage } from './stage';

/** What workers know or are: nothing special, the chain's address, or servers that forget early. */
export type WorkerKind = 'usual' | 'chainReading' | 'shortLived';

/** A workflow, an order for it, and its writes by their paths. */
export type Subject = {
  kind: string;
  writes: readonly string[];
  /** The name is that of its journey. */
  order(stage: Stage, name: string): Promise<object>;
  /** Of a payout, whose id follows from the order, and whose shard has a history of its own. */
  isPayout?: true;
};

/** One order on its way. */
export type Scene = {
  stage: Stage;
  orders: Orders;
  id: string;
  /** Of its newest run. */
  handle: WorkflowHandle;
  /** Starts the order, or starts it again. */
  start(): Promise<void>;
  /** The write that the road is about. */
  write: string;
};

export type Rule = FaultPlan['rules'][number];

/** One way an order may go, from its start to its end. */
export type Road = {
  name: string;
  /** What goes wrong with the first generation of some write; by default with that of the last. */
  faults?: readonly (Rule & { every?: true })[];
  /** What is done from outside while it is on its way. */
  play?(scene: Scene): Promise<void>;
  /** How it ends; completed unless it says so. */
  ends?: 'COMPLETED' | 'FAILED' | 'CANCELLED';
  /** What its history says where the order has taken this road. */
  shows?: RegExp;
  worker?: WorkerKind;
};

/** A history that is to be recorded: where this order goes this way. */
export type Journey = { name: string; subject: Subject; road: Road };

/** The id of the order that goes a journey. */
export function idOf({ name, subject }: Pick<Journey, 'name' | 'subject'>): string {
  return subject.isPayout ? `payout:${name}` : name;
}

/** The workflows of a journey that histories are kept of, by the names of their files. */
export function workflowsOf(journey: Journey): Record<string, string> {
  const { name, subject } = journey;
  const id = idOf(journey);
  if (!subject.isPayout) return { [name]: id };
  return { [name]: id, [name.replace('.', 'Shard.')]: `${id}:shard:1` };
}
