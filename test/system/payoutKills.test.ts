import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { parse } from 'csv-parse/sync';
import { createPublicClient, erc20Abi, formatUnits, http } from 'viem';
import { killAndStart, killOnTheWay, type Victim } from '../../proof/kill/kills';
import { type MortalStack, startMortalStack } from '../../proof/kill/processes';
import { createSteadfast, type PayoutLine, type Steadfast } from '../../src/client/client';
import { createCustodyClient } from '../../src/custody/client';
import type { Wallet } from '../../src/custody/objects/wallet';
import { walletOfLine } from '../../src/orders/payout/walletOfLine';
import { runCli, startCli } from '../cli/runCli';
import { filesOfLines } from '../client/lines/linesOf';
import { newFolder, stopLater } from '../support/jest/setUp';
import { times } from '../support/lane';
import { newLine, payers } from '../support/payouts';
import { usdc } from '../support/sandbox';
import { seeded } from '../support/seeded';
import { workflowBundle } from '../support/temporal';

const seed = 7;
const id = 'killed';
const killsWhilePaying = times({ short: 2, all: 4 });
/** Lines of each wallet. A wallet with one transfer in flight at a time gets fewer lines. */
const linesOf = { EOA: times({ short: 22, all: 122 }), SCA: times({ short: 2, all: 12 }) };
const types = [...Array<'EOA'>(8).fill('EOA'), ...Array<'SCA'>(2).fill('SCA')];
const lineCount = types.reduce((sum, type) => sum + linesOf[type], 0);
const counted = lineCount.toLocaleString('en');

const random = seeded(seed);
const files = filesOfLines();
const folder = newFolder();
const ended: string[] = [];
let stack: MortalStack;
let connection: Connection;
let steadfast: Steadfast;
let isOver = false;
beforeAll(async () => {
  stack = await startMortalStack({
    folder,
    sandboxEnv: { SANDBOX_SETTLE_MS: '200', SANDBOX_RATE_LIMIT: 'off' },
    workerEnv: { STEADFAST_WORKFLOW_BUNDLE: workflowBundle().codePath },
    onEnd: (name, lines) => ended.push([name, ...lines.slice(-3)].join(' | ')),
  });
  stopLater(() => stack.stop());
  connection = await Connection.connect({ address: stack.temporalAddress });
  stopLater(() => connection.close());
  steadfast = createSteadfast({ client: new Client({ connection }), taskQueue: stack.taskQueue });
  stopLater(async () => {
    isOver = true;
    files.remove();
  });
});

/** Lines whose ids give each wallet its number of lines. */
function makeLines(): PayoutLine[] {
  const left: number[] = types.map((type) => linesOf[type]);
  const lines: PayoutLine[] = [];
  for (let number = 1; left.some((count) => count > 0); number += 1) {
    const lineId = `line-${number}`;
    const wallet = walletOfLine(lineId, types.length);
    if (left[wallet] === 0) continue;
    left[wallet] = (left[wallet] ?? 0) - 1;
    lines.push(newLine({ lineId }));
  }
  return lines;
}

type Paid = { from: string; to: string; amount: string; txHash: string };

/** All transfers of these wallets in the chain's logs, in the order of the amounts. */
async function paidOnChain(wallets: readonly Wallet[]): Promise<Paid[]> {
  const logs = await createPublicClient({ transport: http(stack.rpcUrl) }).getContractEvents({
    address: usdc,
    abi: erc20Abi,
    eventName: 'Transfer',
    fromBlock: 0n,
    strict: true,
  });
  const own = new Set(wallets.map(({ address }) => address.toLowerCase()));
  return logs
    .map(({ args, transactionHash }) => ({
      from: args.from.toLowerCase(),
      to: args.to.toLowerCase(),
      amount: formatUnits(args.value, 6),
      txHash: transactionHash,
    }))
    .filter(({ from }) => own.has(from))
    .sort((one, other) => Number(one.amount) - Number(other.amount));
}

/** The transfers according to the results, row by row, in the form of the chain's logs. */
function paidByRows(csv: string): Paid[] {
  const rows: Record<string, string>[] = parse(csv, { columns: true });
  return rows.map(({ walletAddress = '', to = '', amount = '', txHash = '' }) => ({
    from: walletAddress.toLowerCase(),
    to: to.toLowerCase(),
    amount,
    txHash,
  }));
}

