import { randomBytes } from 'node:crypto';
import { pc } from '../colors';
import { readOrderId } from '../orders/orderId';
import { InputError } from './exit';
import { type Fields, type Flags, given, type OrderCommand } from './orderCommand';
import { type Startable, starters } from './starters';
import { readDurationMs } from './tellTime';
import { createVoice, type Voice } from './voice';

/** An order that has been checked as far as that is possible here, and how to go about it. */
export type TakenOrder = Startable & {
  id: string;
  /** Only its plan is wanted. */
  isDry: boolean;
  isAwaited: boolean;
  timeoutMs: number | undefined;
  voice: Voice;
};

/** Reads an order from the flags and the file; whatever is wrong is said before anything starts. */
export function takeOrder(command: OrderCommand, flags: Flags): TakenOrder {
  const voice = createVoice(flags.json === true);
  const timeoutMs =
    flags.timeout === undefined ? undefined : readDurationMs('--timeout', String(flags.timeout));
  const { dryRun = flags.dryRun, ...order } = orderOf(command, flags);
  const startable = starters[command.kind(flags)](order);
  const id = idOf(command, flags, voice);
  const isDry = dryRun === true;
  return { ...startable, id, isDry, isAwaited: flags.wait !== false, timeoutMs, voice };
}

/** The file first; flags override its fields one by one. */
export function orderOf(command: OrderCommand, flags: Flags): Fields {
  const file = flags.file === undefined ? {} : readFile(String(flags.file));
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

function readFile(path: string): Fields {
  const { readOrderFile }: typeof import('./orderFile') = require('./orderFile');
  return readOrderFile(path);
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
export function idOf(command: OrderCommand, flags: Flags, voice: Voice): string {
  if (flags.id !== undefined) return readOrderId(String(flags.id));
  const isWatched = process.stdin.isTTY === true && process.stdout.isTTY === true;
  if (!isWatched) {
    throw new InputError(
      '--id: is missing. Off a terminal, give an id of your own, such as ' +
        `${command.name}:invoice-1: ` +
        'started again under the same id, an order is not carried out twice.',
    );
  }
  const id = `${command.name}:${randomBytes(5).toString('hex')}`;
  voice.say(`${pc.dim('id')} ${pc.bold(id)}`);
  return id;
}
