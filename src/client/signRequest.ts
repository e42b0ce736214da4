import { readSigning } from '../authority/config';
import { sshSigner } from '../authority/sign';
import {
  readRequest,
  requestFor,
  type SignedLines,
  type SignedPeriods,
  signedLinesOf,
  textOf,
} from '../authority/statement';
import type { Signed } from '../orders/input/signed';
import { type Order, type OrderKind, type ReadOrder, readOrderOf } from '../orders/kinds';
import type { RequestSigning, SteadfastOptions } from './options';

const hoursUsual = 24;
const hourMs = 3_600_000;

/** The signing that the environment asks for (STEADFAST_SIGN_KEY), if it does. */
export function signingOf(env?: NodeJS.ProcessEnv): RequestSigning | undefined {
  const config = readSigning(env);
  return config && { ...config, sign: sshSigner(config.keyPath) };
}

type Requested = {
  kind: OrderKind;
  workflowId: string;
  order: ReadOrder<OrderKind>;
  /** Of a payout whose lines are handed over part by part. */
  lines?: SignedLines | undefined;
  /** Of a schedule. */
  periods?: SignedPeriods;
  /** After this moment nothing new is sent because of it. Default: after the hours of the signing. */
  expires?: Date;
};

/** The request of an order, signed as the client was told to. Undefined where it signs nothing. */
export async function signRequest(
  { client, signing }: SteadfastOptions,
  requested: Requested,
): Promise<Signed | undefined> {
  if (signing === undefined) return undefined;
  const { sign, entity, blockchain, hours = hoursUsual } = signing;
  const { expires = new Date(Date.now() + hours * hourMs) } = requested;
  const { namespace } = client.options;
  const lines = requested.lines ?? linesOf(requested.order);
  const statement = requestFor({ ...requested, lines, entity, blockchain, namespace, expires });
  return sign(textOf(statement), 'request');
}

/** An order with its request, or as it was where the client signs nothing. */
export async function signOrder<Kind extends OrderKind>(
  options: SteadfastOptions,
  asked: Omit<Requested, 'order' | 'kind'> & { kind: Kind; order: Order<Kind> },
): Promise<Order<Kind>> {
  const { kind, order } = asked;
  const request = await signRequest(options, { ...asked, order: readOrderOf(kind, order) });
  return request === undefined ? order : { ...order, request };
}

/** The lines in an order itself, or those that an earlier request of it named. */
function linesOf(order: ReadOrder<OrderKind>): SignedLines | undefined {
  if (!('payoutId' in order)) return undefined;
  if (order.lines !== undefined) return signedLinesOf(order.lines);
  return order.request && readRequest(order.request.statement).lines;
}
