import { transferPayment } from '../../checks/payment';
import type { Steadfast } from '../../client/client';
import { faultOf, findings } from '../../orders/progress/resolve';
import { askYesNo, isSomebodyThere } from '../ask';
import type { Call } from '../call';
import { isSentAllTheSame } from '../check/paidElsewhere';
import { type ExitCode, exitCodes, InputError } from '../exit';
import { awaitingIn, readReason } from '../flags';
import { heldPayments } from '../payout/control';
import { tellLeft } from '../payout/tellPayout';
import { placeOrder } from './placeOrder';
import { reportAct } from './reportAct';

/** Asks an order to stop. */
export async function cancel(id: string, call: Call): Promise<ExitCode> {
  const { flags, terminal, voice } = call;
  const reason = readReason(flags);
  const { steadfast } = await call.connect();
  const left = await leftBy(steadfast, id);
  if (left !== undefined) {
    voice.note(left.before);
    const isAgreed = flags.yes === true || !isSomebodyThere(terminal);
    if (!isAgreed && !(await askYesNo('Cancel it?', terminal))) {
      reportAct(id, call, `${id} was not cancelled.`);
      return exitCodes.failed;
    }
  }
  const { isAsked, words } = await steadfast.cancel(id, reason);
  if (!isAsked) return reportAct(id, call, words);
  const how = `See how it ends with: npx --no-install steadfast watch ${id}`;
  const told = [`${id} is to be cancelled. ${how}`, left?.after ?? '', words];
  return reportAct(id, call, ...told.filter((line) => line !== ''));
}

/** The effect of a cancellation on a payout. Undefined for any other order, or without a worker. */
async function leftBy(steadfast: Steadfast, id: string) {
  const { progress, execution } = await steadfast.status(id);
  return progress === undefined || execution !== 'RUNNING' ? undefined : tellLeft(id, progress);
}

/** Stops an order from sending its next write. */
export async function pause(id: string, call: Call): Promise<ExitCode> {
  const reason = readReason(call.flags);
  const { steadfast } = await call.connect();
  await steadfast.pause(id, reason);
  return reportAct(
    id,
    call,
    `${id} is paused. Let it go on with: npx --no-install steadfast resume ${id}`,
  );
}

/** Lets a paused order go on. */
export async function resume(id: string, call: Call): Promise<ExitCode> {
  // Without a person nobody would be asked.
  const payments = isSomebodyThere(call.terminal) ? await heldPayments(id, call) : [];
  if (!(await isSentAllTheSame({ id, payments }, call))) return exitCodes.failed;
  const { steadfast } = await call.connect();
  await steadfast.resume(id);
  return reportAct(id, call, `${id} goes on.`);
}

/** Asks the service for a higher fee on pending writes. */
export async function accelerate(id: string, call: Call): Promise<ExitCode> {
  const { steadfast } = await call.connect();
  return reportAct(id, call, await steadfast.accelerate(id));
}

/** Decides the outcome of an unknown write. */
export async function resolve(id: string, call: Call): Promise<ExitCode> {
  const { flags } = call;
  const [target, evidence] = [String(flags.target), String(flags.evidence)];
  const fault = faultOf({ target, finding: flags.finding, evidence });
  const finding = findings.find((known) => known === flags.finding);
  if (fault !== undefined || finding === undefined) throw new InputError(`--${fault}`);
  const { steadfast } = await call.connect();
  return reportAct(id, call, await steadfast.resolve(id, { target, finding, evidence }));
}

/** Retries a write that provably had no effect, and waits for the result. */
export async function resubmit(id: string, call: Call): Promise<ExitCode> {
  const awaiting = awaitingIn(call.flags);
  const { steadfast } = await call.connect();
  const { pays } = await steadfast.origin(id);
  const payments = pays === undefined ? [] : [transferPayment(id, pays)];
  if (!(await isSentAllTheSame({ id, payments }, call))) return exitCodes.failed;
  return placeOrder({ id, start: (client) => client.resubmit(id), ...awaiting }, call);
}
