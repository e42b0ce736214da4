import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import type { Class, ReconcileRow } from '../../src/books/reconcile/finding';
import { createSteadfast } from '../../src/client/client';
import type { Wallet } from '../../src/custody/objects/wallet';
import { refId } from '../../src/custody/reference';
import { editRecord } from '../../test/support/books/editRecord';
import { steal } from '../../test/support/books/steal';
import {
  createUsedWallet,
  settled,
  startTestSandbox,
  type TestSandbox,
  transferOf,
} from '../../test/support/sandbox';
import { startProxy } from '../../test/support/service/proxy';
import { someone } from '../../test/support/stages';
import type { Verdict } from './books';
import type { Scene } from './play';
import { type Books, reconciledRows } from './reconciled';

/** Everything that somebody needs who tampers with a soak that is over. */
type Ground = {
  scene: Scene;
  sandbox: TestSandbox;
  dataDir: string;
  /** A wallet that the soak has not used. */
  wallet: Wallet;
  /** A payment of the soak that nobody has tampered with yet. */
  next(): ReconcileRow;
};

/** The class that a plant must be named in, and whether a new row may be about it. */
type Expected = { class: Class; isAbout: (row: ReconcileRow) => boolean };

/** One act of somebody else. It returns what the books must say of it. */
type Plant = (ground: Ground) => Promise<Expected>;

/**
 * In this order. The receipts that are cut off must not be those of an edited record, which is
 * worse.
 */
const plants: Readonly<Record<string, Plant>> = {
  'a missing receipt': missingReceipt,
  'an amount edited in the store': editedAmount,
  'a fee that differs': editedFee,
  'an inbound gift': gift,
  'a payment made twice by hand': paidTwice,
  'a failed transaction that cost gas': failed,
  'an amount changed on the way': changedOnTheWay,
  "a transfer with the account's own key": stolen,
};

/**
 * Tampers with the books of a soak, one act after the other, and reconciles after each. Only rows
 * about that act may appear or disappear. One new row must have the class of the act.
 */
export async function judgePlanted(scene: Scene): Promise<Verdict> {
  const { stack, folder } = scene;
  const dataDir = join(folder, 'sandbox');
  const port = Number(new URL(stack.baseUrl).port);
  const { apiKey, entitySecret } = stack;
  await stack.sandbox.kill();
  const sandbox = await startTestSandbox({ dataDir, port, apiKey, entitySecret, settleMs: 0 });
  try {
    const wallet = await createUsedWallet(sandbox.client, 'EOA');
    const books: Books = { ...scene, rpcUrl: stack.rpcUrl };
    let { rows } = await reconciledRows(books);
    const candidates = paymentsIn(rows);
    const next = (): ReconcileRow => {
      const one = candidates.pop();
      if (one === undefined) throw new Error('The soak has too few payments to tamper with.');
      return one;
    };
    const findings: string[] = [];
    for (const [name, plant] of Object.entries(plants)) {
      const expected = await plant({ scene, sandbox, dataDir, wallet, next });
      const after = await reconciledRows(books);
      const [come, gone] = [less(after.rows, rows), less(rows, after.rows)];
      rows = after.rows;
      const isAlone = [...come, ...gone].every(expected.isAbout);
      if (isAlone && come.some((row) => row.class === expected.class)) continue;
      const told = JSON.stringify({ come, gone });
      findings.push(`planted: ${name} is not ${expected.class} alone: ${told}`);
    }
    const told = `planted ${Object.keys(plants).length} differences, each named: `;
    return {
      agreements: findings.length === 0 ? [told + Object.keys(plants).join(', ')] : [],
      findings,
    };
  } finally {
    await sandbox.stop();
  }
}

