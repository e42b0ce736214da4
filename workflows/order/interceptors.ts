import type { WorkflowInterceptors } from '@temporalio/workflow';
import { inStep } from './inStep';
import { traced } from './trace';

/** The interceptors of every workflow of ours. */
export function interceptors(): WorkflowInterceptors {
  return { ...traced(), internals: [inStep()] };
}
