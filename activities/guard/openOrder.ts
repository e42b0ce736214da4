import { ApplicationFailure, Context } from '@temporalio/activity';
import type { CustodyApi } from '../../src/custody/endpoints';
import type { CheckedLines } from '../../src/orders/input/checkedLines';
import { refusePartId, refuseUnnamable } from '../../src/orders/input/orderId';
import { BadOrderError } from '../../src/orders/input/read';
import type { Resolved, ResolvedIn } from '../../src/orders/kind';
import {
  kindOf,
  type OrderKind,
  type ReadOrder,
  readOrderOf,
  transactionsOf,
} from '../../src/orders/kinds';
import { fingerprintOf, moneyFields } from '../../src/orders/money';
import { dryPrefix, type Plan } from '../../src/orders/progress/plan';
import { beating } from '../beating';
import { type FailureFacts, refusing, stop } from '../failure';
import type { From } from '../resolve';
import { refuseArchived } from './archived';
import { type BatchingAccount, batchesFrom } from './batchesFrom';
import { checkTransfer } from './checkTransfer';
import {
  compareRuns,
  type EarlierRun,
  type EarlierRuns,
  isCompleted,
  maySettle,
  readEarlierRuns,
} from './earlierRuns';
import { estimateFirst, refuseWithoutCode } from './estimate';
import { type FirstLook, lookFirst } from './firstLook';
import { highest, type Memory } from './memory';
import { tellingPaid } from './paidBefore';
import { planOf } from './plan';
import { refuseOtherChain } from './refuseOtherChain';
import { type Ready, resolveOrder } from './resolveOrder';
import type { GuardSettings } from './settings';

/** An order that may be carried out: read, resolved, and compared with its earlier runs. */
export type OpenedOrder<Kind extends OrderKind> = ResolvedIn<ReadOrder<Kind>> & {
  order: ReadOrder<Kind>;
  blockchain: string;
  searchAttributes: boolean;
  /** True if search attributes leave the money out. */
  isPrivate?: boolean | undefined;
  keyLifetimeMs: number;
  lookupGraceMs: number;
  /** True if the chain is asked to confirm each final state. */
  checksReceipts: boolean;
  /** True if its receipts go to the archive. */
  archives?: boolean | undefined;
  /** True if a receiver is told of its end. */
  answers?: boolean | undefined;
  /**
   * The time by which the service tells of a transaction's end. The first poll waits for it. Unset:
   * this worker's orders were told of none lately.
   */
  noticeWithinMs?: number | undefined;
  /** The accounts that can pay many lines of a payout with one transaction here. */
  batchesFrom?: BatchingAccount[] | undefined;
  /** Kept in the memo. Every later run of the same id compares it. */
  memory: Memory;
  /** Result of an earlier run of this id that completed. Then nothing is sent. */
  completed?: unknown;
  /** Findings on the earlier runs of this id. */
  earlier: EarlierRuns;
  /** The checks of a strict transfer before it is paid. */
  checks?: CheckedLines | undefined;
  /** Set for a dry run: the writes that the order would make. */
  plan?: Plan | undefined;
  /**
   * The service's records of the first write. Every run of an order looks it up before it sends.
   */
  firstLook?: FirstLook | undefined;
};

/** Any order, as an unknown starter wrote it. */
type Opening = { kind: OrderKind; order: unknown };

/**
 * The guard of every workflow. It validates and normalises the order, resolves its names, and
 * compares it with earlier runs of the same workflow id. A wrong order fails at once, and the
 * failure names the field. The answer is in the history, so the rest is deterministic.
 */
export function openOrderActivity(custody: CustodyApi, settings: GuardSettings) {
  return async function openOrder(opening: Opening): Promise<OpenedOrder<OrderKind>> {
    try {
      return await beating(() => refusing(() => open(custody, settings, opening)));
    } catch (error) {
      const { searchAttributes } = settings;
      const told = answersOf(settings, Context.current().info.workflowExecution?.workflowId ?? '');
      throw withFacts(await tellingPaid(error), { searchAttributes, ...told });
    }
  };
}

/** True if the end of an order is told. A dry run has none. */
function answersOf({ answers }: GuardSettings, workflowId: string): { answers?: true } {
  return answers === true && !workflowId.startsWith(dryPrefix) ? { answers } : {};
}

async function open(
  custody: CustodyApi,
  settings: GuardSettings,
  opening: Opening,
): Promise<OpenedOrder<OrderKind>> {
  const { kind } = opening;
  const order = readOrderOf(kind, opening.order);
  const workflowId = idOf(order);
  refuseOtherId(order, workflowId);
  refuseOtherChain(settings, order);
  const runs = await readEarlierRuns(workflowId);
  try {
    return await openAfter(custody, settings, { kind, order, workflowId, runs });
  } catch (error) {
    throw withFacts(error, { sentBefore: runs.some(maySettle) });
  }
}

