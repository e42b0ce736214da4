import type { CustodyApi } from '../../custody/endpoints';
import { findMonies } from '../chain/balances';
import type { ChainNode } from '../chain/node';
import { type Reach, spanOf } from '../chain/period';
import { walkByStates, walkEveryBlock } from '../chain/walk';
import type { Movement } from '../movement';
import { accountWallets, type WalletIds } from '../records/accountWallets';
import { ownReceipts } from '../records/ownReceipts';
import { pacing } from '../records/pace';
import { type Lister, pacedLister } from '../records/readRecords';
import { openScratch } from '../records/scratch';
import { type Case, type Known, paymentsIn, toldOf } from './differences';
import { expecting } from './expected';
import { fill, type Sources } from './fill';
import type { Finding } from './finding';
import { judge, type Scope } from './judge';
import { findingRecords } from './recordOf';
import type { Moved, SentRecord } from './source';
import { createTables, type Tables } from './tables';
import { createTotals, endsOf, type MoneyTotal } from './totals';
import { type Twin, twinPaid } from './twins';

/** The sources of a reconciliation. */
export type ReconcileAsked = Sources & {
  custody: Pick<CustodyApi, 'listTransactions' | 'listWallets' | 'getToken'>;
  node: ChainNode;
  /** The blocks of the period. Default: those with its times. */
  reach?: Reach;
  /**
   * The last block before the time that is looked at again. Payments between it and the period
   * have rows if they were in flight, or of a running order. Default: none have.
   */
  earlier?: number;
  /** On a node without old balances: sum them up from the first block. Default: tell none. */
  balancesFromStart?: boolean;
};

/** The blocks that a reconciliation covers, and what the wallets held, received and sent there. */
export type Covered = {
  opening: number;
  closing: number;
  wallets: number;
  balances: MoneyTotal[];
};

/**
 * Joins orders, the service's list, the chain and the archive, and yields a row for each payment.
 * Chain and service decide: a receipt counts only if they confirm it. It holds one window of blocks
 * in memory, and the rest in a file of its own.
 */
export async function* reconcile(asked: ReconcileAsked): AsyncGenerator<Finding, Covered> {
  const { node, period, blockchain, custody, walletIds } = asked;
  const scratch = openScratch();
  try {
    const { head, ...span } = asked.reach ?? (await spanOf(node, period));
    const pace = pacing();
    const list = pacedLister(custody, pace);
    const wallets = await accountWallets(custody, { blockchain, walletIds, pace });
    const addresses = [...wallets.keys()];
    const monies = await findMonies(node, { blockchain, wallets: addresses, head });
    const tables = createTables(scratch.database);
    const account = { custody, blockchain, wallets, isWhole: walletIds === undefined, pace };
    const receipts = asked.receipts && ownReceipts(asked.receipts, account);
    await fill(tables, list, { ...asked, receipts });
    const scope = { span, monies, period, earlier: asked.earlier };
    const totals = createTotals(monies);
    yield* chainRows(tables, list, { asked, scope, wallets, totals });
    yield* recordRows(tables, asked, scope);
    const onProgress = (done: number, all: number) => asked.onProgress?.('balances', done, all);
    const source = { node, monies, wallets: addresses, onProgress };
    const ends = await endsOf(source, span, { fromStart: asked.balancesFromStart === true });
    return { ...span, wallets: wallets.size, balances: totals.told(ends) };
  } finally {
    scratch.close();
  }
}

type Reading = { asked: ReconcileAsked; scope: Scope; wallets: WalletIds };

