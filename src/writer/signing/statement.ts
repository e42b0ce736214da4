import { z } from 'zod';
import { canonicalJson } from '../../custody/canonicalJson';
import { jsonIn } from '../../custody/isRecord';
import { BadOrderError, readOrder } from '../../orders/input/read';
import { isKind, type OrderKind, type ReadOrder } from '../../orders/kinds';
import { moneyFields } from '../../orders/money';
import { periodAt } from '../../orders/schedule/period';
import { rhythm } from '../../orders/schedule/rhythm';
import { refuseAboveMost, type SignedLines, signedLines } from './signedLines';

/** The parts that a person can have, and the SSH signature namespace of each. */
export const purposes = {
  request: 'steadfast-request',
  approval: 'steadfast-approval',
  rejection: 'steadfast-rejection',
  finding: 'steadfast-finding',
} as const;
export type Purpose = keyof typeof purposes;

const word = z.string().min(1).max(1_000);

/** Periods that one request of a schedule names at most. Each write carries all of them. */
export const periodsMax = 100;

/**
 * The coming periods of a schedule, by their times: one order for each of them, once its time has
 * come. The rhythm is signed too, so that its signer knows later where the times are from.
 */
const periods = z.strictObject({
  template: word,
  timeZone: word,
  rhythm,
  times: z.array(z.iso.datetime()).min(1).max(periodsMax),
});
export type SignedPeriods = z.output<typeof periods>;

/**
 * The one period that an order is of, if it was signed instead of its schedule's own. The order is
 * sent from that moment on, and a withdrawal of the schedule reaches it.
 */
const period = z.strictObject({
  /** The name under which the schedule is withdrawn, such as "schedule:rent". */
  schedule: word,
  begins: z.iso.datetime(),
});
export type SignedPeriod = z.output<typeof period>;

/** The moment at which each of these periods begins, by its name. */
export function beginsOf({ template, timeZone, times }: SignedPeriods): Map<string, number> {
  const moments = times.map((time) => Date.parse(time));
  return new Map(moments.map((atMs) => [periodAt(template, atMs, timeZone), atMs]));
}

const place = {
  /** The account at the service. */
  entity: word,
  blockchain: word,
  /** The namespace of Temporal. */
  namespace: word,
  /** The key scope, and the workflow id of the order, or of a schedule before the period. */
  order: word,
};

const requested = {
  ...place,
  kind: z.string().refine(isKind, { error: 'is no kind of order' }),
  /** The fields of the order that decide which money goes where. */
  money: z.record(z.string(), z.json()),
  /** Payouts have this field, and nothing else has it. */
  lines: signedLines.optional(),
  /** The last moment at which the order itself is to be sent, if it has one. UTC. */
  validUntil: z.iso.datetime().optional(),
  /** After this moment nothing new is sent because of it. UTC. */
  expires: z.iso.datetime(),
};

/** One write as the process that signs has understood it. Amounts are in the token's units. */
const understood = z.strictObject({
  /** "<step>/<item>#<generation>". */
  target: word,
  /** The id of the paying wallet. Empty where none pays. */
  wallet: z.string(),
  effects: z.array(z.record(z.string(), z.json())).max(1_000),
});

const request = z
  .strictObject({
    ...requested,
    periods: periods.optional(),
    period: period.optional(),
    /** When it was signed, by the signer's clock. A withdrawal is of all that was signed before. */
    signedAt: z.iso.datetime(),
  })
  .superRefine(checkLines);
const approval = z
  .strictObject({ ...requested, ledger: word, write: understood })
  .superRefine(checkLines);

/** Adds the fault of lines beside another order, which people would approve in its place. */
function checkLines(
  { kind, lines }: { kind: OrderKind; lines?: SignedLines | undefined },
  context: z.RefinementCtx,
): void {
  if ((kind === 'payout') === (lines !== undefined)) return;
  const message = 'must name all lines of a payout, and stand in no other statement';
  context.addIssue({ code: 'custom', path: ['lines'], message });
}

/** The finding of an operator about a write of which nobody knows the end. */
const finding = z.strictObject({
  ledger: word,
  order: word,
  /** "<step>/<item>#<generation>". */
  target: word,
  found: z.literal('no effect'),
  /** The moment of its first attempt, in UTC, and the number of all attempts. */
  firstAttempt: z.iso.datetime(),
  attempts: word,
});

