import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openArchive } from '../../../src/books/archive/openArchive';
import type { PayoutLine } from '../../../src/client/client';
import { newReceipt } from '../../books/archive/stores';
import { newFolder } from '../../support/jest/setUp';
import { createServe, envOf } from '../../support/orders';
import { newLines, payoutOf } from '../../support/payouts';
import {
  transferOrder as order,
  scriptedCustody,
  transferRecord,
} from '../../support/service/scriptedCustody';
import { openTill } from '../../support/service/tillCustody';
import { watchedCli } from '../watchedCli';

const serve = createServe();
const folder = newFolder();

/** An archive in which another order has paid the same to some payees, a moment ago. */
async function paidIn(name: string, paid: readonly Pick<PayoutLine, 'to' | 'amount'>[]) {
  const store = `file:${join(folder, name)}`;
  const archive = await openArchive(store);
  const token = { name: 'USDC', address: `0x36${'0'.repeat(38)}`, decimals: 6 };
  const about = { id: 'transfer:rest', kind: 'transferStablecoin' };
  for (const { to, amount } of paid) {
    const money = { from: `0x${'1'.repeat(40)}`, to, token, amount: String(amount) };
    const baseUnits = String(Number(amount) * 1e6);
    const time = new Date().toISOString();
    await archive.append([newReceipt({ order: about, money: { ...money, baseUnits }, time })]);
  }
  await archive.close();
  return { STEADFAST_STORE: store };
}

it('what another order has paid since is asked about before a payout is continued', async () => {
  const till = openTill({ wallets: 1 });
  till.settings.settleMs = 600_000;
  const orders = await serve(till.custody);
  const lines = newLines(4);
  const { workflowId, receipt } = await orders.steadfast.payout(
    payoutOf(till.wallets, { openMax: 1 }),
    lines,
  );
  while (till.taken.length < 1) await sleep(50);
  const [, second, third, last] = lines.map(({ lineId }) => lineId);
  await orders.steadfast.skip(workflowId, [last ?? ''], 'left us');
  await orders.steadfast.cancel(workflowId, 'wrong month');
  till.settings.settleMs = 10;
  till.settle();
  expect(await receipt()).toMatchObject({ paid: 1, skipped: 3 });
  const env = { ...envOf(orders), ...(await paidIn('payout', lines.slice(2))) };
  const told = await watchedCli(['payout', 'continue', workflowId], env, 'n');
  expect(told.stderr).toContain(`! line ${third} pays `);
  expect(told.stderr).toContain('as in transfer:rest, less than a day ago');
  expect(told.stderr).not.toContain(`line ${second} `);
  // A person has skipped it alone, so that it is not paid.
  expect(told.stderr).not.toContain(`line ${last} `);
  expect(told).toMatchObject({ code: 1, stdout: expect.stringContaining('Nothing was sent.') });
  expect(till.taken).toHaveLength(1);
  const gone = await watchedCli(['payout', 'continue', workflowId], env, 'y');
  expect(gone).toMatchObject({ code: 0, stdout: expect.stringContaining('3 of 4 paid') });
  const again = await watchedCli(['payout', 'continue', workflowId], env);
  expect(again.stderr).toContain('nothing to continue');
  expect(again.stderr).not.toContain('[y/N]');
});

it('what another order has paid since is asked about before a paused payout goes on', async () => {
  const till = openTill({ wallets: 1 });
  till.settings.settleMs = 600_000;
  const orders = await serve(till.custody);
  const lines = newLines(3);
  const order = payoutOf(till.wallets, { openMax: 1 });
  const { workflowId } = await orders.steadfast.payout(order, lines);
  while (till.taken.length < 1) await sleep(50);
  await orders.steadfast.pause(workflowId, 'wrong month');
  const env = { ...envOf(orders), ...(await paidIn('paused', lines.slice(2))) };
  const kept = await watchedCli(['resume', workflowId], env, 'n');
  expect(kept.stderr).toContain(`! line ${lines[2]?.lineId} pays `);
  expect(kept.stderr).not.toContain(`line ${lines[1]?.lineId} `);
  expect(kept).toMatchObject({ code: 1, stdout: expect.stringContaining('Nothing was sent.') });
  expect((await orders.steadfast.status(workflowId)).progress?.status).toBe('Paused');
  till.settings.settleMs = 10;
  till.settle();
  const gone = await watchedCli(['resume', workflowId], env, 'y');
  expect(gone).toMatchObject({ code: 0, stdout: `${workflowId} goes on.\n` });
  await orders.client.workflow.getHandle(workflowId).result();
  expect(till.taken).toHaveLength(3);
  // It is not paused any more.
  expect((await watchedCli(['resume', workflowId], env)).stderr).not.toContain('[y/N]');
});

it('what another order has paid since is asked about before a transfer is resubmitted', async () => {
  const record = transferRecord({ state: 'FAILED', errorReason: 'FAILED_ON_CHAIN' });
  const custody = scriptedCustody({ getTransaction: () => ({ transaction: record }) });
  const orders = await serve(custody);
  const id = `transfer:${randomUUID()}`;
  const { receipt } = await orders.steadfast.start('transferStablecoin', id, order);
  await expect(receipt()).rejects.toMatchObject({ outcome: 'failed' });
  const { to, amount } = order;
  const env = { ...envOf(orders), ...(await paidIn('transfer', [{ to, amount }])) };
  const sent = () => custody.seen.filter(({ name }) => name === 'createTransfer').length;
  const before = sent();
  const told = await watchedCli(['resubmit', id], env, 'n');
  expect(told.stderr).toContain(`! ${id} pays ${amount} USDC to`);
  expect(told.stderr).toContain('as in transfer:rest, less than a day ago');
  expect(told).toMatchObject({ code: 1, stdout: expect.stringContaining('Nothing was sent.') });
  expect(sent()).toBe(before);
  const none = { ...envOf(orders), ...(await paidIn('none', [])) };
  const gone = await watchedCli(['resubmit', id, '--no-wait'], none);
  expect(gone.stderr).toContain(`Started ${id}.`);
  expect(gone.stderr).not.toContain('[y/N]');
});
