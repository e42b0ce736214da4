import { OrderError, type OrderKind, type Started, type Steadfast } from '../../client/client';
import type { Call } from '../call';
import { withKnownNames } from '../check/names';
import { type ExitCode, exitCodes, isBadInput, messageOf } from '../exit';
import type { Awaiting } from '../flags';
import type { Interruption } from '../interruption';
import { tellEnd } from '../show/tellEnd';
import { errorLine, type Voice } from '../show/voice';
import { follow } from './follow';
import { settledBefore } from './settledBefore';

/** An order to start, and the time to wait for its end. */
type Placing = Awaiting & {
  id: string;
  start(steadfast: Steadfast, id: string): Promise<Started<OrderKind>>;
  /** The wallets of a payout in words, for its progress line. */
  payers?: string;
  /** The whole command that goes on with it, where one does. */
  again?: string;
  /** Clears the progress of a long start and says how far it got, for an interruption. */
  left?(): string;
};

/** Starts a checked order and waits for its result. */
export async function placeOrder(placing: Placing, call: Call): Promise<ExitCode> {
  const { id, start, left, isAwaited, timeoutMs, again } = placing;
  const { voice } = call;
  const beganMs = Date.now();
  const stop = call.interruption();
  const connected = await Promise.race([call.connect(), stop.stopped]);
  if (typeof connected === 'string') {
    return stopped(id, voice, `Stopped before ${id} was started: nothing was sent.`);
  }
  const { steadfast } = connected;
  const started = await begin({ start: () => start(steadfast, id), left, again, id, stop, voice });
  if (typeof started === 'number') return started;
  voice.note(howItStarted(started, id));
  if (!isAwaited) return leave(started, id, call);
  if (timeoutMs !== undefined) stop.after(timeoutMs);
  const end = await follow({
    steadfast,
    started,
    id,
    voice,
    stopped: stop.stopped,
    payers: placing.payers,
  });
  // An end is told whatever Temporal says of it afterwards.
  const asked = settledBefore({ steadfast, id, started, end, beganMs });
  const before = await asked.catch(() => undefined);
  const named = (lines: readonly string[]) => withKnownNames(lines, call);
  return tellEnd({ id, started, end, voice, again, before, named });
}

function stopped(id: string, voice: Voice, message: string): ExitCode {
  voice.note(message);
  voice.document({ id, end: 'stoppedWaiting', message });
  return exitCodes.stoppedWaiting;
}

/** Starts the order. An answer lost on the way leaves open whether it started. */
async function begin(beginning: {
  start: () => Promise<Started<OrderKind>>;
  left: Placing['left'];
  again: Placing['again'];
  id: string;
  stop: Interruption;
  voice: Voice;
}): Promise<Started<OrderKind> | ExitCode> {
  const { start, left = () => '', id, stop, voice } = beginning;
  const { again = 'the same command' } = beginning;
  const standing = (): string =>
    `so ${id} may have started. ${left()}Go on with it, which is safe: ${again}`;
  try {
    const started = await Promise.race([start(), stop.stopped]);
    if (typeof started === 'object') return started;
    return stopped(id, voice, `Stopped before Temporal had answered, ${standing()}`);
  } catch (error) {
    if (isBadInput(error)) throw error;
    if (error instanceof OrderError) return refused(error, id, voice);
    const message = `Temporal did not answer (${messageOf(error)}), ${standing()}`;
    voice.note(errorLine(message));
    voice.document({ id, end: 'unknown', message });
    return exitCodes.needsOperator;
  }
}

/** Reports an order that has ended already, or accepts no more lines. */
function refused({ outcome, message }: OrderError, id: string, voice: Voice): ExitCode {
  voice.document({ id, end: outcome, message });
  voice.note(errorLine(message));
  return exitCodes.failed;
}

function howItStarted(started: Started<OrderKind>, id: string): string {
  if (started.outcome === 'started') return `Started ${id}.`;
  if (started.outcome === 'attached') return `${id} was started before. Attached to it.`;
  return `${id} was completed before. Nothing is moved again.`;
}

function leave(started: Started<OrderKind>, id: string, { voice, terminal }: Call): ExitCode {
  const { workflowId, runId, outcome } = started;
  voice.document({ id, workflowId, runId, start: outcome, end: 'notAwaited' });
  // On a terminal the note above has said it.
  if (!voice.isJson && terminal.stdout.isTTY !== true) voice.say(id);
  return exitCodes.done;
}
