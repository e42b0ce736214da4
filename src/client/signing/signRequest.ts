import { type Order, type OrderKind, type ReadOrder, readOrderOf } from '../../orders/kinds';
import { readSigning } from '../../writer/signing/config';
import { sshSigner } from '../../writer/signing/sign';
import { type SignedLines, signedLinesOf } from '../../writer/signing/signedLines';
import {
  type RequestStatement,
  requestFor,
  type SignedPeriod,
  type SignedPeriods,
  textOf,
} from '../../writer/signing/statement';
import type { RequestSigning, SteadfastOptions } from '../options';

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
  /** The lines of a payout that are handed over part by part. */
  lines?: SignedLines | undefined;
  /** The periods of a schedule. */
  periods?: SignedPeriods;
  /** The one period that the order is of, if its schedule has another order. */
  period?: SignedPeriod | undefined;
  /**
   * After this moment nothing new is sent because of it, or after that of the order if it comes
   * before. Default: after the hours of the signing.
   */
  expires?: Date;
};

/** The statement of an order, for the account and the namespace that the client signs for. */
export function statementOf(
  { client, signing }: Pick<SteadfastOptions, 'client'> & { signing: RequestSigning },
  requested: Requested,
): RequestStatement {
  const { entity, blockchain, hours = hoursUsual } = signing;
  const { expires = new Date(Date.now() + hours * hourMs) } = requested;
  const { namespace } = client.options;
  const lines = requested.lines ?? linesOf(requested.order);
  return requestFor({ ...requested, lines, entity, blockchain, namespace, expires });
}

/** An order with its request, or as it was where the client signs nothing. */
export async function signOrder<Kind extends OrderKind>(
  options: SteadfastOptions,
  asked: Omit<Requested, 'order' | 'kind'> & { kind: Kind; order: Order<Kind> },
): Promise<Order<Kind>> {
  const { kind, order } = asked;
  const { signing } = options;
  if (signing === undefined) return order;
  const read = readOrderOf(kind, order);
  const statement = statementOf({ ...options, signing }, { ...asked, order: read });
  return { ...order, request: await signing.sign(textOf(statement), 'request') };
}

/** The lines in an order itself. */
function linesOf(order: ReadOrder<OrderKind>): SignedLines | undefined {
  if (!('payoutId' in order) || order.lines === undefined) return undefined;
  return signedLinesOf(order.lines, order);
}
