import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowFailedError } from '@temporalio/client';
import { BadOrderError } from '../../orders/input/read';
import type { KeptWithdrawal, Signed } from '../../orders/input/signed';
import { counted } from '../../orders/progress/doing';
import { signatureOf } from '../../writer/signing/signatureOf';
import { textOf, withdrawnLinesMax } from '../../writer/signing/statement';
import type { SteadfastOptions } from '../options';
import { datedAfter, stillCounting } from './stillCounting';

/** A withdrawal on its way to a writer, and the key that has signed it. */
type Withdrawal = { key: string; told: () => Promise<WithdrawalFate> };

/**
 * The fate of what was signed, as sentences. They are empty where nobody has signed it. It is kept
 * once a writer has verified the withdrawal.
 */
export type WithdrawalFate = {
  isKept: boolean;
  words: string;
  /** True where the workers have no policy, so that no signature matters. */
  isMoot?: boolean;
  /** The moment up to which it reaches, if a writer has kept it. */
  until?: string;
};

/** Writers answer within a second, if one is there. */
const answeredMs = 10_000;

/**
 * Withdraws all requests for an order that the key of this client has signed so far. Nothing is
 * read from Temporal for it. It reaches a writer also if the order is over, or was never started.
 * Some lines of a payout may be withdrawn alone. Undefined where the client signs nothing.
 */
export async function withdraw(
  { client, taskQueue, signing }: SteadfastOptions,
  order: string,
  lines?: readonly string[],
): Promise<Withdrawal | undefined> {
  if (signing === undefined) return undefined;
  const { sign, entity, blockchain } = signing;
  const { namespace } = client.options;
  const signedUntil = new Date().toISOString();
  const part = lines === undefined ? {} : { lines: [...lines] };
  const statement = { entity, blockchain, namespace, order, ...part, signedUntil };
  const signed = await sign(textOf(statement), 'rejection');
  type Workflow = (signed: Signed) => Promise<KeptWithdrawal | undefined>;
  const workflowId = `withdrawal:${order}:${randomUUID()}`;
  const run = await client.workflow.start<Workflow>('withdrawRequest', {
    workflowId,
    taskQueue,
    args: [signed],
    staticSummary: `withdraw what was signed for ${order}`,
  });
  // It may fail before anybody asks for its outcome.
  const kept = run.result().then(
    (answer): WithdrawalFate => toldOf(order, answer),
    (error: unknown): WithdrawalFate => ({ isKept: false, words: refusalOf(order, error) }),
  );
  const late = async (): Promise<WithdrawalFate> => {
    await sleep(answeredMs, undefined, { ref: false });
    const words = `No writer has kept the withdrawal of ${order} yet. It waits as ${workflowId}.`;
    return { isKept: false, words };
  };
  const told = async (): Promise<WithdrawalFate> => {
    const fate = await Promise.race([kept, late()]);
    if (lines === undefined) await passed(fate.until);
    return fate;
  };
  return { key: signatureOf(signed, 'rejection').publicKey, told };
}

/** Waits until a moment has passed here, so that what is signed from then on counts again. */
async function passed(until: string | undefined): Promise<void> {
  const ms = until === undefined ? 0 : Date.parse(until) - Date.now() + 1;
  if (ms > 0) await sleep(Math.min(ms, answeredMs));
}

function toldOf(order: string, kept: KeptWithdrawal | undefined): WithdrawalFate {
  if (kept === undefined) {
    const words = `Nothing is withdrawn for ${order}: the workers have no policy that asks for it.`;
    return { isKept: false, words, isMoot: true };
  }
  const { person, order: what, lines } = kept;
  const part = lines === undefined ? '' : `${counted(lines.length, 'line')} of `;
  const words =
    `What ${person} has signed for ${part}${what} is withdrawn: nothing that was not sent before ` +
    'is sent because of it.';
  return { isKept: true, words, until: kept.until };
}

function refusalOf(order: string, error: unknown): string {
  const cause = error instanceof WorkflowFailedError ? error.cause : error;
  const why = cause instanceof Error ? cause.message : String(cause);
  return `What was signed for ${order} is not withdrawn. ${why}`;
}

type TakingBack<Answer> = {
  /** The order or the schedule that was signed, by its whole id, or some of its lines. */
  order: string;
  lines?: readonly string[];
  /** The sentence for a caller without the key: how to withdraw it. */
  way: string;
  /** Reads the request that Temporal shows. It is told about, and decides nothing. */
  shown: () => Promise<unknown>;
  /** Has Temporal end it. Throws a BadOrderError if there is nothing to end. */
  ask: () => Promise<Answer>;
};

/** The answer, or why there is none, and the fate of the signature. */
type TakenBack<Answer> = WithdrawalFate & ({ answer: Answer } | { fault: BadOrderError });

/**
 * Withdraws what this client's key has signed, and then has Temporal end it. A stranger who
 * writes to Temporal can so prevent the second, and never the first.
 */
export async function takeBack<Answer>(
  options: SteadfastOptions,
  { order, lines, way, shown, ask }: TakingBack<Answer>,
): Promise<TakenBack<Answer>> {
  const withdrawals = await withdrawAll(options, order, lines);
  const request = await shown().catch(() => undefined);
  const asked = await ask().then((answer) => ({ answer }), faultIn);
  const told = await Promise.all(withdrawals.map((one) => one.told()));
  const [key] = withdrawals.map((one) => one.key);
  const until = lines === undefined ? told[0]?.until : undefined;
  const still = stillCounting(request, { key, way });
  const kept = datedAfter(request, { key, until, way }) ?? told.map((one) => one.words).join(' ');
  const words = `${kept} ${still ?? ''}`.trim();
  const isKept = told.length > 0 && told.every((one) => one.isKept);
  return { ...asked, isKept, words };
}

/** The withdrawal of an order, or those of some lines. None where this client has no key. */
async function withdrawAll(
  options: SteadfastOptions,
  order: string,
  lines: readonly string[] | undefined,
): Promise<Withdrawal[]> {
  const parts: (readonly string[] | undefined)[] = lines === undefined ? [undefined] : [];
  for (let at = 0; at < (lines?.length ?? 0); at += withdrawnLinesMax) {
    parts.push(lines?.slice(at, at + withdrawnLinesMax));
  }
  const all: Withdrawal[] = [];
  for (const part of parts) {
    const one = await withdraw(options, order, part);
    if (one !== undefined) all.push(one);
  }
  return all;
}

function faultIn(error: unknown): { fault: BadOrderError } {
  if (error instanceof BadOrderError) return { fault: error };
  throw error;
}
