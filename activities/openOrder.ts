import { ApplicationFailure, Context } from '@temporalio/activity';
import { type Blockchain, blockchains } from '../src/custody/blockchain';
import type { CustodyApi } from '../src/custody/endpoints';
import {
  attempted,
  isAttempted,
  type OrderKind,
  orderSchemas,
  type ReadOrder,
} from '../src/orders/kinds';
import { fingerprintOf, moneyOf } from '../src/orders/money';
import { refuseUnnamable } from '../src/orders/orderId';
import { dryPrefix, type Plan } from '../src/orders/plan';
import { BadOrderError, readOrder } from '../src/orders/read';
import type { FailureFacts, FailureType } from './attempt';
import { refuseWithoutCode } from './code';
import { type EarlierRuns, type Memory, readEarlierRuns, sentBefore } from './earlierRuns';
import { estimateFirst } from './estimate';
import { type FirstLook, lookFirst } from './firstLook';
import { planOf } from './plan';
import type { From } from './resolve';
import { type Resolved, resolveOrder } from './resolveOrder';

export type OrderSettings = {
  baseUrl: string;
  blockchain: string;
  /** False where the namespace lacks our search attributes: workflows then run without. */
  searchAttributes: boolean;
  /** Whether payloads are encrypted: what search attributes would tell of them is left out. */
  isPrivate?: boolean;
  keyLifetimeMs: number;
  /** How long a write that may have been taken is looked for before somebody is asked. */
  lookupGraceMs: number;
  /** Where receipts are read; without it the service's word is taken. */
  chainRpcUrl: string | undefined;
};

/** An order that may be carried out: read, resolved, and held against its earlier runs. */
export type OpenedOrder<Kind extends OrderKind> = Resolved & {
  order: ReadOrder<Kind>;
  blockchain: string;
  /** Addresses that are one money with the native coin. */
  nativeTwins: readonly string[];
  searchAttributes: boolean;
  /** Then search attributes tell nothing of the money. */
  isPrivate?: boolean;
  keyLifetimeMs: number;
  lookupGraceMs: number;
  /** Whether the service's final word is held against the chain. */
  checksReceipts: boolean;
  /** Kept in the memo, and compared by any later run of the same id. */
  memory: Memory;
  /** Set when an earlier run of this id has completed: this is its result, and nothing moves. */
  completed?: unknown;
  /** What earlier runs of this id have done, as far as they say. */
  earlier: Omit<EarlierRuns, 'completed'>;
  /** Set for a dry run: what the order would do, and nothing of it is done. */
  plan?: Plan;
  /** What the service's list shows of the first write: every run of an order looks before it sends. */
  firstLook?: FirstLook;
};

/** Well within the time after which Temporal gives a silent guard to another worker. */
const heartbeatMs = 4_000;

const completedBefore =
  'But an earlier run of this id has completed: what it moved has been moved, and its receipt stands.';

/** Any order, as an unknown starter wrote it. */
export type Opening = { kind: OrderKind; order: unknown };

/**
 * The guard of every workflow: validates and normalises the order, resolves what it names, and
 * holds it against earlier runs of the same workflow id. What it answers is in the history, so all
 * that follows is deterministic. A wrong order fails at once, with the field named.
 */
export function openOrderActivity(custody: CustodyApi, settings: OrderSettings) {
  return async function openOrder(opening: Opening): Promise<OpenedOrder<OrderKind>> {
    const context = Context.current();
    const beat = setInterval(() => context.heartbeat(), heartbeatMs);
    try {
      return await open(custody, settings, opening);
    } catch (error) {
      if (error instanceof BadOrderError) throw refused(error.message, settings);
      throw withSearchAttributes(error, settings);
    } finally {
      clearInterval(beat);
    }
  };
}

async function open(
  custody: CustodyApi,
  settings: OrderSettings,
  opening: Opening,
): Promise<OpenedOrder<OrderKind>> {
  const { kind } = opening;
  const order = readOrder(orderSchemas[kind], opening.order);
  const workflowId = idOf(order);
  refuseOtherId(order, workflowId);
  const chain = chainOf(settings);
  refuseGenerations(kind, order);
  const { blockchain } = settings;
  const named = await resolveNow({ custody, blockchain }, order, workflowId);
  const money = moneyOf({ kind, order, ...named });
  const memory: Memory = {
    fingerprint: fingerprintOf(money),
    money,
    baseUrl: settings.baseUrl,
    blockchain,
    generations: order.generations,
  };
  const { completed, ...earlier } = await readEarlierRuns(memory, workflowId);
  const ready = { workflowId, kind, order, blockchain, ...named };
  const firstLook = completed === undefined ? await lookFirst(custody, ready) : undefined;
  const isFresh = completed === undefined && isFirst(earlier, firstLook);
  // What was sent before may be why it could not be sent now, so only a fresh order is held to it.
  if (isFresh) await refuseWithoutCode(order, settings);
  const fee = isFresh ? await estimateFirst(custody, ready) : undefined;
  const plan = order.dryRun
    ? await planOf(custody, { ...ready, fee, firstLook, completed })
    : undefined;
  return {
    order,
    blockchain,
    nativeTwins: chain.nativeTwins,
    searchAttributes: settings.searchAttributes,
    ...(settings.isPrivate === true ? { isPrivate: true } : {}),
    keyLifetimeMs: settings.keyLifetimeMs,
    lookupGraceMs: settings.lookupGraceMs,
    checksReceipts: settings.chainRpcUrl !== undefined,
    ...named,
    memory,
    earlier,
    ...(completed === undefined ? {} : { completed }),
    ...(firstLook === undefined ? {} : { firstLook }),
    ...(plan === undefined ? {} : { plan }),
  };
}

