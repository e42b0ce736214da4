import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { z } from 'zod';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { idempotencyKey } from '../../../src/custody/idempotencyKey';
import { claimsNoEffect } from '../../../src/custody/objects/finalWord';
import { seeded } from '../../../test/support/seeded';
import type { Mortal } from '../../kill/mortal';
import type { Running } from '../load';
import { numberOf } from '../records';

/** The deeds of a person who watches the orders. */
export type Deeds = {
  accelerated: Set<string>;
  cancelled: Set<string>;
  /** Orders whose outcome was unknown, and what was found of them. */
  resolved: Map<string, string>;
  /** Findings that are wrong, and that were not refused. */
  believed: Set<string>;
  /** Orders that have said that they need somebody. */
  needed: Set<string>;
  /** The number of times that Temporal ran without an answer, and was started again. */
  revivals: number;
};

export type OperatorOptions = {
  client: Client;
  custody: CustodyApi;
  temporal: Mortal;
  /** Nobody else kills or starts a process meanwhile, or copies its files. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  orders: ReadonlyMap<string, Running>;
  seed: number;
  isOver: () => boolean;
};

const roundMs = 2_000;
const listedMax = 50;
const answerMsMax = 10_000;
/** Longer than any start of it takes. */
const hungMsMax = 30_000;
/** The share of stuck transactions that are given up instead of being paid more for. */
const givenUpPercent = 30;

/**
 * Acts as an operator while orders run: frees stuck transactions, and resolves writes whose outcome
 * the orders cannot find. A deed that fails is repeated in the next round.
 */
export async function operate(options: OperatorOptions): Promise<Deeds> {
  const deeds: Deeds = {
    accelerated: new Set(),
    cancelled: new Set(),
    resolved: new Map(),
    believed: new Set(),
    needed: new Set(),
    revivals: 0,
  };
  let answeredAtMs = Date.now();
  while (!options.isOver()) {
    if (await answers(options)) answeredAtMs = Date.now();
    if (Date.now() > answeredAtMs + hungMsMax) {
      await revive(options, deeds).catch(() => {});
      answeredAtMs = Date.now();
    }
    await freeStuck(options, deeds).catch(() => {});
    await resolveUnknown(options, deeds).catch(() => {});
    await noteNeeds(options, deeds).catch(() => {});
    await sleep(roundMs);
  }
  return deeds;
}

/**
 * Restarts a local server that no longer answers. When a statement of its SQLite times out under
 * load, its only connection stays interrupted. The restart loses nothing.
 */
async function revive({ temporal, inTurn }: OperatorOptions, deeds: Deeds): Promise<void> {
  deeds.revivals += 1;
  await inTurn(async () => {
    await temporal.kill();
    await temporal.start();
  });
}

function answers({ client }: OperatorOptions): Promise<boolean> {
  return within(client, () => client.workflow.count(`SteadfastStatus = 'Unknown'`)).then(
    () => true,
    () => false,
  );
}

/** Asks Temporal, and does not wait for ever. */
function within<Answer>({ connection }: Client, ask: () => Promise<Answer>): Promise<Answer> {
  return connection.withDeadline(Date.now() + answerMsMax, ask);
}

async function freeStuck({ custody, seed }: OperatorOptions, deeds: Deeds): Promise<void> {
  const { transactions } = await custody.listTransactions({
    state: 'STUCK',
    pageSize: listedMax,
    includeAll: true,
  });
  for (const { id } of transactions) {
    const isGivenUp = seeded(seed + Number.parseInt(id.slice(0, 8), 16))(100) < givenUpPercent;
    const step = isGivenUp ? 'cancel' : 'accelerate';
    const parts = { workflowId: 'operator', step, item: id, generation: 0 };
    const request = { id, idempotencyKey: idempotencyKey(parts) };
    if (isGivenUp) await custody.cancelTransaction(request);
    else await custody.accelerateTransaction(request);
    (isGivenUp ? deeds.cancelled : deeds.accelerated).add(id);
  }
}

const progressSchema = z.object({ target: z.string() });

async function resolveUnknown(options: OperatorOptions, deeds: Deeds): Promise<void> {
  const { client } = options;
  for (const id of await orderIds(client, 'Unknown')) {
    const handle = client.workflow.getHandle(id);
    const progress = await within(client, () => handle.query('progress'));
    const { target } = progressSchema.parse(progress);
    const running = options.orders.get(id) ?? options.orders.get(`${id}/${itemOf(target)}`);
    if (running === undefined) continue;
    const resolve = (found: { finding: string; evidence: string }) =>
      within(client, () => handle.executeUpdate('resolve', { args: [{ target, ...found }] }));
    const found = await findingOf(options, running);
    for (const wrong of wrongOf(found)) {
      await resolve(wrong).then(
        (answer) => {
          // It may say instead that the service's list shows its own record by now.
          if (String(answer).endsWith("was found in the service's list.")) return;
          deeds.believed.add(`${id} believed that it is ${wrong.finding}: ${wrong.evidence}`);
        },
        () => {},
      );
    }
    await resolve(found);
    deeds.resolved.set(running.order.id, found.finding);
  }
}

/** The line or the wallet that a target is about. */
function itemOf(target: string): string {
  return target.slice(target.indexOf('/') + 1, target.lastIndexOf('#'));
}

/** Findings that the service's records contradict. An order must refuse them. */
function wrongOf({ finding, evidence }: { finding: string; evidence: string }) {
  const stranger = { finding: 'completed', evidence: randomUUID() };
  return finding === 'completed' ? [stranger, { finding: 'retry', evidence }] : [stranger];
}

/** Finds the outcome in the service's own list, by the order's unique amount. */
async function findingOf({ custody }: OperatorOptions, { order }: Running) {
  const { transactions } = await custody.listTransactions({
    walletIds: order.from.id,
    pageSize: listedMax,
    includeAll: true,
    order: 'DESC',
    ...(order.money === 'minted' ? {} : { destinationAddress: order.to }),
  });
  const record = transactions.find((one) => numberOf(one) === order.micros);
  if (record === undefined) {
    return { finding: 'noEffect', evidence: 'no record of this amount is in the list' };
  }
  return { finding: claimsNoEffect(record) ? 'retry' : 'completed', evidence: record.id };
}

async function noteNeeds({ client }: OperatorOptions, { needed }: Deeds): Promise<void> {
  for (const id of await orderIds(client, 'NeedsOperator')) needed.add(id);
}

/** Orders under way that show this status. */
async function orderIds(client: Client, status: string): Promise<string[]> {
  const query = `ExecutionStatus = 'Running' AND SteadfastStatus = '${status}'`;
  return within(client, async () => {
    const ids: string[] = [];
    for await (const { workflowId } of client.workflow.list({ query })) ids.push(workflowId);
    return ids;
  });
}
