import { Client } from '@temporalio/client';
import { readTemporalConfig } from '../config';
import { isRecord } from '../custody/isRecord';
import { exchanged } from '../orders/exchange/exchanged';
import { BadOrderError } from '../orders/input/read';
import type { Order, OrderKind, ReadOrder, Receipt } from '../orders/kinds';
import type { Plan } from '../orders/progress/plan';
import type { Finding } from '../orders/progress/resolve';
import { traceStarts } from '../telemetry/traceStarts';
import { bareClient } from './bareClient';
import type { ListedOrder } from './find/orderList';
import type { SteadfastOptions } from './options';
import { readPrivacy } from './privacy/privacy';
import { signingOf } from './signing/signRequest';
import type { Started } from './started';
import type { Steadfast } from './steadfast';
import { connectTemporal } from './temporal/connectTemporal';
import { inSentences } from './temporal/inSentences';
import { checkLimit, withinLimit } from './waiting/limit';
import { StillRunningError, type Waiting } from './waiting/waiting';

/**
 * Connects to Temporal as the environment says (TEMPORAL_*, STEADFAST_*). Temporal has `timeoutMs`
 * for the connection (default 15 s), and for each call that waits for no order. Throws an
 * UnreachableError where it does not answer.
 */
export async function connectSteadfast({ timeoutMs }: Waiting = {}): Promise<Steadfast> {
  checkLimit(timeoutMs);
  const config = readTemporalConfig();
  const connection = await connectTemporal(config, timeoutMs);
  const { namespace } = config;
  const { dataConverter, isPrivate } = readPrivacy(namespace);
  const interceptors = { workflow: [traceStarts] };
  const client = new Client({ connection, namespace, dataConverter, interceptors });
  const signing = signingOf();
  const steadfast = createSteadfast({ ...config, client, isPrivate, signing, timeoutMs });
  return { ...steadfast, close: () => connection.close() };
}

/**
 * Creates the client of a backend: typed starts of every kind of order, on the backend's own
 * Temporal client. Where Temporal does not answer, each call throws a TemporalError.
 */
export function createSteadfast(options: SteadfastOptions): Steadfast {
  checkLimit(options.timeoutMs);
  return inSentences(bareClient(options), {
    place: placeOf(options.client),
    within: withinLimit(options),
  });
}

/** The address of a client's Temporal, as its connection tells it. */
function placeOf({ connection }: Client): string {
  const options = 'options' in connection ? connection.options : undefined;
  const address = isRecord(options) ? options.address : undefined;
  return typeof address === 'string' ? address : 'the address of its connection';
}

export type { DayRate, Exchange } from '../orders/exchange/exchange';
export type { CurrencyAmount, Exchanged } from '../orders/exchange/exchanged';
export type { LineResult, PayoutLine } from '../orders/payout';
// biome-ignore lint/performance/noBarrelFile: what a backend needs comes from one place.
export { traceStarts } from '../telemetry/traceStarts';
export { ConfigError } from '../variables';
export { type Signer, sshSigner } from '../writer/signing/sign';
export type { RequestSigning } from './options';
export type { OrderStatus } from './orderStatus';
export type { Lines } from './payout/parts';
export type { HandedOver } from './payouts';
export { OrderError } from './started';
export { TemporalError } from './temporal/inSentences';
export { UnreachableError } from './temporal/unreachableError';
export {
  BadOrderError,
  exchanged,
  type Finding,
  type ListedOrder,
  type Order,
  type OrderKind,
  type Plan,
  type ReadOrder,
  type Receipt,
  type Started,
  type Steadfast,
  type SteadfastOptions,
  StillRunningError,
  type Waiting,
};
