import { readFileSync } from 'node:fs';
import Database from 'libsql';
import { refId } from '../../../src/custody/idempotencyKey';
import type { Wallet } from '../../../src/custody/objects/wallet';
import type { Finding } from '../../../src/statement/reconcile/finding';
import { newLines, openedPayout, payers, payoutOf } from '../../support/payouts';
import { settled, transferOf } from '../../support/sandbox';
import { type Scene, startScene } from '../receipt/scene';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.stop());

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
  await scene.steadfast('reconcile', '--from', '2020-01-01', '--out', path);
  const text = readFileSync(path, 'utf8').trimEnd();
  const findings: Finding[] = text.split('\n').map((row) => JSON.parse(row));
  const own = findings.filter(
    (one) => one.wallet === wallet.address.toLowerCase() && one.class !== 'inbound',
  );
  const payees = lines.map(({ to }) => to.toLowerCase());
  const placeOf = ({ counterparty = '' }: Finding) => payees.indexOf(counterparty.toLowerCase());
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
        ...{ name: 'missing here', amount, line: undefined },
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
  delete scene.env.STEADFAST_STORE;
});
