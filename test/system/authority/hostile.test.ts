import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPublicClient, getAddress, http, parseEther } from 'viem';
import { z } from 'zod';
import { openExistingArchive } from '../../../src/books/archive/openArchive';
import type { ArchivedReceipt } from '../../../src/books/receipt';
import { createSteadfast } from '../../../src/client/client';
import { inputOf } from '../../../src/client/temporal/inputOf';
import { multicallFrom } from '../../../src/custody/batch';
import type { CallOptions } from '../../../src/custody/endpoints';
import type { Wallet } from '../../../src/custody/objects/wallet';
import type { Child } from '../../../src/local/childProcess';
import type { Progress } from '../../../src/orders/progress/status';
import { newFolder, stopLater } from '../../support/jest/setUp';
import { times } from '../../support/lane';
import { inSandbox, usdc } from '../../support/sandbox';
import { rulesOf } from '../../writer/attacks/attack';
import { attacks } from '../../writer/attacks/attacks';
import { callsSent } from '../../writer/attacks/callsSent';
import { transferData } from '../../writer/attacks/contractAttacks';
import {
  asOf,
  callFrom,
  limitOf,
  partsOf,
  payee,
  stranger,
  transferFrom,
} from '../../writer/writer';
import { type HostileCaller, hostileCaller, rawWrite } from './hostileCaller';
import { startPolicedWorker } from './policedWorker';

const taskQueue = `hostile-${process.pid}-${Date.now()}`;
const folder = newFolder();
const store = `file:${join(folder, 'store.db')}`;
const sandbox = inSandbox();
let caller: HostileCaller;
let worker: Child;
let wallet: Wallet;
let smart: Wallet;
let deployer: Wallet;
/** A wallet whose rule has no number for its fees. */
let poor: Wallet;

beforeAll(async () => {
  wallet = await sandbox.usedWallet('EOA');
  smart = await sandbox.usedWallet('SCA');
  deployer = await sandbox.usedWallet('EOA');
  const policy = join(folder, 'policy.json');
  poor = await sandbox.usedWallet('EOA');
  const perWindow = { amount: '0.05', hours: 24, over: 'wallet' };
  const rules = [...rulesOf({ wallet, smart, deployer }), limitOf(poor, { id: 'poor', perWindow })];
  writeFileSync(policy, JSON.stringify({ version: 1, rules }));
  worker = await startPolicedWorker(sandbox, { folder, taskQueue, STEADFAST_STORE: store });
  stopLater(() => worker.stop());
  caller = await hostileCaller(taskQueue, sandbox.baseUrl);
  stopLater(() => caller.close());
});

const raw = (input: unknown, how: CallOptions = {}, claims: object = {}): object =>
  rawWrite(sandbox.baseUrl, { input, how, claims });

/** Base units of what writers have sent from the wallet, by the logs of the chain. */
async function paid(): Promise<number> {
  const logs = await sandbox.transfers({ from: wallet.address });
  const sent = logs.filter(({ to }) => to === payee);
  return sent.reduce((sum, { value }) => sum + Number(value), 0);
}

async function isPriced(id: string): Promise<boolean> {
  const { transaction } = await sandbox.client.getTransaction({ id });
  return transaction.estimatedFee?.networkFee !== undefined;
}

/** The worker makes key and reference itself, so a caller has none to change. */
const own = /key that is not of its parts|without the parts/;

