import type { WorkflowHandle } from '@temporalio/client';
import type { FaultPlan } from '../../../sandbox/faults/faultRule';
import type { Orders } from '../orders';
import type { Stage, WorkerKind } from './stage';

/** A workflow, an order for it, and its writes by their paths. */
export type Subject = {
  kind: string;
  writes: readonly string[];
  /** Makes the order. `name` is the name of the journey. */
  order(stage: Stage, name: string): Promise<object>;
  /** Set for a payout. Its id follows from the order, and its shard has a history of its own. */
  isPayout?: true;
};

/** One order on its road. */
export type Scene = {
  stage: Stage;
  orders: Orders;
  id: string;
  /** The handle of the newest run. */
  handle: WorkflowHandle;
  /** Starts the order, or starts it again. */
  start(): Promise<void>;
  /** The write that the road is about. */
  write: string;
};

export type Rule = FaultPlan['rules'][number];

/** One way an order can go, from its start to its end. */
export type Road = {
  name: string;
  /** Faults of the last write's first generation. With `every`, all writes have them. */
  faults?: readonly (Rule & { every?: true })[];
  /** Acts from outside while the order runs. */
  play?(scene: Scene): Promise<void>;
  /** The order's end. Default: completed. */
  ends?: 'COMPLETED' | 'FAILED' | 'CANCELLED';
  /** Text in the history that proves that the order went this way. */
  shows?: RegExp;
  worker?: WorkerKind;
  /** Set if a receiver is told of the ends. Each workflow that tells it has its own history. */
  isTold?: true;
};

/** A history to record: one subject on one road. */
export type Journey = { name: string; subject: Subject; road: Road };

/** The id of the order on a journey. */
export function idOf({ name, subject }: Pick<Journey, 'name' | 'subject'>): string {
  return subject.isPayout ? `payout:${name}` : name;
}

/** The names of all files with histories of a journey, without the numbers of several runs. */
export function filesOf(journey: Journey): string[] {
  return [
    ...Object.keys(workflowsOf(journey)),
    ...(journey.road.isTold ? [answerFile(journey)] : []),
  ];
}

/** The name of the histories of the workflows that tell a receiver of the ends of a journey. */
export function answerFile({ subject }: Pick<Journey, 'subject'>): string {
  return `answer.${subject.kind}`;
}

/** The orders of a journey, and their shards, whose histories are kept, by file name. */
export function workflowsOf(journey: Journey): Record<string, string> {
  const { name, subject } = journey;
  const id = idOf(journey);
  if (!subject.isPayout) return { [name]: id };
  return { [name]: id, [name.replace('.', 'Shard.')]: `${id}:shard:1` };
}
