import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import { createPublicClient, http } from 'viem';
import type { WriteReceipt } from '../../../src/books/receipt';
import type { ReconcileRow } from '../../../src/books/reconcile/finding';
import { batchCall, itemOfBatch, markOf } from '../../../src/custody/batch';
import { toBaseUnits } from '../../../src/custody/objects/amount';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { refId } from '../../../src/custody/reference';
import type { Progress } from '../../../src/orders/progress/status';
import { setUp } from '../../support/jest/setUp';
import { newLines, openedPayout, payers, payoutOf } from '../../support/payouts';
import { settled, transferOf, usdc } from '../../support/sandbox';
import { someone } from '../../support/stages';
import { startScene } from '../receipt/scene';

const scene = setUp(() => startScene());

/** Pays three lines in one batch. */
async function paidBatch() {
  const [wallet] = await payers(scene.sandbox, 'EOA');
  if (wallet === undefined) throw new Error('There is no wallet.');
  const lines = newLines(3);
  const order = payoutOf([wallet], { lines, batch: { linesMax: 3 } });
  const { workflowId, handle } = await openedPayout(scene.orders, order);
  await handle.result();
  return { wallet, lines, id: workflowId };
}

/** The rows of a wallet's payments, in the order of the lines. */
async function rowsOf({ wallet, lines }: { wallet: Wallet; lines: readonly { to: string }[] }) {
  const path = scene.path('rows.jsonl');
  rmSync(path, { force: true });
  const { told } = await scene.steadfast('reconcile', '--from', '2020-01-01', '--out', path);
  if (!existsSync(path)) throw new Error(told);
  const text = readFileSync(path, 'utf8').trimEnd();
  const findings: ReconcileRow[] = text.split('\n').map((row) => JSON.parse(row));
  const own = findings.filter(
    (one) => one.wallet === wallet.address.toLowerCase() && one.class !== 'inbound',
  );
  const payees = lines.map(({ to }) => to.toLowerCase());
  const placeOf = ({ counterparty = '' }: ReconcileRow) =>
    payees.indexOf(counterparty.toLowerCase());
  const rows = own.sort((one, other) => placeOf(one) - placeOf(other));
  return rows.map(({ class: name, amount, line, order }) => ({ name, amount, line, order }));
}

function cutOff(receipts: number): void {
  const database = new Database(scene.path('store.db.archive'));
  const newest = 'SELECT at FROM receipts ORDER BY at DESC LIMIT ?';
  database.prepare(`DELETE FROM receipts WHERE at IN (${newest})`).run(receipts);
  database.close();
}

describe('a batch whose archive lacks receipts', () => {
  it('has a row for each payment, and names those without a receipt', async () => {
    const batch = await paidBatch();
    const all = batch.lines.map(({ amount, lineId }) => ({ amount, line: lineId }));
    const expected = all.map((one) => ({ ...one, name: 'matched', order: batch.id }));
    expect(await rowsOf(batch)).toEqual(expected);
    cutOff(1);
    const lost = (await rowsOf(batch)).filter(({ name }) => name !== 'matched');
    expect(lost).toEqual([expect.objectContaining({ name: 'missing here', order: batch.id })]);
    cutOff(2);
    expect(await rowsOf(batch)).toEqual(
      all.map(({ amount }) => ({
        name: 'missing here',
        amount,
        line: undefined,
        order: expect.stringContaining(batch.id.slice(-12)),
      })),
    );
  });
});

describe('a line of a batch that somebody pays once more by hand', () => {
  it('is named as paid twice, and the other lines are matched', async () => {
    const batch = await paidBatch();
    const [first] = batch.lines;
    if (first === undefined) throw new Error('There is no line.');
    const parts = { workflowId: batch.id, step: 'line', item: first.lineId, generation: 0 };
    const { client } = scene.sandbox;
    const fields = { refId: refId(parts), amounts: [first.amount] };
    const { id } = await client.createTransfer(transferOf(batch.wallet, first.to, fields));
    await settled(client, id);
    const rows = await rowsOf(batch);
    expect(rows.map(({ amount }) => amount)).toEqual([
      first.amount,
      ...batch.lines.map(({ amount }) => amount),
    ]);
    expect(rows.slice(0, 2).filter(({ name }) => name === 'paid twice')).toHaveLength(1);
    expect(rows.slice(2).map(({ name }) => name)).toEqual(['matched', 'matched']);
  });
});

