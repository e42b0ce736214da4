import type { OrderKind, Started } from '../client';
import { connect } from './connect';
import { type ExitCode, exitCodes, isBadInput } from './exit';
import { follow } from './follow';
import { type Interruption, interruption } from './interruption';
import type { TakenOrder } from './takeOrder';
import { tellEnd } from './tellEnd';
import { errorLine, type Voice } from './voice';

type Placing = Omit<TakenOrder, 'plan' | 'isDry'>;

/** Starts an order that has been checked, and waits for what comes of it. */
export async function placeOrder(taken: Placing): Promise<ExitCode> {
  const { id, start, isAwaited, timeoutMs, voice } = taken;
  const stop = interruption();
  const connected = await Promise.race([connect(), stop.stopped]);
  if (typeof connected === 'string') return leaveUnstarted(id, voice);
  const { steadfast } = connected;
  const started = await begin({ start: () => start(steadfast, id), id, stop, voice });
  if (typeof started === 'number') return started;
  voice.note(howItStarted(started, id));
  if (!isAwaited) return leave(started, id, voice);
  if (timeoutMs !== undefined) stop.after(timeoutMs);
  const end = await follow({ steadfast, started, id, voice, stopped: stop.stopped });
  return tellEnd({ id, started, end, voice });
}

/** Whoever leaves before Temporal was reached has started nothing. */
function leaveUnstarted(id: string, voice: Voice): ExitCode {
  const message = `Stopped before ${id} was started: nothing was sent.`;
  voice.note(message);
  voice.document({ id, end: 'stoppedWaiting', message });
  return exitCodes.stoppedWaiting;
}

/** Starts it; an answer that is lost on the way leaves open whether it started. */
async function begin(beginning: {
  start: () => Promise<Started<OrderKind>>;
  id: string;
  stop: Interruption;
  voice: Voice;
}): Promise<Started<OrderKind> | ExitCode> {
  const { start, id, stop, voice } = beginning;
  const again = `Run the same command again with --id ${id}: that is safe.`;
  try {
    const started = await Promise.race([start(), stop.stopped]);
    if (typeof started === 'object') return started;
    const message = `Stopped before Temporal had answered, so ${id} may have started. ${again}`;
    voice.note(message);
    voice.document({ id, end: 'stoppedWaiting', message });
    return exitCodes.stoppedWaiting;
  } catch (error) {
    if (isBadInput(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const message = `Temporal did not answer (${reason}), so ${id} may have started. ${again}`;
    voice.note(errorLine(message));
    voice.document({ id, end: 'unknown', message });
    return exitCodes.needsOperator;
  }
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
