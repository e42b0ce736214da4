import { Worker } from '@temporalio/worker';
import { ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared';
import { bundleVariable } from '../temporal';

// Workflows run in the thread of the tests, where this hook takes the stack of every promise. That
// was a third of the work of a replay, and Jest's own stack traces keep it from showing anything.
globalHandlers.install = () => {};

// With a time limit, Node starts a thread that watches it for each call into a workflow.
const { create } = ReusableVMWorkflowCreator;
const createUnlimited = (bundle: never, _timeLimitMs: number, ...rest: [never, never]) =>
  create.call(ReusableVMWorkflowCreator, bundle, undefined as never, ...rest);
Object.assign(ReusableVMWorkflowCreator, { create: createUnlimited });

/** The bundle that most workers run, parsed once for all workers of this process. */
let shared: Promise<unknown> | undefined;
const getOrCreateBundle = Reflect.get(Worker, 'getOrCreateBundle');
const getSharedBundle = (
  options: { workflowBundle?: { codePath?: string } },
  ...rest: unknown[]
): Promise<unknown> => {
  const codePath = options.workflowBundle?.codePath;
  const parse = (): Promise<unknown> => getOrCreateBundle.call(Worker, options, ...rest);
  if (codePath === undefined || codePath !== process.env[bundleVariable]) return parse();
  shared ??= parse();
  return shared;
};
Object.assign(Worker, { getOrCreateBundle: getSharedBundle });
