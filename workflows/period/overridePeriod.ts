import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  defineUpdate,
  makeContinueAsNewFunc,
  setHandler,
  setWorkflowOptions,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { Progress } from '../../src/orders/progress/status';
import { type Begun, type Override, overrideKey } from '../../src/orders/schedule/override';
import { progressQuery } from '../order/handlers';

// It waits for months, and must not keep the workers of its build alive. Temporal refuses the option
// from a worker without a build.
setWorkflowOptions(
  () =>
    (workflowInfo().currentDeploymentVersion?.deploymentName ?? '') === ''
      ? {}
      : { versioningBehavior: 'AUTO_UPGRADE' },
  overridePeriod,
);

const begin = defineUpdate<Begun>('begin');
const change = defineUpdate<void, [Override]>('change');
const cancel = defineUpdate<void, [object]>('cancel');

/**
 * Keeps what a person has ordered for one period of a schedule, under the id of that period's
 * order. So the period has one order, whoever comes first. When the period is started, the same
 * workflow goes on as the order. An override with no order stays for ever, and the period is left
 * out.
 */
export async function overridePeriod(given: Override): Promise<unknown> {
  let kept = given;
  let hasBegun = false;
  const since = new Date().toISOString();
  setHandler(progressQuery, () => shown(kept, since));
  setHandler(begin, () => {
    hasBegun = kept.order !== undefined;
    return hasBegun ? 'order' : 'nothing';
  });
  const replace = (next: Override): void => {
    kept = next;
    upsertMemo(next.memo);
  };
  const validator = (_: Override): void => {
    if (hasBegun) throw ApplicationFailure.nonRetryable('Its order has started.', 'Refused');
  };
  setHandler(change, replace, { validator });
  setHandler(cancel, (_: object): void => {
    throw ApplicationFailure.nonRetryable(`It has not started. ${wayOut}`, 'Refused');
  });
  // Cancelled by Temporal, it would make room for the usual order.
  await CancellationScope.nonCancellable(async () => {
    await condition(() => hasBegun && allHandlersFinished());
  });
  const { kind: workflowType, memo, order } = kept;
  const goOn = makeContinueAsNewFunc<(order: unknown) => Promise<unknown>>({ workflowType, memo });
  return goOn(order);
}

const wayOut =
  'Leave its period out with "steadfast schedule override <id> --period <period> --skip", or take ' +
  'the override back with --remove.';

function shown({ memo }: Override, since: string): Progress {
  const { period, at, order } = memo[overrideKey];
  const waitingFor =
    order === undefined
      ? `nothing: ${period} is left out. ${wayOut}`
      : `its period ${period}, which its schedule starts at ${at}. ${wayOut}`;
  return { status: 'Waiting', timeline: [], waitingFor, since };
}
