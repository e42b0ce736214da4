import { openArchive } from '../../src/archive/openArchive';
import { verifyArchive } from '../../src/archive/verify';
import type { Transaction } from '../../src/custody/objects/transaction';
import { openNode } from '../../src/statement/chain/node';
import { withEarlier } from '../../src/statement/chain/period';
import { type Class, type Finding, noCounts } from '../../src/statement/reconcile/finding';
import { reconcile } from '../../src/statement/reconcile/reconcile';
import { ordersIn } from '../../src/temporal/ordersIn';
import type { Verdict } from './books';
import type { Scene } from './play';

const blockchain = 'ARC-TESTNET';
/** The last blocks may have times a little ahead of this clock. */
const aheadMs = 86_400_000;
const toldMax = 50;

/** A soak leaves these alone: what is paid, what others paid in, and the gas of what failed. */
const expected: readonly Class[] = ['matched', 'inbound', 'fee without effect'];

/**
 * Reconciles the whole period of a soak over all wallets of the account, with the archive that the
 * workers have written. Every record with an effect has a matched row, and no row needs anybody.
 */
export async function judgeReconciled(
  { client, custody, stack, opening, store }: Scene,
  records: readonly Transaction[],
): Promise<Verdict> {
  const node = openNode(stack.rpcUrl);
  const fromMs = (await node.timeMsOf(Number(opening.block))) + 1;
  const period = { fromMs, untilMs: Date.now() + aheadMs };
  const since = withEarlier(period);
  const archive = await openArchive(store);
  try {
    const { fault, rows } = await verifyArchive(archive.entries());
    const asked = {
      ...{ custody, node, blockchain, period },
      orders: ordersIn(client, since),
      receipts: archive.receipts(since),
    };
    const counts = { ...noCounts };
    const strange: Finding[] = [];
    const matched = new Set<string>();
    for await (const row of reconcile(asked)) {
      counts[row.class] += 1;
      if (!expected.includes(row.class)) strange.push(row);
      else if (row.class === 'matched') matched.add(row.transactionId ?? '');
    }
    const isLater = ({ blockHeight = 0 }: Transaction) => blockHeight > Number(opening.block);
    const paid = records.filter((one) => one.state === 'COMPLETE' && isLater(one));
    const missed = paid.filter(({ id }) => !matched.has(id));
    const findings = [
      ...(fault === undefined ? [] : [`the archive: ${fault}`]),
      ...strange.slice(0, toldMax).map((row) => `reconcile: ${JSON.stringify(row)}`),
      ...missed.slice(0, toldMax).map(({ id }) => `reconcile: ${id} is not matched`),
      ...(strange.length > toldMax
        ? [`reconcile: ${strange.length} rows that are not matched`]
        : []),
    ];
    const told = Object.entries(counts).filter(([, many]) => many > 0);
    const agreement =
      `reconciled, with ${rows} receipts of the archive: ` +
      told.map(([name, many]) => `${many} ${name}`).join(', ');
    return { agreements: findings.length === 0 ? [agreement] : [], findings };
  } finally {
    await archive.close();
  }
}
