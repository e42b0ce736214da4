import { ApplicationFailure, Context } from '@temporalio/activity';
import { paidWords } from '../../src/orders/progress/paidWords';
import { dryPrefix } from '../../src/orders/progress/plan';
import { stop } from '../failure';
import {
  type EarlierRun,
  isCompleted,
  maySettle,
  readEarlierRuns,
  resultOfRun,
} from './earlierRuns';

/**
 * Adds to a refusal what earlier runs of the same id have paid. Somebody who reads only the refusal
 * would pay it again. Any other error stays as it is.
 */
export async function tellingPaid(error: unknown): Promise<unknown> {
  if (!(error instanceof ApplicationFailure) || error.type !== 'Refused') return error;
  const { workflowId = '' } = Context.current().info.workflowExecution ?? {};
  const id = workflowId.startsWith(dryPrefix) ? workflowId.slice(dryPrefix.length) : workflowId;
  const words = await paidBefore(await readEarlierRuns(id));
  if (words === undefined) return error;
  const { details } = error;
  const told = stop('Refused', `${error.message} ${words}`);
  return Object.assign(told, { details: details ?? told.details });
}

async function paidBefore(runs: readonly EarlierRun[]): Promise<string | undefined> {
  const completed = runs.find(isCompleted);
  if (completed !== undefined) {
    const words = paidWords(await resultOfRun(completed.run));
    const isMore = runs.slice(0, runs.indexOf(completed)).some(maySettle);
    const more = isMore ? ' A later one may have paid more.' : '';
    return `An earlier run of this id ${words}.${more}`;
  }
  if (!runs.some(maySettle)) return undefined;
  return (
    'An earlier run of this id may have paid. Start the order as it was: it looks up what was sent, ' +
    'and pays nothing twice.'
  );
}
