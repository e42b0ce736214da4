import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { Held, Stage } from './held';
import type { Scene } from './scene';

export const reason = 'they called';

/** An order without any write, and nothing on the chain. */
export const nothing = { writes: [] as string[], transfers: 0, deployments: 0 };
export const transferred = { writes: ['createTransfer'], transfers: 1, deployments: 0 };
export const deployed = { writes: ['deployTemplate'], transfers: 0, deployments: 1 };
export const minted = {
  writes: ['deployTemplate', 'executeContract'],
  transfers: 1,
  deployments: 1,
};

export const completed = {
  execution: 'COMPLETED',
  shown: 'Done',
  receipt: 'as on the chain',
};
export const cancelled = { execution: 'CANCELLED', shown: 'Cancelled' };

const isTransfer = (stage: Stage): boolean => stage.endsWith('createTransfer');

/** The writes and movements of a stage's order that runs to its end. */
export const wholeOf = (stage: Stage) => (isTransfer(stage) ? transferred : minted);

/** The order's last write, as `resolve` names it. */
export const targetOf = (stage: Stage) => (isTransfer(stage) ? 'transfer/1#0' : 'mint/1#0');

/** The controls as a backend uses them. */
export function controlsOf({ orders: { steadfast } }: Scene) {
  return {
    pause: (id: string) => steadfast.pause(id, reason),
    resume: (id: string) => steadfast.resume(id),
    cancel: (id: string) => steadfast.cancel(id, reason),
    accelerate: (id: string) => steadfast.accelerate(id),
    resolve: (id: string, target: string) =>
      steadfast.resolve(id, { target, finding: 'noEffect', evidence: 'I looked' }),
    resubmit: (id: string) => steadfast.resubmit(id),
  };
}

export type Controls = ReturnType<typeof controlsOf>;

/** Calls a control by its name with plain JSON, as another language does. */
export function byName(
  { orders }: Scene,
  { id }: Pick<Held, 'id'>,
  asked: [update: string, ...args: unknown[]],
): Promise<unknown> {
  const [update, ...args] = asked;
  return orders.client.workflow.getHandle(id).executeUpdate(update, { args } as never);
}

/** The answer to a control, or the sentence of its refusal. */
export async function told({ id }: Pick<Held, 'id'>, asked: Promise<unknown>): Promise<string> {
  const wordsOf = (error: unknown): string => {
    const said = error instanceof WorkflowUpdateFailedError ? error.cause : error;
    return said instanceof Error ? said.message : String(said);
  };
  const words = await asked.then(
    (answer) => (typeof answer === 'string' ? answer : 'heard'),
    wordsOf,
  );
  return words.replaceAll(id, 'ID').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UUID');
}
