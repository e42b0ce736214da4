import { Worker } from '@temporalio/worker';
import { ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared';

/**
 * Workers of one test file share the code of their workflows, and the context that it runs in. Each
 * with its own took a tenth of a second, and 10 MB that were never given back.
 */
export function shareWorkflows(): void {
  const { create } = ReusableVMWorkflowCreator;
  const contexts = remembered(
    (bundle: { code: string }, _timeLimitMs: number, activities: ReadonlySet<string>) =>
      [bundle.code, ...activities].join('\n'),
    // Node starts a thread for each call into a workflow that has a time limit.
    (bundle, _timeLimitMs, ...rest) =>
      create.call(ReusableVMWorkflowCreator, ...([bundle, undefined, ...rest] as unknown as Given)),
  );
  Object.assign(ReusableVMWorkflowCreator, { create: contexts });
  Object.assign(ReusableVMWorkflowCreator.prototype, { destroy: async () => {} });
  const read: (options: Options, logger: unknown) => Promise<unknown> = Reflect.get(
    Worker,
    'getOrCreateBundle',
  ).bind(Worker);
  const bundles = remembered(
    ({ workflowBundle = {} }: Options, _logger: unknown) =>
      workflowBundle.codePath ?? workflowBundle.code,
    read,
  );
  Object.assign(Worker, { getOrCreateBundle: bundles });
  // Workflows run in the thread of the tests, where this hook takes the stack of every promise. That
  // was a third of the work of a replay, and Jest's own stack traces keep it from showing anything.
  globalHandlers.install = () => {};
}

type Given = Parameters<typeof ReusableVMWorkflowCreator.create>;
type Options = { workflowBundle?: { codePath?: string; code?: string } };

/** Makes something once for each key, and each time where there is none. */
function remembered<Args extends readonly unknown[], Made>(
  keyOf: (...args: Args) => string | undefined,
  make: (...args: Args) => Made,
): (...args: Args) => Made {
  const known = new Map<string, Made>();
  return (...args) => {
    const key = keyOf(...args);
    const made = (key === undefined ? undefined : known.get(key)) ?? make(...args);
    if (key !== undefined) known.set(key, made);
    return made;
  };
}