/** Lines that one withdrawal names at most. */
export const withdrawnLinesMax = 1_000;

/**
 * A signer withdraws all that they have signed for an order, up to a moment in UTC. It may be for
 * some lines of a payout alone.
 */
const withdrawal = z.strictObject({
  ...place,
  lines: z.array(word).min(1).max(withdrawnLinesMax).optional(),
  signedUntil: z.iso.datetime(),
});

/** The text of an operator: a write had no effect, and its part of the windows is free. */
export type FindingStatement = z.output<typeof finding>;
/** The text of a requester: the whole order, for one account, one namespace and one id. */
export type RequestStatement = z.output<typeof request>;
/** The text of an approver: the request, the write in question, and the ledger it counts in. */
export type ApprovalStatement = z.output<typeof approval>;
/** The text of a requester who withdraws requests. It is signed for the purpose "rejection". */
export type WithdrawalStatement = z.output<typeof withdrawal>;

type Statement = RequestStatement | ApprovalStatement | WithdrawalStatement | FindingStatement;

/** A statement in the one form in which it is signed: canonical JSON (RFC 8785). */
export function textOf(statement: Statement): string {
  return canonicalJson(statement);
}

/** The statement that a requester signs for an order. A payout's names its lines as well. */
export function requestFor(asked: {
  entity: string;
  blockchain: string;
  namespace: string;
  workflowId: string;
  kind: OrderKind;
  order: ReadOrder<OrderKind>;
  lines?: SignedLines | undefined;
  /** The periods of a schedule, whose orders differ in their ids alone. */
  periods?: SignedPeriods | undefined;
  /** The one period that the order is of, if its schedule has another order. */
  period?: SignedPeriod | undefined;
  expires: Date;
  /** The default is now. */
  signedAt?: Date;
}): RequestStatement {
  const { workflowId: order, expires, order: read, signedAt = new Date(), ...others } = asked;
  refuseAboveMost(read, asked.lines);
  const { payoutId, ...common } = moneyIn(asked.kind, read);
  const isOne = asked.periods === undefined && payoutId !== undefined;
  const money = { ...common, ...(isOne && { payoutId }) };
  const validity = validityOf(read);
  const [ends] = [expires.toISOString(), ...Object.values(validity)].sort();
  return readOrder(request, {
    ...others,
    order,
    money,
    ...validity,
    expires: ends,
    signedAt: signedAt.toISOString(),
  });
}

/** The last moment at which an order is to be sent, as it stands in a statement. */
export function validityOf({ validUntil }: Pick<ReadOrder<OrderKind>, 'validUntil'>) {
  return validUntil === undefined ? {} : { validUntil: new Date(validUntil).toISOString() };
}

/** The fields of an order that are signed, as they stand in a statement. */
export function moneyIn(kind: OrderKind, order: ReadOrder<OrderKind>): Record<string, unknown> {
  const { kind: _, ...money } = moneyFields({ kind, order });
  // A payout's lines are signed by the root of their tree, and its wallets in full.
  const whole = 'payoutId' in order ? { lines: undefined, wallets: order.wallets } : {};
  return JSON.parse(JSON.stringify({ ...money, ...whole }));
}

/**
 * Reads a request. Only its own canonical form is accepted, so that nobody signs one text and means
 * another. Throws a BadOrderError for anything else.
 */
export function readRequest(text: string): RequestStatement {
  return canonical(text, readOrder(request, jsonIn(text)));
}

/** Reads an approval or a rejection. Throws a BadOrderError for any but its own canonical form. */
export function readApproval(text: string): ApprovalStatement {
  return canonical(text, readOrder(approval, jsonIn(text)));
}

/** Reads a withdrawal. Throws a BadOrderError for any but its own canonical form. */
export function readWithdrawal(text: string): WithdrawalStatement {
  return canonical(text, readOrder(withdrawal, jsonIn(text)));
}

function canonical<Read extends Statement>(text: string, read: Read): Read {
  if (textOf(read) === text) return read;
  throw new BadOrderError('The statement is not in its canonical form (RFC 8785). Sign that one.');
}
