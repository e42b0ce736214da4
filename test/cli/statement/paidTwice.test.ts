import { randomUUID } from 'node:crypto';
import type { ReconcileRow } from '../../../src/books/reconcile/finding';
import type { PayoutLine } from '../../../src/client/client';
import type { Transaction } from '../../../src/custody/objects/transaction';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { payAlone, payInBatch } from '../../support/books/payByHand';
import { reconciled } from '../../support/books/reconciled';
import { stopAfterTests, stopLater } from '../../support/jest/setUp';
import { newLine, newLines, openedPayout, payoutOf } from '../../support/payouts';
import { type ServiceProxy, startProxy } from '../../support/service/proxy';
import { type Scene, startScene } from '../receipt/scene';

let scene: Scene;
let eoa: Wallet;
let other: Wallet;
let sca: Wallet;
let proxy: ServiceProxy;

stopAfterTests();
beforeAll(async () => {
  scene = await startScene();
  stopLater(() => scene.stop());
  [eoa, other, sca] = [
    await scene.sandbox.usedWallet('EOA'),
    await scene.sandbox.usedWallet('EOA'),
    await scene.sandbox.usedWallet('SCA'),
  ];
  proxy = await startProxy();
  stopLater(() => proxy.close());
  proxy.forwardTo(scene.sandbox.baseUrl);
});

const archives: readonly [string, Record<string, string>][] = [
  ['with an archive', {}],
  ['without an archive', { STEADFAST_STORE: '' }],
];

function newPayout(): string {
  return `payout:${randomUUID()}`;
}

/** The rows about payments to the payees of these lines, in the order of the chain. */
async function rowsOf(lines: readonly PayoutLine[], env: Record<string, string> = {}) {
  scene.env = env;
  const { code, findings } = await reconciled(scene);
  scene.env = {};
  const rows = findings.filter(({ counterparty }) =>
    lines.some(({ to }) => to.toLowerCase() === counterparty),
  );
  const place = ({ block = 0, logIndex = 0 }: ReconcileRow) => block * 10_000 + logIndex;
  return { code, rows: rows.sort((one, two) => place(one) - place(two)) };
}

/** The number of rows of the first payments and of the second ones that have the class. */
function twice(rows: readonly ReconcileRow[], first: number): [number, number] {
  const many = (some: readonly ReconcileRow[]) =>
    some.filter((row) => row.class === 'paid twice').length;
  return [many(rows.slice(0, first)), many(rows.slice(first))];
}