/** Opens an order whose earlier runs are known. */
async function openAfter(
  custody: CustodyApi,
  settings: GuardSettings,
  { kind, order, workflowId, runs }: Resolving,
): Promise<OpenedOrder<OrderKind>> {
  const { blockchain, chainRpcUrl } = settings;
  const named = await resolveNow({ custody, blockchain }, { kind, order, workflowId, runs });
  const writes = kindOf(kind).writes(order, named);
  const ready = { workflowId, kind, order, blockchain, writes, ...named };
  refuseGenerations(ready);
  const money = moneyFields({ kind, order, ...named });
  const memory: Memory = {
    fingerprint: fingerprintOf(money),
    money,
    baseUrl: settings.baseUrl,
    blockchain,
    generations: order.generations,
    ...('continued' in order && { continued: order.continued }),
  };
  const { completed, decided, ...earlier } = await compareRuns(memory, runs, order);
  if (runs.length === 0) await refuseArchived(custody, settings, { workflowId, memory });
  const firstLook = completed === undefined ? await lookFirst(settings.lookUps, ready) : undefined;
  const isFresh = completed === undefined && isFirst(earlier, firstLook);
  // An earlier write may be the reason why the order could not be sent now. So only a fresh order
  // is checked.
  if (isFresh) await refuseWithoutCode(ready, chainRpcUrl);
  const fee = isFresh ? await estimateFirst(custody, ready) : undefined;
  const checked = isFresh ? await checkTransfer(ready, settings) : undefined;
  const plan = order.dryRun
    ? await planOf(custody, { ...ready, fee, firstLook, completed, checked })
    : undefined;
  // A later attempt may be under way, though it does not show in the list yet.
  const generations = highest(order.generations, earlier.generations);
  const isPayout = kind === 'payout';
  return {
    order: { ...order, ...(isPayout ? decided : { generations }) },
    blockchain,
    searchAttributes: settings.searchAttributes,
    isPrivate: settings.isPrivate,
    keyLifetimeMs: settings.keyLifetimeMs,
    lookupGraceMs: settings.lookupGraceMs,
    checksReceipts: chainRpcUrl !== undefined,
    ...(settings.archive === undefined ? {} : { archives: true }),
    ...answersOf(settings, order.dryRun ? dryPrefix : workflowId),
    noticeWithinMs: settings.sense.withinMs(),
    ...named,
    batchesFrom: batchesFrom(order, { chainRpcUrl }),
    memory: { ...memory, ...(isPayout && decided), findings: earlier.findings },
    earlier,
    completed,
    firstLook,
    ...(checked && { checks: checked.checks }),
    plan,
  };
}

/**
 * Resolves an order. An order that cannot be resolved is refused, unless an earlier run of it may
 * have sent.
 */
async function resolveNow(
  from: From,
  { kind, order, workflowId, runs }: Resolving,
): Promise<Resolved> {
  try {
    refuseUnnamable(workflowId);
    refusePartId(workflowId);
    return await resolveOrder(from, kind, order);
  } catch (error) {
    if (!(error instanceof BadOrderError)) throw error;
    if (runs.some(isCompleted) || !runs.some(maySettle)) throw error;
    const sent = 'An earlier run of this id may have sent, so it is not refused.';
    throw stop('NeedsOperator', `${error.message} ${sent}`);
  }
}

type Resolving = Pick<Ready, 'kind' | 'order' | 'workflowId'> & { runs: readonly EarlierRun[] };

/** True if no earlier run of the order can have sent anything. */
function isFirst({ others, writes }: EarlierRuns, firstLook: FirstLook | undefined): boolean {
  const traces = firstLook?.found.traces ?? [];
  return others === 'clean' && Object.keys(writes).length + traces.length === 0;
}

/**
 * The id of the order itself. A dry run has an id of its own, so that it never counts as the order.
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

/** A payout's keys follow from its workflow id. Two ids would pay every line twice. */
function refuseOtherId(order: ReadOrder<OrderKind>, workflowId: string): void {
  if (!('payoutId' in order)) return;
  const own = `payout:${order.payoutId}`;
  const scope = workflowId.slice(0, -own.length);
  if (workflowId.endsWith(own) && /^([\w.-]+:)?$/.test(scope)) return;
  throw new BadOrderError(
    `payoutId: the workflow of "${order.payoutId}" has the id ${own}, and this one is ${workflowId}.`,
  );
}

/** Only a transaction can end without effect and be retried under a new key. */
function refuseGenerations({ kind, order, writes }: Ready): void {
  const known = transactionsOf(kind, writes);
  const [form = ''] = kindOf(kind).manyWrites?.split('<') ?? [];
  const isKnown = (path: string): boolean =>
    form === '' ? known.includes(path) : path.startsWith(form);
  const wrong = Object.keys(order.generations).find((path) => !isKnown(path));
  if (wrong === undefined) return;
  const several = known.length > 4 ? `${known[0]} to ${known.at(-1)}` : known.join(', ');
  const which = known.length === 0 ? 'has none' : `has ${several}`;
  throw new BadOrderError(
    `generations.${wrong}: is no transaction of this order, which ${which}. Leave it out.`,
  );
}

/** Tells a workflow whose guard fails what the guard knows: if it can be shown, and be given up. */
function withFacts(error: unknown, told: Partial<FailureFacts>): unknown {
  const facts = error instanceof ApplicationFailure ? error.details?.[0] : undefined;
  if (typeof facts === 'object' && facts !== null) Object.assign(facts, told);
  return error;
}
