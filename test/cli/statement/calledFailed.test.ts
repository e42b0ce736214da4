import { randomUUID } from 'node:crypto';
import type { WriteReceipt } from '../../../src/books/receipt';
import type { ReconcileRow } from '../../../src/books/reconcile/finding';
import type { PayoutLine } from '../../../src/client/client';
import { idempotencyKey } from '../../../src/custody/idempotencyKey';
import type { Transaction } from '../../../src/custody/objects/transaction';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { refId } from '../../../src/custody/reference';
import { payAlone, payInBatch } from '../../support/books/payByHand';
import { reconciled } from '../../support/books/reconciled';
import { newLine, newLines, openedPayout, payoutOf } from '../../support/payouts';
import { settled, transferOf, usdc } from '../../support/sandbox';
import { startProxy } from '../../support/service/proxy';
import { someone } from '../../support/stages';
import { type Scene, startScene } from '../receipt/scene';

let scene: Scene;
let eoa: Wallet;

beforeAll(async () => {
  scene = await startScene();
  eoa = await scene.sandbox.usedWallet('EOA');
});
afterAll(() => scene.stop());

/** The rows about payments to the payees of these lines. */
async function rowsOf(lines: readonly { to: string }[]): Promise<[unknown, ReconcileRow[]]> {
  const { code, findings } = await reconciled(scene);
  const payees = lines.map(({ to }) => to.toLowerCase());
  return [code, findings.filter(({ counterparty = '' }) => payees.includes(counterparty))];
}

/** Receipts that call lines failed, which a transaction was to pay. */
function failures(
  { id, txHash }: Pick<Transaction, 'id' | 'txHash'>,
  { workflowId, lines }: { workflowId: string; lines: readonly PayoutLine[] },
): WriteReceipt[] {
  return lines.map(({ lineId, to, amount }) => {
    const parts = { workflowId, step: 'line', item: lineId, generation: 0 };
    const baseUnits = String(Number(amount) * 1e6);
    const token = { name: 'USDC', address: usdc, decimals: 6 };
    return {
      version: 1,
      order: { id: workflowId, kind: 'payout' },
      service: scene.sandbox.baseUrl,
      step: 'line',
      item: lineId,
      generation: 0,
      key: idempotencyKey(parts),
      refId: refId(parts),
      transactionId: id,
      outcome: 'failed',
      kind: 'transfer',
      sender: eoa.address,
      money: { from: eoa.address, to, token, amount, baseUnits },
      chain: { blockchain: 'ARC-TESTNET', chainId: 5_042_002, txHash },
      time: new Date().toISOString(),
    };
  });
}

