import { findings } from '../orders/resolve';
import { connect } from './connect';
import { type ExitCode, exitCodes, InputError } from './exit';
import type { Flags } from './orderCommand';
import { placeOrder } from './placeOrder';
import { readDurationMs } from './tellTime';
import { createVoice } from './voice';

/** Asks an order to stop. */
export async function cancel(id: string, flags: Flags): Promise<ExitCode> {
  const voice = createVoice(flags.json === true);
  const { steadfast } = await connect();
  await steadfast.cancel(id, String(flags.reason));
  const message = `${id} is to be cancelled. See how it ends with: npx steadfast status ${id}`;
  voice.document({ id, message });
  voice.say(message);
  return exitCodes.done;
}

/** Says what became of a write that is unknown. */
export async function resolve(id: string, flags: Flags): Promise<ExitCode> {
  const voice = createVoice(flags.json === true);
  const finding = findings.find((known) => known === flags.finding);
  if (finding === undefined) {
    const given = JSON.stringify(flags.finding);
    throw new InputError(`--finding: ${given} must be one of ${findings.join(', ')}.`);
  }
  const { steadfast } = await connect();
  const { target, evidence } = flags;
  const found = { target: String(target), finding, evidence: String(evidence) };
  const message = await steadfast.resolve(id, found);
  voice.document({ id, message });
  voice.say(message);
  return exitCodes.done;
}

/** Attempts anew what came to nothing, and waits for what comes of it. */
export async function resubmit(id: string, flags: Flags): Promise<ExitCode> {
  const timeoutMs =
    flags.timeout === undefined ? undefined : readDurationMs('--timeout', String(flags.timeout));
  return placeOrder({
    id,
    start: (steadfast) => steadfast.resubmit(id),
    isAwaited: flags.wait !== false,
    timeoutMs,
    voice: createVoice(flags.json === true),
  });
}
