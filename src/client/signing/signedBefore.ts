import { canonicalJson } from '../../custody/canonicalJson';
import { BadOrderError } from '../../orders/input/read';
import { type Signed, signedStatement } from '../../orders/input/signed';
import { type Order, type OrderKind, type ReadOrder, readOrderOf } from '../../orders/kinds';
import { signatureOf } from '../../writer/signing/signatureOf';
import { SignatureError } from '../../writer/signing/sshSignature';
import {
  beginsOf,
  type RequestStatement,
  readRequest,
  textOf,
} from '../../writer/signing/statement';
import type { RequestSigning, SteadfastOptions } from '../options';
import { statementOf } from './signRequest';
import { wayToWithdraw } from './wayToWithdraw';

/** A request whose signature fits its statement, and the key that has made it. */
export type SignedBefore = {
  statement: RequestStatement;
  key: string;
  /** The address of the console where a passkey has made it. Undefined for an SSH key. */
  console?: string;
};

/** Reads a request as Temporal shows it. Undefined if its signature does not fit, or if it is none. */
export function signedBefore(given: unknown): SignedBefore | undefined {
  const request = signedStatement.safeParse(given);
  if (!request.success) return undefined;
  try {
    const { publicKey: key, assertion } = signatureOf(request.data, 'request');
    const page = assertion && { console: assertion.origin };
    return { statement: readRequest(request.data.statement), key, ...page };
  } catch (error) {
    if (error instanceof SignatureError || error instanceof BadOrderError) return undefined;
    throw error;
  }
}

/**
 * Signs a statement again. Undefined unless this key has signed the same one before, in all but its
 * expiry, its moment and the times of its periods. Temporal may show any order, so nothing else is
 * signed.
 */
export async function signAgain(
  { sign }: RequestSigning,
  before: SignedBefore,
  statement: RequestStatement,
): Promise<Signed | undefined> {
  if (!isSameInAll(before, statement)) return undefined;
  const signed = await sign(textOf(statement), 'request');
  return signatureOf(signed, 'request').publicKey === before.key ? signed : undefined;
}

/** True for the statement of a request, but for its expiry, its moment and the times of its periods. */
export function isSameInAll(
  { statement: earlier }: Pick<SignedBefore, 'statement'>,
  statement: RequestStatement,
) {
  return lastingPart(earlier) === lastingPart(statement);
}

/** The part of a statement that is the same each time it is signed. */
function lastingPart({ periods, expires: _, signedAt: __, ...others }: RequestStatement): string {
  return canonicalJson({ ...others, periods: { ...periods, times: [] } });
}

type Again<Kind extends OrderKind> = { kind: Kind; workflowId: string; order: Order<Kind> };

/**
 * The order of Temporal with a request that counts again, or as it is where the client signs
 * nothing. The request of a schedule stays, since it is for other periods as well. Throws a
 * BadOrderError for an order that the key of this client has not signed before.
 */
export async function signOrderAgain<Kind extends OrderKind>(
  options: SteadfastOptions,
  asked: Again<Kind>,
): Promise<Order<Kind>> {
  const { signing } = options;
  if (signing === undefined) return asked.order;
  const { kind, workflowId } = asked;
  const order = readOrderOf(kind, asked.order);
  const before = signedBefore(order.request);
  if (before !== undefined && isOfPeriod(before.statement, workflowId)) {
    const { expires } = before.statement;
    if (Date.parse(expires) > Date.now()) return asked.order;
    throw notSigned(workflowId, order, `The request of its schedule has expired at ${expires}.`);
  }
  if (before?.statement.kind === kind) {
    const { lines, period } = before.statement;
    const again = { kind, workflowId, order, lines, period };
    const statement = statementOf({ ...options, signing }, again);
    const request = await signAgain(signing, before, statement);
    if (request !== undefined) return { ...asked.order, request };
  }
  const why = 'Its order is not one that this key has signed before.';
  throw notSigned(workflowId, order, why);
}

/** True for the order of a period that the request of a schedule names. */
function isOfPeriod({ order, periods }: RequestStatement, workflowId: string): boolean {
  if (periods === undefined) return false;
  return [...beginsOf(periods).keys()].some((name) => workflowId === `${order}:${name}`);
}

/** A payout that is completed starts again only by a retry, so it has another way out. */
function notSigned(workflowId: string, order: ReadOrder<OrderKind>, why: string): BadOrderError {
  const way =
    'payoutId' in order
      ? 'Retry it with the key that has signed it. What was signed can still be sent. Before ' +
        'its failed lines are paid in another payout, its signer withdraws that, with ' +
        `STEADFAST_SIGN_KEY: ${wayToWithdraw(workflowId)}`
      : 'Start it again from your own order, with "generations": ' +
        `${JSON.stringify(order.generations)}.`;
  return new BadOrderError(`id: ${workflowId} is not signed again. ${why} ${way}`);
}
