import { faultOf, findings } from '../orders/resolve';
import { connect } from './connect';
import { type ExitCode, exitCodes, InputError } from './exit';
import type { Flags } from './orderCommand';
import { placeOrder } from './placeOrder';
import { reasonOf } from './reason';
import { readDurationMs } from './tellTime';
import { createVoice } from './voice';

/** Asks an order to stop. */
export async function cancel(id: string, flags: Flags): Promise<ExitCode> {
  const reason = reasonOf(flags);
  const { steadfast } = await connect();
  await steadfast.cancel(id, reason);
  const how = `See how it ends with: npx steadfast watch ${id}`;
  return tell(id, flags, `${id} is to be cancelled. ${how}`);
}

/** Holds back whatever an order would send next. */
export async function pause(id: string, flags: Flags): Promise<ExitCode> {
  const reason = reasonOf(flags);
  const { steadfast } = await connect();
  await steadfast.pause(id, reason);
  return tell(id, flags, `${id} is paused. Let it go on with: npx steadfast resume ${id}`);
}

/** Lets a paused order go on. */
export async function resume(id: string, flags: Flags): Promise<ExitCode> {
  const { steadfast } = await connect();
  await steadfast.resume(id);
  return tell(id, flags, `${id} goes on.`);
}

/** Has the service pay a higher fee for what settles now. */
export async function accelerate(id: string, flags: Flags): Promise<ExitCode> {
  const { steadfast } = await connect();
  return tell(id, flags, await steadfast.accelerate(id));
}

/** Says what became of a write that is unknown. */
export async function resolve(id: string, flags: Flags): Promise<ExitCode> {
  const [target, evidence] = [String(flags.target), String(flags.evidence)];
  const fault = faultOf({ target, finding: flags.finding, evidence });
  const finding = findings.find((known) => known === flags.finding);
  if (fault !== undefined || finding === undefined) throw new InputError(`--${fault}`);
  const { steadfast } = await connect();
  return tell(id, flags, await steadfast.resolve(id, { target, finding, evidence }));
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

/** Says what was done, to people and to programs. */
export function tell(id: string, flags: Flags, message: string): ExitCode {
  const voice = createVoice(flags.json === true);
  voice.document({ id, message });
  voice.say(message);
  return exitCodes.done;
}
