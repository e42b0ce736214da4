import { OrderError, type OrderKind, type Started } from '../client';
import { connect } from './connect';
import { type ExitCode, exitCodes, isBadInput } from './exit';
import { follow } from './follow';
import { type Interruption, interruption } from './interruption';
import type { TakenOrder } from './takeOrder';
import { tellEnd } from './tellEnd';
import { errorLine, type Voice } from './voice';

type Placing = Omit<TakenOrder, 'plan' | 'isDry'> & {
  /** Where starting takes its time: told when we leave before it is done, with what was done. */
  left?(): string;
};

/** Starts an order that has been checked, and waits for what comes of it. */
export async function placeOrder(taken: Placing): Promise<ExitCode> {
  const { id, start, left, isAwaited, timeoutMs, voice } = taken;
  const stop = interruption();
  const connected = await Promise.race([connect(), stop.stopped]);
  if (typeof connected === 'string') {
    return stopped(id, voice, `Stopped before ${id} was started: nothing was sent.`);
  }
  const { steadfast } = connected;
  const started = await begin({ start: () => start(steadfast, id), left, id, stop, voice });
  if (typeof started === 'number') return started;
  voice.note(howItStarted(started, id));
  if (!isAwaited) return leave(started, id, voice);
  if (timeoutMs !== undefined) stop.after(timeoutMs);
  const end = await follow({ steadfast, started, id, voice, stopped: stop.stopped });
  return tellEnd({ id, started, end, voice });
}

/** Whoever leaves is told what that means. */
function stopped(id: string, voice: Voice, message: string): ExitCode {
  voice.note(message);
  voice.document({ id, end: 'stoppedWaiting', message });
  return exitCodes.stoppedWaiting;
}

/** Starts it; an answer that is lost on the way leaves open whether it started. */
async function begin(beginning: {
  start: () => Promise<Started<OrderKind>>;
  left: Placing['left'];
  id: string;
  stop: Interruption;
  voice: Voice;
}): Promise<Started<OrderKind> | ExitCode> {
  const { start, left = () => '', id, stop, voice } = beginning;
  const standing = (): string =>
    `so ${id} may have started. ${left()}Run the same command again with --id ${id}: that is safe.`;
  try {
    const started = await Promise.race([start(), stop.stopped]);
    if (typeof started === 'object') return started;
    return stopped(id, voice, `Stopped before Temporal had answered, ${standing()}`);
  } catch (error) {
    if (isBadInput(error)) throw error;
    if (error instanceof OrderError) return refused(error, id, voice);
    const reason = error instanceof Error ? error.message : String(error);
    const message = `Temporal did not answer (${reason}), ${standing()}`;
    voice.note(errorLine(message));
    voice.document({ id, end: 'unknown', message });
    return exitCodes.needsOperator;
  }
}

/** It is there, and has ended already, or takes no more of what it was given. */
function refused({ outcome, message }: OrderError, id: string, voice: Voice): ExitCode {
  voice.document({ id, end: outcome, message });
  voice.note(errorLine(message));
  return exitCodes.failed;
}

function howItStarted(started: Started<OrderKind>, id: string): string {
  if (started.outcome === 'started') return `Started ${id}.`;
  if (started.outcome === 'attached') return `${id} was started before; attached to it.`;
  return `${id} was completed before; nothing is moved again.`;
}

function leave(started: Started<OrderKind>, id: string, voice: Voice): ExitCode {
  const { workflowId, runId, outcome } = started;
  voice.document({ id, workflowId, runId, start: outcome, end: 'notAwaited' });
  if (!voice.isJson) voice.say(id);
  return exitCodes.done;
}
