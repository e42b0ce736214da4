import type { Client } from '@temporalio/client';
import { openArchive } from '../../src/books/archive/openArchive';
import { verifyArchive } from '../../src/books/archive/verify';
import { openNode } from '../../src/books/chain/node';
import { withEarlier } from '../../src/books/chain/period';
import { type Class, noCounts, type ReconcileRow } from '../../src/books/reconcile/finding';
import { reconcile } from '../../src/books/reconcile/reconcile';
import { ordersIn } from '../../src/client/temporal/ordersIn';
import { payoutLines } from '../../src/client/temporal/payoutLines';
import type { CustodyApi } from '../../src/custody/endpoints';
import type { Transaction } from '../../src/custody/objects/transaction';
import type { Opening, Verdict } from './books';
import type { Scene } from './play';

const blockchain = 'ARC-TESTNET';
/** The last blocks may have times a little ahead of this clock. */
const aheadMs = 86_400_000;
const toldMax = 50;

/** A soak leaves these alone: what is paid, what others paid in, and the gas of what failed. */
const expected: readonly Class[] = ['matched', 'inbound', 'unlisted inbound', 'fee without effect'];

/** The sources of a reconciliation, and where it begins. */
export type Books = {
  custody: CustodyApi;
  rpcUrl: string;
  client: Client;
  store: string;
  opening: Opening;
};

/** Reconciles all wallets of the account with the archive of the workers. Returns each row. */
export async function reconciledRows(
  books: Books,
): Promise<{ rows: ReconcileRow[]; receipts: number; fault: string | undefined }> {
  const { custody, rpcUrl, client, store, opening } = books;
  const node = openNode(rpcUrl);
  const period = { fromMs: opening.untilMs, untilMs: Date.now() + aheadMs };
  const since = withEarlier(period);
  const archive = await openArchive(store);
  try {
    const { fault, rows: receipts } = await verifyArchive(archive.entries());
    const asked = {
      custody,
      node,
      blockchain,
      period,
      orders: ordersIn(client, since),
      lines: payoutLines(client),
      receipts: archive.receipts(since),
    };
    const rows: ReconcileRow[] = [];
    for await (const row of reconcile(asked)) rows.push(row);
    return { rows, receipts, fault };
  } finally {
    await archive.close();
  }
}

/**
 * Reconciles the whole period of a soak. Every record with an effect has a matched row, and no row
 * needs anybody.
 */
export async function judgeReconciled(
  { stack, ...scene }: Scene,
  records: readonly Transaction[],
): Promise<Verdict> {
  const { rows, receipts, fault } = await reconciledRows({ ...scene, rpcUrl: stack.rpcUrl });
  const counts = { ...noCounts };
  for (const row of rows) counts[row.class] += 1;
  const strange = rows.filter((row) => !expected.includes(row.class));
  const matched = new Set(
    rows.flatMap((row) => (row.class === 'matched' ? row.transactionId : [])),
  );
  const isLater = ({ blockHeight = 0 }: Transaction) => blockHeight > Number(scene.opening.block);
  const paid = records.filter((one) => one.state === 'COMPLETE' && isLater(one));
  const missed = paid.filter(({ id }) => !matched.has(id));
  const findings = [
    ...(fault === undefined ? [] : [`the archive: ${fault}`]),
    ...strange.slice(0, toldMax).map((row) => `reconcile: ${JSON.stringify(row)}`),
    ...missed.slice(0, toldMax).map(({ id }) => `reconcile: ${id} is not matched`),
    ...(strange.length > toldMax ? [`reconcile: ${strange.length} rows that are not matched`] : []),
  ];
  const told = Object.entries(counts).filter(([, many]) => many > 0);
  const agreement =
    `reconciled, with ${receipts} receipts of the archive: ` +
    told.map(([name, many]) => `${many} ${name}`).join(', ');
  return { agreements: findings.length === 0 ? [agreement] : [], findings };
}
