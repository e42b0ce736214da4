import { Context } from '@temporalio/activity';
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { shown } from '../../../src/orders/input/shown';
import { beating } from '../../beating';
import { stop } from '../../failure';
import { hasLineEnded, knownRun, orderOf, resultIn } from '../shardRuns';

/** Lines that are not to be paid, and why. */
type Skipping = { lineIds: string[]; reason: string };

/** Something that is wanted of the shards of a payout. */
type Wish = { shardIds: string[] } & (
  | { update: 'resolve'; request: object }
  | { update: 'skip'; request: Skipping }
);

/** Asks the shards of a payout, one after another. Throws if none of them does it. */
export function askShards(wish: Wish): Promise<string> {
  return beating(() => (wish.update === 'skip' ? skipLines(wish) : resolveLine(wish)));
}

async function resolveLine({ shardIds, request }: Wish): Promise<string> {
  let refusal = 'No part of this payout is under way.';
  const answers: string[] = [];
  for (const shardId of shardIds) {
    const told = await ask(shardId, 'resolve', request);
    refusal = told.refusal ?? refusal;
    answers.push(...(told.answer === undefined ? [] : [told.answer]));
  }
  if (answers.length === 0) throw stop('Refused', refusal);
  return answers.join(' ');
}

/** Number of ids that a message tells. */
const toldMax = 10;

/** Skips lines in the parts that have them. A mistyped id skips none, since it hides a line. */
async function skipLines({ shardIds, request }: { shardIds: string[]; request: Skipping }) {
  const left = new Set(request.lineIds);
  const wanted: [string, string[]][] = [];
  const forgotten: string[] = [];
  for (const shardId of shardIds) {
    if (left.size === 0) break;
    if ((await knownRun(shardId)) === undefined) {
      forgotten.push(shardId);
      continue;
    }
    const { lines } = await orderOf(shardId);
    const own = lines.flatMap(({ lineId }) => (left.delete(lineId) ? lineId : []));
    if (own.length > 0) wanted.push([shardId, own]);
  }
  if (left.size > 0) throw stop('Refused', strangeSentence([...left], forgotten));
  const answers: string[] = [];
  const refusals: string[] = [];
  for (const [shardId, lineIds] of wanted) {
    const told = await ask(shardId, 'skip', { ...request, lineIds });
    if (told.answer !== undefined) answers.push(told.answer);
    else if (told.refusal !== undefined) refusals.push(told.refusal);
    else if (await hasEnded(shardId, lineIds)) answers.push(lateSentence(lineIds));
    else refusals.push(againSentence(lineIds));
  }
  if (refusals.length > 0) throw stop('Refused', [...refusals, ...answers].join(' '));
  return answers.join(' ');
}

function strangeSentence(lineIds: readonly string[], forgotten: readonly string[]): string {
  const few = lineIds
    .slice(0, toldMax)
    .map((lineId) => shown(lineId))
    .join(', ');
  const more = lineIds.length > toldMax ? ` and ${lineIds.length - toldMax} more` : '';
  const none = `lineIds: no part of this payout has ${few}${more}, so it is asked to skip none.`;
  if (forgotten.length === 0) return `${none} Check these ids, and skip again.`;
  const parts = forgotten.join(', ');
  return (
    `${none} Temporal has forgotten the lines of ${parts}, and they may be there. Skip the others ` +
    'alone.'
  );
}

function lateSentence(lineIds: readonly string[]): string {
  return `${lineIds.join(', ')}: not skipped, since the part has ended.`;
}

function againSentence(lineIds: readonly string[]): string {
  return `lineIds: ${lineIds.join(', ')}: the part is started again. Skip again in a moment.`;
}

/** True if a shard has ended, and with it these lines. */
async function hasEnded(shardId: string, lineIds: readonly string[]): Promise<boolean> {
  const run = await knownRun(shardId);
  const lines = run && (await resultIn(run));
  const own = lines?.filter(({ lineId }) => lineIds.includes(lineId));
  return own?.every(hasLineEnded) === true;
}

/** The answer of a shard to an update, or the reason why it refuses. Neither if it has closed. */
async function ask(
  shardId: string,
  update: Wish['update'],
  request: object,
): Promise<{ answer?: string; refusal?: string | undefined }> {
  const { client, info } = Context.current();
  // An activity that is retried hears the answer to its first question.
  const updateId = `${info.workflowExecution?.runId}-${info.activityId}`;
  try {
    const args: [object] = [request];
    const handle = client.workflow.getHandle(shardId);
    return { answer: await handle.executeUpdate<string, [object]>(update, { args, updateId }) };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return {};
    if (!(error instanceof WorkflowUpdateFailedError)) throw error;
    return { refusal: error.cause?.message ?? error.message };
  }
}
