import { randomBytes } from 'node:crypto';
import pc from 'picocolors';
import type { OrderKind, Started } from '../client';
import { connect } from './connect';
import { type ExitCode, exitCodes, InputError, isBadInput } from './exit';
import { follow } from './follow';
import { type Interruption, interruption } from './interruption';
import { type Fields, type Flags, given, type OrderCommand } from './orderCommand';
import { readOrderFile } from './orderFile';
import { starters } from './starters';
import { tellEnd } from './tellEnd';
import { readDurationMs } from './tellTime';
import { createVoice, errorLine, type Voice } from './voice';

/** Starts an order as the flags and the file say, and waits for what comes of it. */
export async function placeOrder(command: OrderCommand, flags: Flags): Promise<ExitCode> {
  const voice = createVoice(flags.json === true);
  const timeoutMs =
    flags.timeout === undefined ? undefined : readDurationMs('--timeout', String(flags.timeout));
  const start = starters[command.kind(flags)](orderOf(command, flags));
  const id = idOf(command, flags, voice);
  const stop = interruption();
  const { steadfast } = await connect();
  const started = await begin({ start: () => start(steadfast, id), id, stop, voice });
  if (typeof started === 'number') return started;
  voice.note(howItStarted(started, id));
  if (flags.wait === false) return leave(started, id, voice);
  if (timeoutMs !== undefined) stop.after(timeoutMs);
  const end = await follow({ steadfast, started, id, voice, stopped: stop.stopped });
  return tellEnd({ id, started, end, voice });
}

/** The file first; flags override its fields one by one. */
function orderOf(command: OrderCommand, flags: Flags): Fields {
  const file = flags.file === undefined ? {} : readOrderFile(String(flags.file));
  const named = {
    ...command.fields(flags),
    ...given({
      feeLevel: flags.feeLevel,
      reference: flags.reference,
      validUntil: flags.validUntil,
    }),
  };
  const order = { ...file, ...named };
  for (const [field, value] of Object.entries(named)) {
    const inFile = file[field];
    // A wallet named by a flag replaces the file's; what has several flags is completed by them.
    if (isPart(field) && isFields(value) && isFields(inFile)) {
      Object.assign(order, { [field]: { ...inFile, ...value } });
    }
  }
  return command.complete?.(order) ?? order;
}

function isPart(field: string): boolean {
  return field === 'parameters' || field === 'mint';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The caller's id, or one made up for a person who watches. A script must name its own: started
 * again after a crash under a new id, it would pay twice.
 */
function idOf(command: OrderCommand, flags: Flags, voice: Voice): string {
  if (flags.id !== undefined) return String(flags.id);
  const isWatched = process.stdin.isTTY === true && process.stdout.isTTY === true;
  if (!isWatched) {
    throw new InputError(
      `--id: is missing. Off a terminal, give an id of your own, such as ${command.name}:invoice-1: ` +
        'started again under the same id, an order is not carried out twice.',
    );
  }
  const id = `${command.name}:${randomBytes(5).toString('hex')}`;
  voice.say(`${pc.dim('id')} ${pc.bold(id)}`);
  return id;
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
    if (error instanceof Error && error.name === 'NamespaceNotFoundError') {
      throw new InputError(`TEMPORAL_NAMESPACE: ${error.message}.`);
    }
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