/** The rows of one reconciliation that the other one does not have, or has less often. */
function less(rows: readonly ReconcileRow[], others: readonly ReconcileRow[]): ReconcileRow[] {
  const left = new Map<string, number>();
  for (const other of others) {
    const text = JSON.stringify(other);
    left.set(text, (left.get(text) ?? 0) + 1);
  }
  return rows.filter((row) => {
    const text = JSON.stringify(row);
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}

/** Transfers of single orders. */
function paymentsIn(rows: readonly ReconcileRow[]): ReconcileRow[] {
  return rows.filter(
    (row) =>
      row.class === 'matched' &&
      row.order?.startsWith('transfer:') === true &&
      row.line === undefined &&
      row.logIndex !== undefined,
  );
}

function ofTransaction(...ids: (string | undefined)[]): Expected['isAbout'] {
  return ({ transactionId }) => transactionId !== undefined && ids.includes(transactionId);
}

async function editedAmount({ dataDir, next }: Ground): Promise<Expected> {
  const { transactionId: id = '' } = next();
  editRecord(dataDir, { id }, (doc) => {
    doc.amounts = ['0.123456'];
  });
  return { class: 'amount differs', isAbout: ofTransaction(id) };
}

async function editedFee({ dataDir, next }: Ground): Promise<Expected> {
  const { transactionId: id = '' } = next();
  editRecord(dataDir, { id }, (doc) => {
    doc.networkFee = '1';
  });
  return { class: 'amount differs', isAbout: ofTransaction(id) };
}

/** The newest receipts are cut off, up to one of a success. The archive is whole without them. */
async function missingReceipt({ scene }: Ground): Promise<Expected> {
  const database = new Database(`${scene.store.replace(/^file:/, '')}.archive`);
  const newest = database.prepare('SELECT doc FROM receipts ORDER BY at DESC LIMIT 1').pluck();
  const cut = database.prepare('DELETE FROM receipts WHERE at = (SELECT MAX(at) FROM receipts)');
  const ids: string[] = [];
  for (let isPaid = false; !isPaid; ) {
    const { outcome, transactionId } = JSON.parse(String(newest.all()[0]));
    cut.run();
    ids.push(transactionId);
    isPaid = outcome === 'completed';
  }
  database.close();
  return { class: 'missing here', isAbout: ofTransaction(...ids) };
}

async function gift({ sandbox, wallet }: Ground): Promise<Expected> {
  const { address } = wallet;
  await sandbox.client.requestDrip({ address, blockchain: 'ARC-TESTNET', eurc: true });
  for (let amount = '0'; amount === '0'; await sleep(50)) {
    const { tokenBalances } = await sandbox.client.listBalances({ id: wallet.id });
    amount = tokenBalances.find(({ token }) => token.symbol === 'EURC')?.amount ?? '0';
  }
  const isAbout = (row: ReconcileRow): boolean => row.class === 'inbound' && row.token === 'EURC';
  return { class: 'inbound', isAbout };
}

async function paidTwice(ground: Ground): Promise<Expected> {
  const { transactionId = '', amount = '' } = ground.next();
  const { transaction } = await ground.sandbox.client.getTransaction({ id: transactionId });
  const twice = await sendByHand(ground, { refId: transaction.refId, amounts: [amount] });
  return { class: 'paid twice', isAbout: ofTransaction(transactionId, twice.id) };
}

async function failed(ground: Ground): Promise<Expected> {
  const rules = [{ kind: 'failOnChain', count: 1 }];
  const body = { seed: 1, rules };
  const url = `${ground.sandbox.origin}/_sandbox/faults`;
  await ground.sandbox.request('POST', url, { headers: {}, body });
  const parts = { step: 'transfer', item: '1', generation: 0 };
  const own = { refId: refId({ workflowId: 'transfer:planted-failed', ...parts }) };
  const { id } = await sendByHand(ground, own);
  return { class: 'fee without effect', isAbout: ofTransaction(id) };
}

async function sendByHand({ sandbox, wallet }: Ground, fields: object) {
  const { id } = await sandbox.client.createTransfer(transferOf(wallet, someone(), fields));
  return settled(sandbox.client, id);
}

/** A worker whose calls pass somebody who makes them larger. */
async function changedOnTheWay({ scene, wallet }: Ground): Promise<Expected> {
  const { client, stack } = scene;
  const proxy = await startProxy();
  proxy.forwardTo(stack.baseUrl);
  proxy.change = ({ path }, body) =>
    path.endsWith('/transactions/transfer')
      ? body.replace('"amounts":["3"]', '"amounts":["3.5"]')
      : body;
  const taskQueue = 'planted';
  const worker = stack.addWorker({
    CUSTODY_BASE_URL: proxy.baseUrl,
    STEADFAST_TASK_QUEUE: taskQueue,
  });
  await worker.start();
  const steadfast = createSteadfast({ client, taskQueue });
  const id = 'transfer:planted-changed';
  const order = { from: { walletId: wallet.id }, to: someone(), amount: '3', token: 'USDC' };
  await steadfast.start('transferStablecoin', id, order);
  for (let status = ''; status !== 'NeedsOperator'; await sleep(200)) {
    ({ status = '' } = (await steadfast.status(id)).progress ?? {});
  }
  await worker.kill();
  await proxy.close();
  return { class: 'amount differs', isAbout: (row) => row.order === id };
}

async function stolen({ sandbox, dataDir, wallet }: Ground): Promise<Expected> {
  const hash = await steal({ sandbox, dataDir }, wallet, '1.5');
  return { class: 'moved by somebody else', isAbout: ({ txHash }) => txHash === hash };
}
