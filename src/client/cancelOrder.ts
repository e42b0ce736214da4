import { withdrawnLinesMax } from '../authority/statement';
import { BadOrderError } from '../orders/input/read';
import { orderOf } from './closedRun';
import type { SteadfastOptions } from './options';
import { stillCounting, wayToWithdraw } from './stillCounting';
import { withdraw } from './withdrawal';

/** The outcome of a cancellation. */
export type Cancelled = {
  /** True if the order was asked to stop. False if only its request was withdrawn. */
  isAsked: boolean;
  /** The fate of the request, as sentences. Empty where nobody has signed the order. */
  words: string;
};

type Cancelling = {
  /** The id as the caller names it, and the workflow id of the order. */
  id: string;
  workflowId: string;
  /** Asks the order itself. Throws a BadOrderError if it is not under way. */
  ask: () => Promise<unknown>;
};

/**
 * Cancels an order, and withdraws its request where this client has the key. Otherwise it tells how
 * long the request still counts, since whoever reads it in Temporal can have it sent. An order that
 * is not under way is no fault if its request was withdrawn.
 */
export async function cancelOrder(
  options: SteadfastOptions,
  { id, workflowId, ask }: Cancelling,
): Promise<Cancelled> {
  const withdrawal = await withdraw(options, workflowId);
  const fault = await ask().then(() => undefined, faultIn);
  const told = await withdrawal?.told();
  const request = await requestIn(options.client, workflowId);
  const still = stillCounting(request, { key: withdrawal?.key, way: wayToWithdraw(id) });
  const words = [told?.words, still].filter((one) => one !== undefined).join(' ');
  if (fault === undefined) return { isAsked: true, words };
  const all = `${fault.message} ${words}`.trim();
  if (told?.isKept) return { isAsked: false, words: all.replace(/^id: /, '') };
  throw new BadOrderError(all);
}

type Skipping = {
  workflowId: string;
  lineIds: readonly string[];
  /** Asks the payout itself. Throws a BadOrderError if it does not skip them. */
  ask: () => Promise<string>;
};

/**
 * Skips lines of a payout, and withdraws what was signed for them where this client has the key.
 * Returns what was done, and the fate of the signature.
 */
export async function skipLines(
  options: SteadfastOptions,
  { workflowId, lineIds, ask }: Skipping,
): Promise<string> {
  const answer = await ask().catch((error: unknown) => faultIn(error));
  const words: (string | undefined)[] = [];
  let key: string | undefined;
  for (let at = 0; at < lineIds.length; at += withdrawnLinesMax) {
    const some = lineIds.slice(at, at + withdrawnLinesMax);
    const withdrawal = await withdraw(options, workflowId, some);
    words.push((await withdrawal?.told())?.words);
    key = withdrawal?.key;
  }
  const request = await requestIn(options.client, workflowId);
  words.push(stillCounting(request, { key, way: 'skip these lines once more.' }));
  const said = words.filter((one) => one !== undefined).join(' ');
  if (typeof answer === 'string') return `${answer} ${said}`.trim();
  throw new BadOrderError(`${answer.message} ${said}`.trim());
}

function faultIn(error: unknown): BadOrderError {
  if (error instanceof BadOrderError) return error;
  throw error;
}

/** The request in the newest run of an order, as Temporal shows it. Nothing is decided by it. */
async function requestIn(client: SteadfastOptions['client'], workflowId: string): Promise<unknown> {
  try {
    const { runId } = await client.workflow.getHandle(workflowId).describe();
    return (await orderOf(client, { workflowId, runId })).request;
  } catch {
    return undefined;
  }
}
