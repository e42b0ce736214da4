import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { BadOrderError, OrderError, type Steadfast } from '../../src/client/client';
import type { LineResult } from '../../src/orders/payout';
import type { Errand } from './errand';
import { amountOf, baseUnitsOf, type Cast, type SoakOrder } from './order';

/** The end of a payment, from its workflow. */
export type End =
  | { outcome: 'completed'; transactionId: string; txHash: string; told: Told }
  | { outcome: OrderError['outcome'] | 'bad' | 'partly'; reason: string };

/** The transfer in a receipt. */
export type Told = { to: string; amount: string };

/** The ends of an errand's payments, in the same order. */
export type Ends = readonly End[];

export type Office = { client: Client; steadfast: Steadfast; cast: Cast };

const retryMs = 500;

/** As a backend does it: starts until Temporal has the order, and waits however long it takes. */
export async function carryOut(office: Office, errand: Errand): Promise<Ends> {
  for (;;) {
    try {
      return await startAndWait(office, errand);
    } catch (error) {
      const outcome = outcomeOf(error);
      const reason = error instanceof Error ? error.message : String(error);
      // Somebody has ended it from outside, or Temporal is away or knows less than before.
      if (outcome === undefined || outcome === 'terminated') await sleep(retryMs);
      else return errand.orders.map(() => ({ outcome, reason }) as const);
    }
  }
}

/** Answers that say themselves that the same call is to be repeated. */
const repeatable = /Temporal knows no (order|schedule)|are missing\. Hand them over/;

function outcomeOf(error: unknown): Exclude<End['outcome'], 'completed'> | undefined {
  if (error instanceof OrderError) return error.outcome;
  return error instanceof BadOrderError && !repeatable.test(error.message) ? 'bad' : undefined;
}

async function startAndWait(office: Office, errand: Errand): Promise<Ends> {
  if (errand.kind === 'payout') return payOut(office, errand);
  if (errand.kind === 'sweep') return sweep(office, errand);
  const [order] = errand.orders;
  if (order === undefined) throw new Error(`${errand.id} pays nothing.`);
  if (errand.kind === 'period') await untilStarted(office, errand, order);
  return [await single(office, errand, order)];
}

async function single(office: Office, { kind }: Errand, order: SoakOrder): Promise<End> {
  const { steadfast, cast } = office;
  const { id, money, from, to } = order;
  const amount = amountOf(order);
  const walletId = from.id;
  if (kind === 'execute') {
    const started = await steadfast.start('executeContract', id, {
      walletId,
      contractAddress: cast.contract,
      abiFunctionSignature: 'mintTo(address,uint256)',
      abiParameters: [to, baseUnitsOf(order).toString()],
    });
    const { transactionId, txHash } = await started.receipt();
    return { outcome: 'completed', transactionId, txHash, told: { to, amount } };
  }
  const started =
    money === 'minted'
      ? await steadfast.start('mintTokens', id, {
          walletId,
          contractAddress: cast.contract,
          to,
          amount,
        })
      : await steadfast.start('transferStablecoin', id, transferOf(order));
  const told = await started.receipt();
  return {
    outcome: 'completed',
    transactionId: told.transactionId,
    txHash: told.txHash,
    told: { to: told.to, amount: told.amount },
  };
}

function transferOf(order: SoakOrder) {
  const { from, to, money } = order;
  return { from: { walletId: from.id }, to, amount: amountOf(order), token: money };
}

/** Once a year, so that nothing but a trigger starts it. */
const yearly = { cron: '0 9 1 1 *', period: 'yyyy-MM-dd' };
const [period, lookMs] = ['2026-01-01', 200];

/** Has the order of a period started by a schedule, twice at the same time. */
async function untilStarted(
  { steadfast, client }: Office,
  { id }: Errand,
  order: SoakOrder,
): Promise<void> {
  const [, name = ''] = id.split(':');
  const { schedules } = steadfast;
  const isThere = async (): Promise<boolean> => {
    const known = await client.workflow
      .list({ query: `WorkflowId = '${id}'` })
      [Symbol.asyncIterator]();
    return (await known.next()).done !== true;
  };
  const create = { ...yearly, kind: 'transferStablecoin' as const, order: transferOf(order) };
  // It may be there already, since an answer can be lost.
  while (!(await schedules.create(name, create).then(() => true, isThereNow))) await sleep(lookMs);
  await schedules.trigger(name, period, { beforeCreation: true });
  await schedules.backfill(name, { from: period, to: period, beforeCreation: true });
  while (!(await isThere())) await sleep(lookMs);
}

/** True for a schedule that is there. If its creator was killed, it is created again later. */
function isThereNow(error: unknown): boolean {
  if (!(error instanceof BadOrderError)) throw error;
  if (/is being created/.test(error.message)) return false;
  if (/is there already/.test(error.message)) return true;
  throw error;
}

async function payOut({ steadfast }: Office, errand: Errand): Promise<Ends> {
  const [, payoutId = ''] = errand.id.split(':');
  const lines = errand.orders.map((order) => ({
    lineId: lineOf(order),
    to: order.to,
    amount: amountOf(order),
    token: order.money,
  }));
  const started = await steadfast.payout(
    { payoutId, wallets: errand.wallets.map(({ id }) => id), batch: false },
    lines,
  );
  await started.receipt();
  const results = new Map<string, LineResult>();
  for await (const result of steadfast.payoutLines(errand.id)) results.set(result.lineId, result);
  return errand.orders.map((order) => lineEnd(results.get(lineOf(order))));
}

function lineOf({ id }: SoakOrder): string {
  return id.slice(id.indexOf('/') + 1);
}

function lineEnd(line: LineResult | undefined): End {
  if (line === undefined) return { outcome: 'bad', reason: 'the payout has no such line' };
  const { outcome, reason = 'no reason', transactionId = '', txHash = '', to, amount } = line;
  if (outcome === 'paid') {
    return { outcome: 'completed', transactionId, txHash, told: { to, amount } };
  }
  if (outcome === 'failed') return { outcome: 'failed', reason };
  if (outcome === 'skipped') return { outcome: 'cancelled', reason };
  return { outcome: 'partly', reason: `${outcome}: ${reason}` };
}

/** A sweep that fails may have collected from some wallets before. */
async function sweep({ steadfast }: Office, { id, orders, wallets }: Errand): Promise<Ends> {
  const [into] = wallets;
  try {
    const started = await steadfast.start('sweepWallets', id, {
      wallets: orders.map(({ from }) => from.id),
      into: { walletId: into?.id ?? '' },
      token: 'USDC',
      keep: '0',
    });
    const { collected, left } = await started.receipt();
    return orders.map(({ from, to }): End => {
      const own = collected.find(({ walletId }) => walletId === from.id);
      const why = left.find(({ walletId }) => walletId === from.id)?.why ?? 'nothing is told of it';
      if (own === undefined) return { outcome: 'failed', reason: why };
      const { transactionId, txHash, amount } = own;
      return { outcome: 'completed', transactionId, txHash, told: { to, amount } };
    });
  } catch (error) {
    const mayHavePaid = error instanceof OrderError && error.outcome !== 'terminated';
    if (!mayHavePaid || error.outcome === 'refused') throw error;
    return orders.map(() => ({ outcome: 'partly', reason: error.message }));
  }
}