describe('through the real worker, an attack moves nothing:', () => {
  it.each(attacks.filter(([what]) => !own.test(what)))('%s', async (what, words, attack) => {
    const before = await callsSent(sandbox);
    const place = { wallet, smart, deployer, client: sandbox.client };
    await expect(attack(caller.api, place)).rejects.toThrow(
      words.source.startsWith('is closed') ? /is not registered on this Worker|closed/ : words,
    );
    expect((await callsSent(sandbox)) - before).toBeLessThanOrEqual(
      what.includes('another system') ? 1 : 0,
    );
  });

  it('no parts at all', async () => {
    await expect(caller.schedule('createTransfer', raw({}))).rejects.toThrow();
  });

  it('a small body reserved, and a large one sent under its key', async () => {
    const { input, how } = transferFrom(wallet, '0.1');
    const { id } = await caller.api.createTransfer(input, how);
    await sandbox.settled(id);
    const before = await callsSent(sandbox);
    for (const earlierTries of ['clean', 'ambiguous']) {
      const large = raw({ ...input, amounts: ['4'] }, how, { earlierTries });
      await expect(caller.schedule('createTransfer', large)).rejects.toThrow(
        'Its key was used with another body before',
      );
    }
    expect(await callsSent(sandbox)).toBe(before);
  });

  it('an attempt of unknown outcome that is claimed to be clean', async () => {
    const before = await paid();
    const lost = { kind: 'loseAnswer', path: '/developer/transactions/*', count: 1 };
    await sandbox.request('POST', '/_sandbox/faults', { body: { seed: 1, rules: [lost] } });
    const { input, how, parts } = transferFrom(wallet, '0.1');
    await expect(caller.api.createTransfer(input, how)).rejects.toThrow('may have been accepted');
    const next = asOf({ ...parts, generation: 1 });
    const again = caller.api.createTransfer({ ...input, ...next.identity }, next.how);
    await expect(again).rejects.toThrow('needs an end without effect of generation 0');
    await caller.api.createTransfer(input, how).catch((error: Error) => {
      // The writer may have seen the end of the first attempt by now.
      expect(error.message).toContain('this writer has seen its final record');
    });
    while ((await paid()) === before) await sleep(100);
    await sleep(1_000);
    expect((await paid()) - before).toBe(100_000);
  });

  it('a generation that is bumped, over one that has settled', async () => {
    const parts = partsOf();
    const sent = transferFrom(wallet, '0.1');
    await caller.schedule('createTransfer', raw(sent.input, { parts }));
    const before = await callsSent(sandbox);
    for (const generation of [1, 2, 1_000]) {
      const { how } = asOf({ ...parts, generation });
      await expect(caller.schedule('createTransfer', raw(sent.input, how))).rejects.toThrow(
        'needs an end without effect of generation',
      );
    }
    expect(await callsSent(sandbox)).toBe(before);
  });

  it('many transfers at once, of which the window lets no more than nine units out', async () => {
    const count = times({ short: 100, all: 1_000 });
    const tries = Array.from({ length: count }, () => transferFrom(wallet, '1'));
    await Promise.allSettled(
      tries.map(({ input, how }) => caller.schedule('createTransfer', raw(input, how))),
    );
    const limit = 9_000_000;
    // A transfer under way may still settle.
    while ((await paid()) < limit / 2) await sleep(100);
    await sleep(1_000);
    expect(await paid()).toBeLessThanOrEqual(limit);
  });

  it('a copy of a part of a payout that has ended, alone and told to pay', async () => {
    const { workflow } = caller.client;
    const steadfast = createSteadfast({ client: caller.client, taskQueue });
    const lines = [{ lineId: 'a', to: payee, amount: '0.01', token: 'USDC' }];
    const order = { payoutId: randomUUID(), wallets: [wallet.id] };
    const { workflowId, receipt } = await steadfast.payout(order, lines);
    await receipt();
    const before = await callsSent(sandbox);
    const part = workflow.getHandle(`${workflowId}:shard:1`);
    const run = await part.describe();
    const { memo = {} } = run;
    const [given] = await inputOf(caller.client, run);
    const own = z.looseObject({ lines: z.array(z.looseObject({})) }).parse(given);
    const started = await workflow.start('payoutShard', {
      workflowId: `forged:${randomUUID()}`,
      taskQueue,
      memo,
      args: [{ ...own, lines: own.lines.map((line) => ({ ...line, lineId: 'b' })) }],
    });
    const isWaiting = async () => (await started.query<Progress>('progress')).status === 'Waiting';
    while (!(await isWaiting())) await sleep(20);
    const steer = { firstRunId: randomUUID(), openMax: 1, linesPerS: null, isCancelled: false };
    await started.signal('steer', steer);
    expect(await started.result()).toMatchObject({
      lines: [{ lineId: 'b', outcome: 'waiting', isUnsent: true }],
    });
    expect(await callsSent(sandbox)).toBe(before);
  });

  it('transfers and accelerations in a loop, until the window of their fees is full', async () => {
    const rules = [{ kind: 'stuck', walletId: deployer.id }];
    await sandbox.request('POST', '/_sandbox/faults', { body: { seed: 1, rules } });
    const chain = createPublicClient({ transport: http(sandbox.rpcUrl) });
    const balance = () => chain.getBalance({ address: getAddress(deployer.address) });
    const before = await balance();
    const hurried = new Set<string>();
    let sent = 0n;
    let answer = '';
    while (!answer.includes('for fees in 24 hours') && sent < 50n) {
      const { input, how } = transferFrom(deployer, '0.000001');
      try {
        const { id } = await caller.api.createTransfer(input, how);
        sent += 1n;
        // Before that, its fee is not known, and the largest one would be reserved.
        while (!(await isPriced(id))) await sleep(20);
        for (const item of ['1', '2', '3', '4']) {
          const { identity, how } = asOf(partsOf('accelerate', { item }));
          const { idempotencyKey } = identity;
          await caller.api.accelerateTransaction({ id, idempotencyKey }, how);
          hurried.add(id);
        }
      } catch (error) {
        answer = String(error);
      }
    }
    expect(answer).toMatch(/The window of the rule \w+ is full: .* for fees/);
    for (const id of hurried) await sandbox.settled(id);
    const spent = before - (await balance());
    expect(spent).toBeGreaterThan(0n);
    expect(spent).toBeLessThanOrEqual(parseEther('0.02') + sent * parseEther('0.000001'));
  });

  it('batches of the smallest payments, for fees that no number of the rule bounds', async () => {
    const chain = createPublicClient({ transport: http(sandbox.rpcUrl) });
    const balance = () => chain.getBalance({ address: getAddress(poor.address) });
    const before = await balance();
    const calls = Array.from({ length: 20 }, () => [usdc, false, transferData(payee, 1n)]);
    const fields = { contractAddress: multicallFrom, abiParameters: [calls], feeLevel: 'HIGH' };
    const ids: string[] = [];
    let answer = '';
    while (answer === '' && ids.length < 50) {
      const { input, how } = callFrom(poor, 'aggregate3((address,bool,bytes)[])', fields);
      try {
        ids.push((await caller.api.executeContract(input, how)).id);
      } catch (error) {
        answer = String(error);
      }
    }
    expect(answer).toMatch(/The window of the rule poor is full: .* with its fee/);
    for (const id of ids) await sandbox.settled(id);
    expect(ids.length).toBeGreaterThan(0);
    expect(before - (await balance())).toBeLessThanOrEqual(parseEther('0.05'));
  });

  it('wallet sets without end, of which the account keeps none free', async () => {
    const answers: string[] = [];
    for (let at = 0; at < 55; at++) {
      const parts = partsOf('walletSet');
      const write = { ...raw({}, { parts }), name: `Tills ${at}` };
      answers.push(
        await caller.schedule('createWalletSet', write).then(
          () => 'created',
          (error: Error) => error.message,
        ),
      );
    }
    expect(answers.filter((answer) => answer === 'created').length).toBeLessThanOrEqual(50);
    expect(answers.at(-1)).toContain('The window of the rule creates walletSets is full');
  });

  it('a forged receipt of an order, before it is paid', async () => {
    const workflowId = `transfer:${randomUUID()}`;
    const order = { id: workflowId, kind: 'transferStablecoin', digest: 'a'.repeat(64) };
    const token = { name: 'USDC', address: usdc, decimals: 6 };
    const money = {
      from: wallet.address,
      to: stranger,
      token,
      amount: '999',
      baseUnits: '999000000',
    };
    const grounds = { policy: '1 d1', rules: [], signedBy: 'backend', approvedBy: ['ann', 'bo'] };
    const facts = { step: 'transfer', item: '1', generation: 0, outcome: 'completed' };
    const claims = { transactionId: randomUUID(), txHash: `0x${'ab'.repeat(32)}`, money, grounds };
    const time = new Date().toISOString();
    const settled = [{ ...facts, ...claims, kind: 'transfer', sender: wallet.address, time }];
    const forged = { order, service: sandbox.baseUrl, blockchain: 'ARC-TESTNET', settled };
    for (const [id, queue, words] of [
      [`hostile:${randomUUID()}`, taskQueue, 'Only an order keeps its receipts'],
      [`hostile:${randomUUID()}`, `${taskQueue}-writes`, 'is not registered on this Worker'],
      [workflowId, taskQueue, 'Only an order keeps its receipts'],
    ] as const) {
      const args = ['archiveReceipts', forged, queue];
      const sent = caller.client.workflow.execute('hostile', { workflowId: id, taskQueue, args });
      await expect(sent).rejects.toMatchObject({
        cause: { cause: { message: expect.stringContaining(words) } },
      });
    }
    const steadfast = createSteadfast({ client: caller.client, taskQueue });
    const from = { walletId: wallet.id };
    const paying = { from, to: payee, amount: '0.01', token: 'USDC' };
    const { transactionId } = await steadfast.execute('transferStablecoin', workflowId, paying);
    const archive = await openExistingArchive(store);
    const receipts: ArchivedReceipt[] = [];
    for await (const one of archive.receipts({ orderId: workflowId })) receipts.push(one);
    await archive.close();
    expect(receipts).toMatchObject([
      { transactionId, money: { amount: '0.01', to: getAddress(payee) } },
    ]);
    expect(receipts[0]?.grounds?.approvedBy).toBeUndefined();
    expect(receipts[0]?.grounds?.seal?.ledger).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('an approval that nobody has asked for', async () => {
    const order = {
      from: { walletId: wallet.id },
      to: stranger,
      amount: '1',
      token: 'USDC',
      request: { statement: '{}', signature: 'x'.repeat(60) },
    };
    const started = await caller.client.workflow.start('transferStablecoin', {
      taskQueue,
      workflowId: `transfer:${randomUUID()}`,
      args: [order],
    });
    await expect(started.result()).rejects.toMatchObject({
      cause: { message: expect.stringContaining('is no recipient of the rules out') },
    });
  });
});