/** Runs the command again after each kill until the payout ends. Also returns the way to kill it. */
function handOver(args: readonly string[]): { victim: Victim; whole: Promise<string[]> } {
  let running: ReturnType<typeof startCli>;
  const env = {
    TEMPORAL_ADDRESS: stack.temporalAddress,
    STEADFAST_TASK_QUEUE: stack.taskQueue,
  };
  const run = async (): Promise<string[]> => {
    const ends: string[] = [];
    while (!isOver) {
      running = startCli(args, env);
      const { code, stderr } = await running.ended;
      ends.push(`${code}: ${stderr.trim().split('\n').at(-1)}`);
      if (code === 0) return ends;
    }
    throw new Error(`The payout is not paid:\n${ends.join('\n')}`);
  };
  const kill = async (): Promise<void> => {
    running.child.kill('SIGKILL');
    await running.ended;
  };
  return { victim: { name: 'client', kill, start: async () => {} }, whole: run() };
}

/** Delays every answer about balances, so that nothing can be sealed until a new sandbox starts. */
async function withholdBalances(): Promise<void> {
  const rule = { kind: 'delay', method: 'GET', path: '/wallets/*/balances', delayMs: 600_000 };
  const answer = await fetch(`${stack.controlUrl}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ rules: [rule] }),
  });
  expect(answer.status).toBe(200);
}

/** Waits until all lines are handed over and wait for their seal. */
async function allHandedOver(): Promise<void> {
  for (; !isOver; await sleep(50)) {
    const status = await steadfast.status(`payout:${id}`).catch(() => undefined);
    if (status?.progress?.waitingFor?.endsWith(`${lineCount} lines so far`)) return;
  }
  throw new Error('The lines were not handed over, or are already sealed.');
}

it(`${counted} lines are paid once each, while every process is killed at random`, async () => {
  const wallets = await payers({ client: createCustodyClient(stack) }, ...types);
  const lines = makeLines();
  const rows = lines.map(({ lineId, to, amount }) => `${lineId},${to},${amount}`);
  const path = files.write('killed.csv', `lineId,to,amount\n${rows.join('\n')}\n`);
  const from = wallets.flatMap((wallet) => ['--wallet', wallet.id]);
  await withholdBalances();
  const startedMs = Date.now();
  const client = handOver([
    'payout',
    path,
    '--id',
    id,
    '--token',
    'USDC',
    '--batch',
    'off',
    ...from,
  ]);
  const whole = client.whole.finally(() => {
    isOver = true;
  });
  // A failure of this promise is handled below. Until then it must not end the test.
  whole.catch(() => {});

  // These kills come before the seal. The sandbox is last: a new one makes the seal possible.
  await allHandedOver();
  const early = [stack.worker, client.victim, stack.temporal, stack.sandbox];
  for (const victim of early) await killAndStart(victim, random(500));

  const killed = await killOnTheWay({
    seed,
    kills: killsWhilePaying,
    isOver: () => isOver,
    victims: [stack.worker, stack.sandbox, stack.temporal, stack.chain],
    done: async () => (await paidOnChain(wallets)).length / lines.length,
  });
  const ends = await whole;
  const seconds = Math.round((Date.now() - startedMs) / 1_000);
  const results = join(files.folder, 'results.csv');
  const env = { TEMPORAL_ADDRESS: stack.temporalAddress, STEADFAST_TASK_QUEUE: stack.taskQueue };
  const read = await runCli(['payout', 'results', id, '--csv', results], env);
  expect(read.stderr).toBe(`Wrote ${results}: ${counted} of ${counted} paid.\n`);

  const onChain = await paidOnChain(wallets);
  const amounts = new Set(onChain.map(({ amount }) => amount));
  const kills = [...killed].map(([name, count]) => `${name} ${count}`).join(', ');
  process.stdout.write(
    `\n${early.length} kills before the seal, then ${kills}: ${lines.length} lines, ` +
      `${onChain.length - amounts.size} duplicates, ${lines.length - amounts.size} lost, ` +
      `${seconds} s. The client was run ${ends.length} times.\n\n`,
  );
  const ordered = lines.map(({ lineId, to, amount }) => ({
    from: wallets[walletOfLine(lineId, wallets.length)]?.address.toLowerCase(),
    to: to.toLowerCase(),
    amount,
  }));
  expect(onChain.map(({ txHash: _, ...paid }) => paid)).toEqual(ordered);
  expect(paidByRows(readFileSync(results, 'utf8'))).toEqual(onChain);
  expect([...killed.values()].reduce((sum, count) => sum + count, 0)).toBe(killsWhilePaying);
  expect(ended).toEqual([]);
});
