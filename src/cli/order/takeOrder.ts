import { type CheckedPayment, transferPayment } from '../../checks/payment';
import type { OrderKind, Plan, Started, Steadfast } from '../../client/client';
import { isRecord } from '../../custody/isRecord';
import { exchangeInWords } from '../../orders/exchange/exchange';
import { readOrderId } from '../../orders/input/orderId';
import { kindOf, type ReadOrder, readOrderOf } from '../../orders/kinds';
import { idFrom } from '../../orders/payout/idFrom';
import type { Call } from '../call';
import { InputError } from '../exit';
import { type Awaiting, awaitingIn, type Flags, orderFlags } from '../flags';
import { pc } from '../show/colors';
import { commandAgain } from './commandAgain';
import { type Fields, type OrderCommand, orderFields, presentFields } from './fields';
import { inFlags } from './inFlags';

/** An order checked as far as possible without the service, and its options. */
export type TakenOrder = Awaiting & {
  start(steadfast: Steadfast, id: string): Promise<Started<OrderKind>>;
  plan(steadfast: Steadfast, id: string): Promise<Plan>;
  id: string;
  /** True if the id follows from the order's own content. */
  isNamedByContent: boolean;
  /** The same id with its word, such as "transfer:order-1001". Unset where the id has a colon. */
  namesake: string | undefined;
  /** The payment of a transfer, which is checked before it starts. */
  payments: readonly CheckedPayment[];
  /** The address of its own wallet, if it is named by that. */
  wallets: readonly string[] | undefined;
  /** True if a finding of the checks refuses it. */
  isStrict: boolean;
  /** True with --dry-run. */
  isDry: boolean;
  /** The whole command that goes on with it. */
  again: string;
};

/** Reads an order from flags and file, and refuses faults before anything starts. */
export function takeOrder(command: OrderCommand, call: Call): TakenOrder {
  const { flags } = call;
  const awaiting = awaitingIn(flags);
  const { dryRun = flags.dryRun, ...order } = mergeFields(command, flags);
  const kind = command.kind(flags);
  const [read, id] = byFlags(command, flags, () => {
    const parsed = readOrderOf(kind, order);
    return [parsed, idOf(command, { kind, ...parsed }, call)];
  });
  if ('exchange' in read && read.exchange !== undefined) {
    const { amount, token } = read;
    call.voice.note(`${exchangeInWords(read.exchange)}, is ${amount} ${token}.`);
  }
  return {
    id,
    isNamedByContent: flags.id === undefined,
    namesake: id.includes(':') ? undefined : `${kindOf(kind).idWord}:${id}`,
    ...checkedOf(id, read),
    isStrict: 'strict' in read && read.strict === true,
    start: (steadfast, id) => steadfast.start(kind, id, read),
    plan: (steadfast, id) => steadfast.plan(kind, id, read),
    isDry: dryRun === true,
    ...awaiting,
    again: commandAgain(call, id),
  };
}

/** The payment of a transfer from a known wallet to a known payee, and its wallet. */
function checkedOf(
  lineId: string,
  order: ReadOrder<OrderKind>,
): Pick<TakenOrder, 'payments' | 'wallets'> {
  if (!('from' in order && 'to' in order)) return { payments: [], wallets: undefined };
  const wallets = 'walletAddress' in order.from ? [order.from.walletAddress] : undefined;
  return { payments: [transferPayment(lineId, order)], wallets };
}

/** Reads what a person gave. A refusal names the flags that they came in. */
export function byFlags<Read>(
  { flags: own, flagOf }: OrderCommand,
  flags: Flags,
  read: () => Read,
): Read {
  try {
    return read();
  } catch (error) {
    const given = flags.file === undefined ? undefined : flags;
    throw inFlags(error, { flags: [...own, ...orderFlags], flagOf, given });
  }
}

/** The file's fields, each overridden by its flag. */
export function mergeFields(command: OrderCommand, flags: Flags): Fields {
  const file = flags.file === undefined ? {} : readFile(String(flags.file));
  const named = {
    ...orderFields(command, flags),
    ...presentFields({
      feeLevel: flags.feeLevel,
      reference: flags.reference,
      validUntil: flags.validUntil,
    }),
  };
  const order = { ...file, ...named };
  for (const [field, value] of Object.entries(named)) {
    const inFile = file[field];
    // A wallet flag replaces the file's wallet. An object with several flags is merged.
    if (isPart(field) && isRecord(value) && isRecord(inFile)) {
      Object.assign(order, { [field]: { ...inFile, ...value } });
    }
  }
  return command.complete?.(order, flags) ?? order;
}

function readFile(path: string): Fields {
  const { readOrderFile }: typeof import('./orderFile') = require('./orderFile');
  return readOrderFile(path);
}

function isPart(field: string): boolean {
  return field === 'parameters' || field === 'mint';
}

/** An order and its kind. */
type Content = { kind: OrderKind } & ReadOrder<OrderKind>;

/**
 * The caller's id, or on a terminal one that follows from the order. So the same command on a
 * terminal goes on with the same order. A script must name its own.
 */
function idOf(command: OrderCommand, content: Content, call: Call): string {
  const { flags } = call;
  if (flags.id !== undefined) return readOrderId(String(flags.id));
  refuseUnwatched(command, call);
  const id = `${command.name}:${idFrom(wishIn(content))}`;
  tellId(id, call);
  return id;
}

/**
 * The part of an order that says what is wanted. An amount in a currency is the same at every rate.
 * Fees, a limit of time and the checks make no other order.
 */
function wishIn(content: Content): object {
  const { feeLevel: _, validUntil: __, ...order } = content;
  if (!('exchange' in order) || order.exchange === undefined)
    return { ...order, strict: undefined };
  const { amount, currency } = order.exchange;
  return { ...order, strict: undefined, exchange: undefined, amount, currency };
}

/** Refuses an order without an id without a terminal, where nobody sees one that is made up. */
export function refuseUnwatched({ name }: OrderCommand, { terminal }: Call): void {
  if (terminal.stdin.isTTY === true && terminal.stdout.isTTY === true) return;
  throw new InputError(
    `--id: is missing. Without a terminal, give an id of your own, such as ${name}:invoice-1: ` +
      'started again under the same id, an order is not carried out twice.',
  );
}

/** Shows an id that was made up. */
export function tellId(id: string, { voice }: Call): void {
  voice.say(`${pc.dim('id')} ${pc.bold(id)}`);
}