describe('what an archive or a second batch says against the service', () => {
  it('is named: a receipt of failure where money moved, and lines that a later batch pays', async () => {
    const batch = await paidBatch();
    const [first, second] = batch.lines;
    if (first === undefined || second === undefined) throw new Error('There are no lines.');
    // The same lines, in a batch of another generation.
    const { wallet } = batch;
    const payments = [first, second].map(({ to, amount, lineId }) => ({
      to: to.toLowerCase(),
      baseUnits: toBaseUnits(amount, 6).toString(),
      mark: markOf(batch.id, lineId, 1),
    }));
    const of = { walletId: wallet.id, tokenAddress: usdc, payments };
    const account = { address: wallet.address, accountType: 'EOA' };
    const { client } = scene.sandbox;
    const parts = { workflowId: batch.id, step: 'batch', item: itemOfBatch(of), generation: 0 };
    const { id } = await client.executeContract({
      idempotencyKey: randomUUID(),
      walletId: wallet.id,
      feeLevel: 'MEDIUM',
      ...batchCall(account, of, { mayFail: true }),
      refId: refId(parts),
    });
    expect(await settled(client, id)).toMatchObject({ state: 'COMPLETE' });
    // The receipts of the first batch tell which lines it pays.
    expect((await rowsOf(batch)).filter(({ name }) => name === 'paid twice')).toHaveLength(2);
    const receipts = await scene.receipts(batch.id);
    const again = receipts.slice(0, 2).map(({ place: _, previous: __, hash: ___, ...one }) => ({
      ...one,
      generation: 1,
      key: randomUUID(),
      transactionId: id,
      outcome: 'failed' as const,
    }));
    await scene.archive.append(await withLogs(again, id));
    const rows = await rowsOf(batch);
    expect(rows.filter(({ name }) => name === 'paid twice')).toHaveLength(2);
    expect(rows.filter(({ name }) => name === 'matched')).toHaveLength(3);
  });
});

/** Receipts with the logs that a transaction really has, by their recipients. */
async function withLogs(receipts: readonly WriteReceipt[], id: string): Promise<WriteReceipt[]> {
  const { transaction } = await scene.sandbox.client.getTransaction({ id });
  const txHash = `0x${transaction.txHash?.slice(2)}` as const;
  const client = createPublicClient({ transport: http(scene.sandbox.rpcUrl) });
  const { logs } = await client.getTransactionReceipt({ hash: txHash });
  const own = logs.filter(({ address }) => address === usdc);
  return receipts.map((one) => {
    const payee = one.money?.to.slice(2).toLowerCase() ?? '';
    const { logIndex = 0 } = own.find(({ topics }) => topics[2]?.endsWith(payee)) ?? {};
    return { ...one, chain: { ...one.chain, txHash, logIndex } };
  });
}

describe('a payout that is still under way', () => {
  it('has paid lines whose receipts are not written yet, and nobody has to look', async () => {
    const [wallet] = await payers(scene.sandbox, 'EOA');
    if (wallet === undefined) throw new Error('There is no wallet.');
    const lines = newLines(3);
    const order = payoutOf([wallet], { lines, batch: false, linesPerS: 0.05 });
    const { workflowId, handle } = await openedPayout(scene.orders, order);
    const isPaid = ({ payout }: Progress): boolean => (payout?.paid ?? 0) > 0;
    await scene.orders.progress(workflowId, isPaid);
    const rows = await rowsOf({ wallet, lines });
    expect(rows.map(({ name }) => name)).toEqual(['matched']);
    await handle.terminate();
  });
});

describe('a batch of which every line has failed alone', () => {
  it('has cost gas without an effect', async () => {
    const [wallet] = await payers(scene.sandbox, 'EOA');
    if (wallet === undefined) throw new Error('There is no wallet.');
    const { sandbox } = scene;
    await sandbox.settled(await sandbox.send(wallet, someone()));
    await sandbox.control('PATCH', 'settings', { settleMs: 3_000, blockMs: 0 });
    const lines = newLines(2);
    const { handle } = await openedPayout(
      scene.orders,
      payoutOf([wallet], { lines, batch: { linesMax: 2 } }),
    );
    const sent = { walletIds: wallet.id, txType: 'OUTBOUND' as const, includeAll: true };
    for (let many = 0; many < 2; await sleep(50)) {
      many = (await sandbox.client.listTransactions(sent)).transactions.length;
    }
    for (const { to } of lines) await sandbox.control('PUT', `blocklist/${to}`);
    await handle.result();
    for (const { to } of lines) await sandbox.control('DELETE', `blocklist/${to}`);
    const rows = await rowsOf({ wallet, lines });
    expect(rows.filter(({ order }) => order !== undefined)).toEqual([
      expect.objectContaining({ name: 'fee without effect' }),
    ]);
  });
});

it('an archive that is not there is refused, and none is made', async () => {
  const store = `file:${scene.path('mistyped.db')}`;
  scene.env.STEADFAST_STORE = store;
  for (const args of [
    ['archive', 'verify'],
    ['receipt', 'transfer:1'],
    ['reconcile', '--from', '2020-01-01'],
  ]) {
    for (const _ of [1, 2]) {
      expect(await scene.steadfast(...args)).toEqual({
        code: 2,
        told: expect.stringContaining('STEADFAST_STORE: there is no archive at '),
      });
    }
  }
  const folder = scene.path('nothing');
  mkdirSync(folder);
  scene.env.STEADFAST_STORE = `folder:${folder}`;
  expect(await scene.steadfast('archive', 'verify')).toMatchObject({ code: 2 });
  expect(readdirSync(folder)).toEqual([]);
  delete scene.env.STEADFAST_STORE;
});

it('a receipt that was changed is not given to anybody', async () => {
  const { id } = await paidBatch();
  const database = new Database(scene.path('store.db.archive'));
  const changed = `replace(doc, '"amount":"0.0', '"amount":"400.0')`;
  database.exec(`UPDATE receipts SET doc = ${changed} WHERE "orderId" = '${id}'`);
  database.close();
  expect(await scene.steadfast('receipt', id, '--html', scene.path('forged.html'))).toEqual({
    code: 2,
    told: expect.stringContaining('was changed after it was made'),
  });
  expect(existsSync(scene.path('forged.html'))).toBe(false);
});
