import type { CustodyApi } from '../../custody/endpoints';
import { findMonies } from '../chain/balances';
import type { ChainNode } from '../chain/node';
import { spanOf } from '../chain/period';
import { walkByStates, walkEveryBlock } from '../chain/walk';
import type { Movement } from '../movement';
import { type Lister, pacedLister } from '../records/readRecords';
import { openScratch } from '../records/scratch';
import { toldOf } from './differences';
import { expecting } from './expected';
import { fill, isOutbound, type Sources } from './fill';
import type { Finding } from './finding';
import { judge, type Scope } from './judge';
import { createTables, type Moved, type SentRecord, type Tables } from './tables';

/** The sources of a reconciliation. */
export type ReconcileAsked = Sources & {
  custody: Pick<CustodyApi, 'listTransactions' | 'listWallets' | 'getToken'>;
  node: ChainNode;
};

/** The blocks that a reconciliation covers. */
export type Covered = { opening: number; closing: number; wallets: number };

/**
 * Joins orders, the service's list, the chain and the archive, and yields a row for each payment.
 * Chain and service decide: a receipt counts only if they confirm it. It holds one window of blocks
 * in memory, and the rest in a file of its own.
 */
export async function* reconcile(asked: ReconcileAsked): AsyncGenerator<Finding, Covered> {
  const { node, period, blockchain, custody } = asked;
  const scratch = openScratch();
  try {
    const { head, ...span } = await spanOf(node, period);
    const list = pacedLister(custody);
    const wallets = await allWallets(custody, blockchain);
    const watched = new Set(wallets);
    const monies = await findMonies(node, { blockchain, wallets, head });
    const tables = createTables(scratch.database);
    await fill(tables, list, asked);
    const scope = { span, monies, period };
    yield* chainRows(tables, list, { asked, scope, watched });
    yield* recordRows(tables, { asked, scope });
    yield* aloneRows(tables, scope);
    return { ...span, wallets: wallets.length };
  } finally {
    scratch.close();
  }
}

const pageSize = 50;

/** The addresses of all wallets of the account on this chain, in lower case. */
async function allWallets(
  custody: Pick<CustodyApi, 'listWallets'>,
  blockchain: string,
): Promise<string[]> {
  const found = new Set<string>();
  for (let after: string | undefined; ; ) {
    const page = { pageSize, ...(after === undefined ? {} : { pageAfter: after }) };
    const { wallets } = await custody.listWallets({ blockchain, ...page });
    for (const { address } of wallets) found.add(address.toLowerCase());
    const last = wallets.at(-1)?.id;
    if (last === undefined || last === after) return [...found];
    after = last;
  }
}

type Reading = { asked: ReconcileAsked; scope: Scope; watched: ReadonlySet<string> };

/** Reads the chain. Yields what comes in, and what goes out without a record of the service. */
async function* chainRows(
  tables: Tables,
  list: Lister,
  { asked, scope, watched }: Reading,
): AsyncGenerator<Finding> {
  const { node } = asked;
  const { opening: from, closing: to } = scope.span;
  const onBlock = (block: number) => asked.onProgress?.('blocks', block - from, to - from);
  const walk = { node, monies: scope.monies, watched, onBlock };
  const hasStates = await node.keepsStateOf(from);
  const windows = hasStates ? walkByStates(walk, { from, to }) : walkEveryBlock(walk, { from, to });
  for await (const { movements } of windows) {
    const own: { id: string; moved: Moved }[] = [];
    for (const movement of movements) {
      const moved = asMoved(movement);
      if (movement.change > 0n) {
        // The other side of a payment between two wallets is the payment itself.
        const isBetween = watched.has(movement.counterparty ?? '');
        if (!isBetween) yield { ...toldOf(moved, scope.monies), class: 'inbound' };
        continue;
      }
      const record = await recordOf(movement, tables, { list, blockchain: asked.blockchain });
      if (record !== undefined) own.push({ id: record.id, moved });
      else if (movement.kind !== 'sponsored') yield stranger(moved, scope);
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

/** The record of a movement: by its hash, its wallet, and the user operation if there is one. */
async function recordOf(
  { txHash, wallet, userOpHash }: Movement,
  tables: Tables,
  { list, blockchain }: { list: Lister; blockchain: string },
): Promise<SentRecord | undefined> {
  const isOwn = (one: SentRecord): boolean => one.sourceAddress?.toLowerCase() === wallet;
  let found = tables.recordsOfHash(txHash.toLowerCase()).filter(isOwn);
  if (found.length === 0) {
    // It may have waited for longer than the records that were read.
    const older = await list({ txHash, includeAll: true, pageSize });
    const outbound = older.filter((one) => isOutbound(one, blockchain) && one.txHash === txHash);
    tables.keepRecords(outbound);
    found = outbound.filter(isOwn);
  }
  return found.find((one) => one.userOpHash && one.userOpHash === userOpHash) ?? found[0];
}

/** A row for each transaction of the service's list, or several where it has several payments. */
async function* recordRows(
  tables: Tables,
  { asked, scope }: Omit<Reading, 'watched'>,
): AsyncGenerator<Finding> {
  const expectedOf = expecting(asked.custody, { ...asked, monies: scope.monies });
  const hasArchive = asked.receipts !== undefined;
  const paidSomething = (id: string): boolean =>
    tables.movementsOf(id).some(({ kind }) => kind === 'transfer');
  for (const record of tables.records()) {
    const receipts = tables.receiptsOf(record.id);
    const found = judge(
      {
        record,
        receipts,
        hasArchive,
        moved: tables.movementsOf(record.id),
        expected: await expectedOf(record),
        twins: tables.twinsOf(record).filter(paidSomething),
        order: tables.orderOf(record),
      },
      scope,
    );
    yield* found;
  }
}

/** Receipts of transactions that the service does not have. */
function* aloneRows(tables: Tables, { period }: Scope): Generator<Finding> {
  for (const { order, transactionId, chain, step, item, time, outcome } of tables.receiptsAlone()) {
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
