import { OrderError, type Plan } from '../../client/client';
import type { Call } from '../call';
import { withKnownNames } from '../check/names';
import { tellKnown } from '../check/tellChecked';
import { type ExitCode, exitCodes } from '../exit';
import { pc } from '../show/colors';
import { errorLine } from '../show/voice';
import type { TakenOrder } from './takeOrder';

/** Tells what an order would do, and sends nothing. Exit code 1 if it would be refused. */
export async function plan(taken: TakenOrder, call: Call): Promise<ExitCode> {
  const { id } = taken;
  const { voice } = call;
  const { steadfast } = await call.connect();
  try {
    const planned = await taken.plan(steadfast, id);
    voice.answer(planned, withKnownNames(tellPlan(planned), call));
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof OrderError)) throw error;
    voice.document({ id, end: error.outcome, message: error.message });
    voice.note(errorLine(error.message));
    return exitCodes.failed;
  }
}

/** A plan as lines: each write with its key, the fee of the first, and notes. */
function tellPlan({ workflowId, kind, writes, fee, notes, checks }: Plan): string[] {
  const numbered = writes.flatMap(({ target, doing, key, policy }, index) => [
    `  ${index + 1}. ${doing}`,
    pc.dim(`     ${target}, key ${key}`),
    ...(policy === undefined ? [] : [`     policy: ${policy}`]),
  ]);
  const cost =
    fee === undefined
      ? []
      : [`  about ${fee.networkFee} of the native coin for the first, paid by the ${fee.paidBy}`];
  return [
    `${pc.bold(workflowId)} ${pc.dim('·')} ${kind} ${pc.dim('·')} dry run, nothing was sent`,
    ...(writes.length === 0 ? ['  nothing would be written'] : numbered),
    ...cost,
    ...notes.map((note) => `  ${pc.yellow('→')} ${note}`),
    ...(checks === undefined ? [] : [pc.dim(`  ${tellKnown(checks)}, by the worker`)]),
  ];
}
