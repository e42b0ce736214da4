import { OrderError, type Plan } from '../client';
import { pc } from '../colors';
import { connect } from './connect';
import { type ExitCode, exitCodes } from './exit';
import type { TakenOrder } from './takeOrder';
import { errorLine } from './voice';

/** Tells what an order would do, and does nothing of it. Exit code 1 where it would be refused. */
export async function showPlan({ id, plan, voice }: TakenOrder): Promise<ExitCode> {
  const { steadfast } = await connect();
  try {
    const planned = await plan(steadfast, id);
    voice.document(planned);
    if (!voice.isJson) for (const line of tellPlan(planned)) voice.say(line);
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof OrderError)) throw error;
    voice.document({ id, end: error.outcome, message: error.message });
    voice.note(errorLine(error.message));
    return exitCodes.failed;
  }
}

/** A plan as lines: each write with its key, what the first costs, and what else is to be known. */
export function tellPlan({ workflowId, kind, writes, fee, notes }: Plan): string[] {
  const numbered = writes.flatMap(({ target, doing, key }, index) => [
    `  ${index + 1}. ${doing}`,
    pc.dim(`     ${target}, key ${key}`),
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
  ];
}
