import type { CustodyApi } from '../../custody/endpoints';
import { findMonies } from '../chain/balances';
import { beyondListed } from '../chain/beyondListed';
import type { ChainNode } from '../chain/node';
import { type BlockSpan, findSpan } from '../chain/period';
import { leftInWords, unprovenInWords } from '../notLookedAt';
import { accountWallets } from '../records/accountWallets';
import { heldTokens } from '../records/heldTokens';
import { ownReceipts } from '../records/ownReceipts';
import { pacing } from '../records/pace';
import { pacedLister } from '../records/readRecords';
import { openScratch } from '../records/scratch';
import { chainRows } from './chainRows';
import { expecting } from './expected';
import { fill, type Sources } from './fill';
import type { ReconcileRow } from './finding';
import { type EarlierReceipts, learnLines, type PayoutLines } from './paid/lines';
import { findTwins } from './paid/twins';
import { recordRows } from './recordRows';
import { createTables } from './tables';
import { createTotals, endsOf, type MoneyTotal } from './totals';

/** The sources of a reconciliation. */
export type ReconcileAsked = Sources & {
  custody: Pick<
    CustodyApi,
    'listTransactions' | 'listWallets' | 'listBalances' | 'listNfts' | 'getToken'
  >;
  node: ChainNode;
  /** The lines of payouts, where Temporal is asked for them. */
  lines?: PayoutLines | undefined;
  /** Receipts of an order from before the period, where there is an archive. */
  earlierReceipts?: EarlierReceipts | undefined;
  /** The blocks of the period. Default: the blocks with its times. */
  span?: BlockSpan;
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
  /** All that was not compared, in words. */
  notLookedAt: string[];
};

/**
 * Joins orders, the service's list, the chain and the archive, and yields a row for each payment.
 * Chain and service decide: a receipt counts only if they confirm it. It holds one window of blocks
 * in memory, and the rest in a file of its own.
 */
export async function* reconcile(asked: ReconcileAsked): AsyncGenerator<ReconcileRow, Covered> {
  const { node, period, blockchain, custody, walletIds } = asked;
  const scratch = openScratch();
  try {
    const span = asked.span ?? (await findSpan(node, period));
    const from = asked.earlier ?? span.opening;
    const pace = pacing();
    const list = pacedLister(custody, pace);
    const wallets = await accountWallets(custody, { blockchain, walletIds, pace });
    const addresses = [...wallets.keys()];
    const monies = await findMonies(node, blockchain);
    const tables = createTables(scratch.database);
    const isWhole = walletIds === undefined;
    const { hasPaid } = tables;
    const account = { custody, blockchain, wallets, isWhole, pace, hasPaid };
    const receipts = asked.receipts && ownReceipts(asked.receipts, account);
    await fill(tables, list, { ...asked, receipts });
    const { held, notLookedAt } = await heldTokens(custody, wallets, pace);
    const keepsStates = await node.keepsStateOf(from);
    const blocks = span.closing - from;
    const beyond = await beyondListed(node, { monies, held, block: from, keepsStates, blocks });
    const { contracts, arrivals } = beyond;
    const scope = { span, monies, period, earlier: asked.earlier };
    const expected = expecting(custody, { monies, blockchain, node, pace });
    const { expectedOf } = expected;
    const totals = createTotals(monies, beyond.places);
    const common = { ...asked, tables, scope, expectedOf };
    yield* chainRows({ ...common, list, wallets, contracts, arrivals, totals });
    const earlier = asked.earlierReceipts;
    const lines = await learnLines(tables, { temporal: asked.lines, earlier });
    const watched = new Set(addresses);
    const twins = await findTwins(tables, { node, monies, watched, lines, from, earlier });
    yield* recordRows({ ...common, watched, twins, lines, hasArchive: receipts !== undefined });
    const onProgress = (done: number, all: number) => asked.onProgress?.('balances', done, all);
    const source = { node, monies, wallets: addresses, contracts, arrivals, onProgress };
    const fromStart = asked.balancesFromStart === true;
    const ends = await endsOf(source, span, { fromStart, unlisted: totals.unlisted() });
    const { balances, unproven, left } = totals.told(ends);
    const forged = receipts?.notLookedAt() ?? [];
    const unread = [...beyond.notLookedAt, ...forged, ...expected.notLookedAt()];
    const skipped = [...notLookedAt, ...unread, ...skippedIn(asked)];
    const unknown = ends === undefined ? [noBalances] : unprovenInWords(unproven);
    return {
      ...span,
      wallets: wallets.size,
      balances,
      notLookedAt: [...unknown, ...leftInWords(left), ...skipped],
    };
  } finally {
    scratch.close();
  }
}

const noBalances =
  'balances, since the node of CHAIN_RPC_URL keeps no old states (give an archive node)';

/** Sources that were left out because somebody asked for less. */
function skippedIn({ index, walletIds }: ReconcileAsked): string[] {
  return [
    ...(index === undefined ? [] : ['records without a reference of ours, since --indexed is set']),
    ...(walletIds === undefined ? [] : ['payments of the same lines by other wallets']),
  ];
}
