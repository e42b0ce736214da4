import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { Webhook } from 'standardwebhooks';
import { type MortalStack, quietPorts, startMortalStack } from '../../../proof/kill/processes';
import { createSteadfast, type Steadfast } from '../../../src/client/client';
import { createCustodyClient } from '../../../src/custody/client';
import { toBaseUnits } from '../../../src/custody/objects/amount';
import { runCli } from '../../cli/runCli';
import { times } from '../../support/lane';
import { newLines, payers } from '../../support/payouts';
import { seeded } from '../../support/seeded';
import { type Received, startReceiver } from '../../support/service/receiver';
import { someone } from '../../support/stages';
import { workflowBundle } from '../../support/temporal';

const lineCount = times({ short: 30, all: 600 });
const transferCount = times({ short: 3, all: 12 });
const killsWhilePaying = times({ short: 2, all: 4 });
/** A call of a killed worker is found lost after 40 s, and is made again some minutes later. */
const killsWhileTelling = times({ short: 0, all: 4 });
const key = Buffer.alloc(32, 11);
const hook = new Webhook(key.toString('base64'));
const random = seeded(5);
const folder = mkdtempSync(join(tmpdir(), 'steadfast-answers-'));
const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
let stack: MortalStack;
let steadfast: Steadfast;
let port: number;
beforeAll(async () => {
  port = (await quietPorts()).sandbox;
  stack = await startMortalStack({
    folder,
    sandboxEnv: { SANDBOX_SETTLE_MS: '200', SANDBOX_RATE_LIMIT: 'off' },
    workerEnv: {
      STEADFAST_WORKFLOW_BUNDLE: workflowBundle().codePath,
      STEADFAST_ANSWERS_URL: `http://127.0.0.1:${port}/hook`,
      STEADFAST_ANSWERS_SECRET: `whsec_${key.toString('base64')}`,
      STEADFAST_ANSWERS_PRIVATE: '1',
    },
  });
  ends.push(stack.stop);
  const connection = await Connection.connect({ address: stack.temporalAddress });
  ends.push(() => connection.close());
  steadfast = createSteadfast({ client: new Client({ connection }), taskQueue: stack.taskQueue });
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

type Told = { id: string; type: string; data: Record<string, string> };

/** Verifies a message with an implementation that is not ours. */
function verified({ headers, body }: Received): Told {
  const told = hook.verify(body, headers as Record<string, string>) as Omit<Told, 'id'>;
  return { ...told, id: String(headers['webhook-id']) };
}

const nameOf = ({ type, data }: Told): string => `${data.orderId} ${data.lineId ?? ''} ${type}`;

async function cli(...args: string[]) {
  const env = { TEMPORAL_ADDRESS: stack.temporalAddress, STEADFAST_TASK_QUEUE: stack.taskQueue };
  return runCli(args, env);
}

it('each end is told, though workers are killed and the receiver is away', async () => {
  const custody = createCustodyClient(stack);
  const wallets = await payers({ client: custody }, 'EOA', 'EOA', 'SCA');
  const [payer] = wallets;
  if (payer === undefined) throw new Error('There is no wallet.');
  const lines = newLines(lineCount);
  const order = { payoutId: 'told', wallets: wallets.map(({ id }) => id) };
  const payout = await steadfast.payout(order, lines);
  const transfers = await Promise.all(
    Array.from({ length: transferCount }, (_, at) =>
      steadfast.start('transferStablecoin', `transfer:told-${at}`, {
        from: { walletId: payer.id },
        to: someone(),
        amount: `0.${at + 1}`,
        token: 'USDC',
      }),
    ),
  );
  for (let kill = 0; kill < killsWhilePaying; kill += 1) {
    await sleep(random(2_000));
    await stack.worker.kill();
    await stack.worker.start();
  }

  // Nobody listens, and every order ends and is paid.
  const receipt = await payout.receipt();
  expect(receipt).toMatchObject({ lines: lineCount, paid: lineCount });
  await Promise.all(transfers.map((transfer) => transfer.receipt()));
  const waiting = await cli('answers', 'list', '--json');
  expect(waiting.code).toBe(0);
  const { answers } = JSON.parse(waiting.stdout) as {
    answers: { orderId: string; state: string }[];
  };
  const orders = ['payout:told', ...transfers.map(({ workflowId }) => workflowId)];
  expect(new Set(answers.map(({ orderId }) => orderId))).toEqual(new Set(orders));
  expect(new Set(answers.map(({ state }) => state))).toEqual(new Set(['waiting']));

  // It comes back ill, and workers are killed while they tell it.
  const came: Told[] = [];
  const heard: Told[] = [];
  const hear = (one: Received): number => {
    const told = verified(one);
    const isIll = came.push(told) % 3 === 2;
    if (!isIll) heard.push(told);
    return isIll ? 503 : 204;
  };
  const receiver = await startReceiver(hear, { port });
  ends.push(receiver.stop);
  const expected = new Set([
    ...lines.map(({ lineId }) => `payout:told ${lineId} line.paid`),
    ...orders.map((id) => `${id}  order.completed`),
  ]);
  const isWhole = () => new Set(heard.map(nameOf)).size >= expected.size;
  for (let kill = 0; kill < killsWhileTelling && !isWhole(); kill += 1) {
    const before = came.length;
    while (came.length === before) await sleep(20);
    await stack.worker.kill();
    await stack.worker.start();
  }
  while (!isWhole()) await sleep(100);

  const told = [...heard];
  expect(new Set(told.map(nameOf))).toEqual(expected);
  // The same end has one id, whatever worker told it, and no two ends share one.
  const pairs = came.map((one) => `${nameOf(one)} ${one.id}`);
  expect(new Set(pairs).size).toBe(expected.size);
  expect(new Set(told.map(({ id }) => id)).size).toBe(expected.size);

  // A hash for each line, and shares of fees that come to what the service tells.
  const paid = told.filter(({ type }) => type === 'line.paid');
  const byLine = new Map(paid.map(({ data }) => [data.lineId, data]));
  const fees = new Map<string, bigint>();
  for (const { transactionId = '', networkFee = '', txHash, settledAt } of byLine.values()) {
    expect(txHash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(Date.parse(settledAt ?? '')).toBeGreaterThan(0);
    fees.set(transactionId, (fees.get(transactionId) ?? 0n) + toBaseUnits(networkFee, 18));
  }
  for (const [id, fee] of fees) {
    const { transaction } = await custody.getTransaction({ id });
    expect(fee).toBe(toBaseUnits(transaction.networkFee ?? '', 18));
  }

  // All of it again, by the same ids.
  while (!(await cli('answers', 'list')).stdout.startsWith('Temporal knows no message')) {
    await sleep(500);
  }
  const before = new Set(told.map(({ id }) => id));
  heard.length = 0;
  for (const id of orders) expect((await cli('answers', 'resend', id)).code).toBe(0);
  while (!isWhole()) await sleep(100);
  expect(new Set(heard.map(({ id }) => id))).toEqual(before);
});
