import { BadOrderError } from '../orders/input/read';
import { orderOfRun } from './closedRun';
import type { SteadfastOptions } from './options';
import { wayToWithdraw } from './signing/wayToWithdraw';
import { takeBack } from './signing/withdrawal';

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
  const shown = () => requestIn(options.client, workflowId);
  const asking = { order: workflowId, way: wayToWithdraw(id), shown, ask };
  const { isKept, words, ...asked } = await takeBack(options, asking);
  if ('answer' in asked) return { isAsked: true, words };
  const all = `${asked.fault.message} ${words}`.trim();
  if (isKept) return { isAsked: false, words: all.replace(/^id: /, '') };
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
  const shown = () => requestIn(options.client, workflowId);
  const way = 'skip these lines once more.';
  const asking = { order: workflowId, lines: lineIds, way, shown, ask };
  const { words, ...asked } = await takeBack(options, asking);
  if ('answer' in asked) return `${asked.answer} ${words}`.trim();
  throw new BadOrderError(`${asked.fault.message} ${words}`.trim());
}

/** The request in the newest run of an order, as Temporal shows it. */
async function requestIn(client: SteadfastOptions['client'], workflowId: string): Promise<unknown> {
  const { runId } = await client.workflow.getHandle(workflowId).describe();
  return (await orderOfRun(client, { workflowId, runId })).request;
}