/** Reads the chain. Yields what comes in, and what goes out without a record of the service. */
async function* chainRows(
  tables: Tables,
  list: Lister,
  { asked, scope, wallets, totals }: Reading & { totals: ReturnType<typeof createTotals> },
): AsyncGenerator<Finding> {
  const { node, blockchain } = asked;
  const watched = new Set(wallets.keys());
  const recordOf = findingRecords({ tables, list, blockchain, wallets });
  const { opening, closing: to } = scope.span;
  const from = scope.earlier ?? opening;
  const onBlock = (block: number) => asked.onProgress?.('blocks', block - from, to - from);
  const walk = { node, monies: scope.monies, watched, onBlock };
  const hasStates = await node.keepsStateOf(from);
  const windows = hasStates ? walkByStates(walk, { from, to }) : walkEveryBlock(walk, { from, to });
  for await (const { movements } of windows) {
    const own: { id: string; moved: Moved }[] = [];
    for (const movement of movements) {
      const isNow = movement.block > opening;
      if (isNow) totals.add(movement);
      const moved = asMoved(movement);
      if (movement.change > 0n) {
        // The other side of a payment between two wallets is the payment itself.
        const isBetween = watched.has(movement.counterparty ?? '');
        if (isNow && !isBetween) yield { ...toldOf(moved, scope.monies), class: 'inbound' };
        continue;
      }
      const record = await recordOf(movement);
      if (record !== undefined) own.push({ id: record.id, moved });
      else if (isNow && movement.kind !== 'sponsored') yield stranger(moved, scope);
    }
    tables.keepMovements(own);
  }
}

function stranger(moved: Moved, { monies }: Scope): Finding {
  const what = moved.kind === 'fee' ? 'gas of a transaction' : 'a movement';
  const why =
    `The chain shows ${what} of which the service has no record. ` +
    'Whoever has the key or the entity secret of this wallet can do that.';
  return { ...toldOf(moved, monies), class: 'moved by somebody else', why };
}

function asMoved({ money, change, sponsored, ...rest }: Movement): Moved {
  const paid = sponsored === undefined ? {} : { sponsored: sponsored.toString() };
  return { ...rest, token: money.symbol, change: change.toString(), ...paid };
}

/** A row for each transaction of the service's list, or several where it has several payments. */
async function* recordRows(
  tables: Tables,
  asked: ReconcileAsked,
  scope: Scope,
): AsyncGenerator<Finding> {
  const expectedOf = expecting(asked.custody, { ...asked, monies: scope.monies });
  const hasArchive = asked.receipts !== undefined;
  for (const record of tables.records()) {
    const order = tables.orderOf(record);
    yield* judge({ ...(await paymentsOf(record)), order, hasArchive }, scope);
  }
  yield* aloneRows(tables, scope);

  /** The payments of a transaction, and others that have paid the same. */
  async function paymentsOf(record: SentRecord): Promise<Omit<Case, 'order' | 'hasArchive'>> {
    const own = await knownOf(record);
    const twins: Twin[] = [];
    for (const { id, key } of tables.sharing(record.id)) {
      const other = tables.recordOf(id);
      if (other === undefined) continue;
      const known = await knownOf(other);
      const twin = twinPaid(key, paymentsIn(known), known.receipts);
      if (twin !== undefined) twins.push(twin);
    }
    return { ...own, twins };
  }

  async function knownOf(record: SentRecord): Promise<Known> {
    const { id } = record;
    const [moved, receipts] = [tables.movementsOf(id), tables.receiptsOf(id)];
    return { record, moved, receipts, expected: await expectedOf(record) };
  }
}

/** Receipts of transactions that the service does not have. */
function* aloneRows(tables: Tables, { period }: Scope): Generator<Finding> {
  for (const receipt of tables.receiptsAlone()) {
    const { order, transactionId, chain, step, item, time, outcome } = receipt;
    const timeMs = Date.parse(time);
    if (timeMs < period.fromMs || timeMs >= period.untilMs || outcome !== 'completed') continue;
    const why = 'The archive has a receipt of it, and the service has no record.';
    yield {
      class: 'missing here',
      why,
      order: order.id,
      ...(step === 'line' ? { line: item } : {}),
      transactionId,
      ...(chain.txHash === undefined ? {} : { txHash: chain.txHash }),
    };
  }
}