describe('a payment that the chain shows is named, where it is called failed', () => {
  it.each(['FAILED', 'CANCELLED', 'DENIED'])('by a record that says %s', async (state) => {
    const { client, force } = scene.sandbox;
    const [workflowId, line] = [`payout:${randomUUID()}`, newLine()];
    const { id } = await payAlone(client, eoa, { workflowId, line });
    await force(id, state);
    const [code, rows] = await rowsOf([line]);
    expect([code, rows]).toEqual([
      3,
      [
        expect.objectContaining({
          class: 'called failed',
          amount: line.amount,
          why: `The service shows ${state}, but the chain shows that it moved money.`,
        }),
      ],
    ]);
  });

  it('by the receipts of a batch, of the lines that it has paid', async () => {
    const { client } = scene.sandbox;
    const [workflowId, lines] = [`payout:${randomUUID()}`, newLines(3)];
    const paid = await payInBatch(client, eoa, { workflowId, lines });
    await scene.archive.append(failures(paid, { workflowId, lines: lines.slice(0, 2) }));
    const [, rows] = await rowsOf(lines);
    expect(rows.map((row) => row.class)).toEqual([
      'called failed',
      'called failed',
      'missing here',
    ]);
    expect(rows[0]?.why).toMatch(/^Its receipt shows that \S+ USDC to \S+ failed\./);
  });

  it('by receipts under another transaction than the one that has paid', async () => {
    const { client } = scene.sandbox;
    const [workflowId, lines] = [`payout:${randomUUID()}`, newLines(2)];
    const other = await settled(
      client,
      (await client.createTransfer(transferOf(eoa, someone()))).id,
    );
    await scene.archive.append(failures(other, { workflowId, lines }));
    await payInBatch(client, eoa, { workflowId, lines });
    const [, rows] = await rowsOf(lines);
    expect(rows.map((row) => row.class)).toEqual(['called failed', 'called failed']);
  });

  it('and by nobody, where a record has the hash of another one of its wallet', async () => {
    const { client, baseUrl } = scene.sandbox;
    const [workflowId, lines, line] = [`payout:${randomUUID()}`, newLines(2), newLine()];
    const batch = await payInBatch(client, eoa, { workflowId, lines });
    const { txHash = '' } = await payAlone(client, eoa, { workflowId, line });
    const proxy = await startProxy();
    proxy.forwardTo(baseUrl);
    proxy.lie = (_, text) => ({ text: text.replaceAll(batch.txHash ?? 'none', txHash) });
    scene.env = { STEADFAST_STORE: '', CUSTODY_BASE_URL: proxy.baseUrl };
    const [, rows] = await rowsOf([...lines, line]);
    scene.env = {};
    await proxy.close();
    expect(rows.map((row) => [row.class, row.txHash]).sort()).toEqual(
      [batch.txHash, batch.txHash, txHash].map((hash) => ['ours but forgotten', hash]).sort(),
    );
  });

  it('by the order of a transfer that has ended as cancelled', async () => {
    const { client } = scene.sandbox;
    const [id, to] = [`transfer:${randomUUID()}`, someone()];
    const order = { from: { walletId: eoa.id }, to, amount: '0.07', token: 'USDC' };
    await scene.sandbox.stopTime();
    await scene.orders.steadfast.start('transferStablecoin', id, order);
    const isSent = async () =>
      (await client.listTransactions({ walletIds: eoa.id, includeAll: true })).transactions.find(
        (one) => one.refId?.startsWith(id),
      );
    let sent = await isSent();
    while (sent === undefined) sent = await isSent();
    await scene.orders.steadfast.cancel(id, 'a mistake');
    await scene.orders.client.workflow
      .getHandle(id)
      .result()
      .catch(() => {});
    await scene.sandbox.run();
    // Somebody has paid it all the same, as its next attempt.
    const parts = { workflowId: id, step: 'transfer', item: '1', generation: 1 };
    const fields = { refId: refId(parts), amounts: ['0.07'] };
    await settled(client, (await client.createTransfer(transferOf(eoa, to, fields))).id);
    const [, rows] = await rowsOf([{ to }]);
    expect(rows).toEqual([
      expect.objectContaining({
        class: 'called failed',
        why: expect.stringContaining('Temporal shows that its order has ended as Cancelled.'),
      }),
    ]);
  });

  it('by the results of a payout, though no receipt and no record says so', async () => {
    const { client, control } = scene.sandbox;
    const lines = newLines(3);
    const [blocked] = lines as [PayoutLine];
    await control('PUT', `blocklist/${blocked.to}`);
    const order = payoutOf([eoa], { lines, batch: { linesMax: 3 } });
    const { workflowId, handle } = await openedPayout(scene.orders, order);
    await handle.result();
    await control('DELETE', `blocklist/${blocked.to}`);
    await payInBatch(client, eoa, { workflowId, lines: [blocked, newLine()], generation: 1 });
    scene.env = { STEADFAST_STORE: '' };
    const [, rows] = await rowsOf([blocked]);
    scene.env = {};
    expect(rows).toEqual([
      expect.objectContaining({
        class: 'called failed',
        why: expect.stringContaining('Temporal shows that its line has ended as failed.'),
      }),
    ]);
  });

  it('by a payout in which somebody has skipped its line', async () => {
    const { client } = scene.sandbox;
    const lines = newLines(2);
    const [skipped] = lines as [PayoutLine];
    const { workflowId, handle, update } = await openedPayout(scene.orders, payoutOf([eoa]));
    await update('addLines', { part: 1, lines });
    await update('pause', { reason: 'a test' });
    const sum = lines.reduce((units, { amount }) => units + Math.round(Number(amount) * 1e6), 0);
    await update('seal', { parts: 1, totals: { USDC: (sum / 1e6).toString() } });
    expect(await update('skip', { lineIds: [skipped.lineId], reason: 'a test' })).toMatch(
      'is skipped, unless it was sent before',
    );
    await update('resume', {});
    expect(await handle.result()).toMatchObject({ paid: 1, skipped: 1 });
    // A request of a run that Temporal has forgotten is carried out late.
    await payAlone(client, eoa, { workflowId, line: skipped });
    scene.env = { STEADFAST_STORE: '' };
    const [code, rows] = await rowsOf([skipped]);
    scene.env = {};
    expect([code, rows]).toEqual([
      3,
      [
        expect.objectContaining({
          class: 'called failed',
          why: expect.stringContaining('Temporal shows that its line has ended as skipped.'),
        }),
      ],
    ]);
  });
});

test('a record that cannot be read has a row of its own, for which a person looks', async () => {
  const { client, baseUrl } = scene.sandbox;
  const { id, txHash } = await settled(
    client,
    (await client.createTransfer(transferOf(eoa, someone()))).id,
  );
  const proxy = await startProxy();
  proxy.forwardTo(baseUrl);
  // Its state is not a word any more.
  proxy.lie = (_, text) => ({
    text: text.replace(new RegExp(`("id":"${id}",[^}]*?"state":)"COMPLETE"`), '$15'),
  });
  scene.env = { STEADFAST_STORE: '', CUSTODY_BASE_URL: proxy.baseUrl };
  const { code, findings } = await reconciled(scene);
  scene.env = {};
  await proxy.close();
  expect(code).toBe(3);
  expect(findings.filter((row) => row.class === 'cannot be read')).toEqual([
    expect.objectContaining({ transactionId: id, txHash, why: expect.stringContaining(id) }),
  ]);
});