/** Resolves an order; that it cannot be now says nothing of what an earlier run has sent. */
async function resolveNow(
  from: From,
  order: ReadOrder<OrderKind>,
  workflowId: string,
): Promise<Resolved> {
  try {
    refuseUnnamable(workflowId);
    return await resolveOrder(from, order);
  } catch (error) {
    if (!(error instanceof BadOrderError)) throw error;
    const sent = await sentBefore(workflowId);
    if (sent === undefined) throw error;
    if (sent === 'completed') throw new BadOrderError(`${error.message} ${completedBefore}`);
    throw ApplicationFailure.create({
      message: `${error.message} An earlier run of this id may have sent, so it is not refused.`,
      type: 'NeedsOperator' satisfies FailureType,
      nonRetryable: true,
      details: [{ ambiguous: true } satisfies FailureFacts],
    });
  }
}

/** Whether nothing of an order can have been sent by any earlier run of it. */
function isFirst({ others, writes }: EarlierRuns, firstLook: FirstLook | undefined): boolean {
  const traces = firstLook?.found.traces ?? [];
  return others === 'clean' && Object.keys(writes).length + traces.length === 0;
}

/**
 * The id that the order itself has, or would have: a dry run has one of its own, so that it is
 * never taken for the order.
 */
function idOf({ dryRun = false }: ReadOrder<OrderKind>): string {
  const { workflowId = '' } = Context.current().info.workflowExecution ?? {};
  const isDry = workflowId.startsWith(dryPrefix);
  if (isDry === dryRun) return isDry ? workflowId.slice(dryPrefix.length) : workflowId;
  throw new BadOrderError(
    isDry
      ? `dryRun: is missing, but the id ${workflowId} is that of a dry run. Use another id.`
      : `dryRun: a dry run of ${workflowId} has the id ${dryPrefix}${workflowId}.`,
  );
}

/** The keys of a payout follow from its workflow's id: under two ids all would be paid twice. */
function refuseOtherId(order: ReadOrder<OrderKind>, workflowId: string): void {
  if (!('payoutId' in order)) return;
  const own = `payout:${order.payoutId}`;
  const scope = workflowId.slice(0, -own.length);
  if (workflowId.endsWith(own) && /^([\w.-]+:)?$/.test(scope)) return;
  throw new BadOrderError(
    `payoutId: the workflow of "${order.payoutId}" has the id ${own}, and this one is ${workflowId}.`,
  );
}

function chainOf(settings: OrderSettings): Blockchain {
  const chain = blockchains[settings.blockchain];
  if (chain !== undefined) return chain;
  const known = Object.keys(blockchains).join(', ');
  throw new BadOrderError(
    `CUSTODY_BLOCKCHAIN: "${settings.blockchain}" is not known. Known: ${known}.`,
  );
}

/** Only what is a transaction can end without effect, and be attempted anew. */
function refuseGenerations(kind: OrderKind, { generations }: ReadOrder<OrderKind>): void {
  const known = attempted[kind];
  const wrong = Object.keys(generations).find((path) => !isAttempted(kind, path));
  if (wrong === undefined) return;
  const several = known.length > 4 ? `${known[0]} to ${known.at(-1)}` : known.join(', ');
  const which = known.length === 0 ? 'has none' : `has ${several}`;
  throw new BadOrderError(
    `generations.${wrong}: is no transaction of this order, which ${which}. Leave it out.`,
  );
}

/** Where the guard stands still, it says how that can be shown, since nothing else has yet. */
function withSearchAttributes(error: unknown, { searchAttributes }: OrderSettings): unknown {
  const facts = error instanceof ApplicationFailure ? error.details?.[0] : undefined;
  if (typeof facts === 'object' && facts !== null) Object.assign(facts, { searchAttributes });
  return error;
}

function refused(message: string, settings: OrderSettings): ApplicationFailure {
  const { searchAttributes } = settings;
  return ApplicationFailure.create({
    message,
    type: 'Refused' satisfies FailureType,
    nonRetryable: true,
    details: [{ ambiguous: false, searchAttributes } satisfies FailureFacts],
  });
}