describe.each(archives)('a line that was paid twice, %s, is named', (_, env) => {
  it('where a batch and its two halves have paid it', async () => {
    const [workflowId, lines] = [newPayout(), newLines(4)];
    const { client } = scene.sandbox;
    await payInBatch(client, eoa, { workflowId, lines });
    for (const half of [lines.slice(0, 2), lines.slice(2)]) {
      await payInBatch(client, eoa, { workflowId, lines: half, generation: 1 });
    }
    const { code, rows } = await rowsOf(lines, env);
    expect([code, rows.length, twice(rows, 4)]).toEqual([3, 8, [0, 4]]);
  });

  it('where two batches of a smart account have paid it, as far apart as they can be', async () => {
    const [workflowId, lines] = [newPayout(), newLines(2)];
    const { client } = scene.sandbox;
    await payInBatch(client, sca, { workflowId, lines });
    await payInBatch(client, sca, { workflowId, lines, generation: 24 });
    const { rows } = await rowsOf(lines, env);
    expect([rows.length, twice(rows, 2)]).toEqual([4, [0, 2]]);
  });

  it('where a batch has paid it once, and a transfer of an earlier generation', async () => {
    const [workflowId, lines] = [newPayout(), newLines(2)];
    const [line] = lines as [PayoutLine];
    const { client } = scene.sandbox;
    await payAlone(client, eoa, { workflowId, line });
    await payInBatch(client, eoa, { workflowId, lines, generation: 3 });
    const { rows } = await rowsOf([line], env);
    expect([rows.length, twice(rows, 1)]).toEqual([2, [0, 1]]);
  });

  it('where two generations of it went alone', async () => {
    const [workflowId, line] = [newPayout(), newLine()];
    const { client } = scene.sandbox;
    await payAlone(client, eoa, { workflowId, line });
    await payAlone(client, eoa, { workflowId, line, generation: 30 });
    const { rows } = await rowsOf([line], env);
    expect([rows.length, twice(rows, 1)]).toEqual([2, [0, 1]]);
  });

  it('where two wallets have paid it, in batches and alone', async () => {
    const [workflowId, lines] = [newPayout(), newLines(3)];
    const [alone] = lines as [PayoutLine];
    const { client } = scene.sandbox;
    await payInBatch(client, eoa, { workflowId, lines });
    await payInBatch(client, other, { workflowId, lines: lines.slice(1), generation: 1 });
    await payAlone(client, sca, { workflowId, line: alone, generation: 1 });
    const { rows } = await rowsOf(lines, env);
    expect([rows.length, twice(rows, 3)]).toEqual([6, [0, 3]]);
  });

  it('where the first payment stands under a record of failure', async () => {
    const [workflowId, lines] = [newPayout(), newLines(2)];
    const { client, force } = scene.sandbox;
    const first = await payInBatch(client, eoa, { workflowId, lines });
    await payInBatch(client, eoa, { workflowId, lines, generation: 1 });
    await force(first.id, 'FAILED');
    const { rows } = await rowsOf(lines, env);
    expect(rows.slice(0, 2).map((row) => row.class)).toEqual(['called failed', 'called failed']);
    expect(twice(rows, 2)).toEqual([0, 2]);
  });

  it('where the record of the first payment has no hash, and says FAILED or CANCELED', async () => {
    const { client } = scene.sandbox;
    const [workflowId, lines, line] = [newPayout(), newLines(2), newLine()];
    const batch = await payInBatch(client, eoa, { workflowId, lines });
    const alone = await payAlone(client, eoa, { workflowId, line });
    await payInBatch(client, eoa, { workflowId, lines, generation: 1 });
    await payAlone(client, other, { workflowId, line, generation: 1 });
    const states = new Map([
      [batch.id, 'FAILED'],
      [alone.id, 'CANCELED'],
    ]);
    lieAbout(({ txHash: _, blockHeight: __, ...record }) => {
      const state = states.get(record.id);
      return state === undefined ? undefined : { ...record, state };
    });
    const { rows } = await rowsOf([...lines, line], { CUSTODY_BASE_URL: proxy.baseUrl, ...env });
    expect(rows.slice(0, 3).map((row) => row.class)).toEqual(Array(3).fill('called failed'));
    expect([rows.length, twice(rows, 3)]).toEqual([6, [0, 3]]);
  });

  it('where the service has lost the record of one of the payments', async () => {
    const { client } = scene.sandbox;
    const [workflowId, lines, line] = [newPayout(), newLines(2), newLine()];
    await payInBatch(client, eoa, { workflowId, lines });
    await payAlone(client, eoa, { workflowId, line });
    const again = await payInBatch(client, eoa, { workflowId, lines, generation: 1 });
    const alone = await payAlone(client, eoa, { workflowId, line, generation: 1 });
    lieAbout((record) => ([again.id, alone.id].includes(record.id) ? 'lost' : undefined));
    const { rows } = await rowsOf([...lines, line], { CUSTODY_BASE_URL: proxy.baseUrl, ...env });
    expect([rows.length, twice(rows, 3)]).toEqual([6, [0, 3]]);
  });
});

/** Changes records of the service's list, or leaves them out. */
function lieAbout(change: (record: Transaction) => Partial<Transaction> | 'lost' | undefined) {
  proxy.lie = ({ method, path }, text) => {
    if (method !== 'GET' || !/\/transactions\?/.test(path)) return { text };
    const told: { data: { transactions: Transaction[] } } = JSON.parse(text);
    const transactions = told.data.transactions.flatMap((record) => {
      const other = change(record) ?? record;
      return other === 'lost' ? [] : [other];
    });
    return { text: JSON.stringify({ data: { transactions } }) };
  };
}

describe('two lines that are alike', () => {
  it('are matched, as long as Temporal or an archive knows them', async () => {
    const one = newLine();
    const lines = [one, newLine(), { ...one, lineId: `${one.lineId}-more` }, newLine()];
    const order = payoutOf([eoa], { lines, batch: { linesMax: 2 } });
    const { handle } = await openedPayout(scene.orders, order);
    await handle.result();
    for (const [, env] of archives) {
      const { rows } = await rowsOf(lines, env);
      const strange = rows.filter((row) => row.class !== 'matched');
      expect([rows.length, strange]).toEqual([4, []]);
    }
  });

  it('are named as perhaps paid twice, once nobody knows them', async () => {
    const [workflowId, one, two] = [newPayout(), newLine(), newLine()];
    const { client } = scene.sandbox;
    await payInBatch(client, eoa, { workflowId, lines: [one, two] });
    const alike = { ...one, lineId: `${one.lineId}-more` };
    await payInBatch(client, eoa, { workflowId, lines: [alike, newLine()] });
    const { rows } = await rowsOf([one]);
    expect(rows.map((row) => row.class)).toEqual(['missing here', 'paid twice']);
    expect(rows[1]?.why).toContain('one was paid twice, or two are alike');
  });
});
