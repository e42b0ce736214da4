import type { CustodyApi } from '../custody/endpoints';
import { fromBaseUnits } from '../custody/objects/amount';
import { type BookRow, type BooksAsked, readBooks } from './books';
import { withEarlier } from './chain/period';
import type { Money } from './money';
import type { ArchivedReceipt } from './receipt';
import { heldTokens } from './records/heldTokens';
import { ownReceipts } from './records/ownReceipts';
import { pacing } from './records/pace';
import { type Lister, pacedLister, readRecords } from './records/readRecords';
import { type About, createRecordBook, type RecordBook } from './records/recordBook';
import { openScratch } from './records/scratch';

/** A wallet of the service whose statement it is. */
export type StatedWallet = { id: string; address: string };

/** One row of a statement, as JSON Lines have it. Amounts are decimal, and exact in base units. */
export type StatementRow = {
  row: 'opening' | 'in' | 'out' | 'fee' | 'sponsored' | 'closing';
  walletId: string;
  wallet: string;
  /** The symbol of a listed token. Any other is named by its contract, or as an item of it. */
  token: string;
  decimals: number;
  /** The contract of a token that is not listed, and the item if it counts items. */
  contract?: string;
  item?: string;
  /** The amount that has moved, or the gas that somebody else has paid for. */
  amount?: string;
  baseUnits?: string;
  /** After the row. Missing where nothing proves it, which happens to no listed token. */
  balance?: string;
  balanceBaseUnits?: string;
  /** The amount in a currency, where there are rates. Opening and closing rows value balances. */
  value?: string;
  valueCurrency?: string;
  /** Units of the token for one unit of the currency, and the day of that rate. */
  valueRate?: string;
  valueRateDay?: string;
  counterparty?: string;
  /** The name of the counterparty in an address book. It proves nothing. */
  counterpartyName?: string;
  /** True for the fee of a transaction that did nothing. */
  failed?: boolean;
  block: number;
  time: string;
  txHash?: string;
  logIndex?: number;
  userOpHash?: string;
} & About;

type StatementAsked = Omit<BooksAsked, 'wallets' | 'held'> & {
  custody: Pick<CustodyApi, 'listTransactions' | 'listWallets' | 'listBalances' | 'listNfts'>;
  wallets: readonly StatedWallet[];
  /** Receipts of the period and a little before it, where there is an archive. */
  receipts?: AsyncIterable<ArchivedReceipt>;
};

/**
 * The statement of wallets for a period: opening balances, all movements, closing balances. The
 * chain tells what has moved. The service's list and the archive tell why. Holds a window of blocks
 * in memory, and the rest in a file of its own. Returns in words what was not compared.
 */
export async function* readStatement(
  asked: StatementAsked,
): AsyncGenerator<StatementRow, string[]> {
  const scratch = openScratch();
  try {
    const book = createRecordBook(scratch.database);
    const pace = pacing();
    const list = pacedLister(asked.custody, pace);
    const forged = await fill(book, list, asked);
    const idOf = new Map(asked.wallets.map(({ id, address }) => [address.toLowerCase(), id]));
    const { held, notLookedAt } = await heldTokens(asked.custody, idOf, pace);
    const seek = seeking(book, list);
    const rows = readBooks({ ...asked, wallets: [...idOf.keys()], held });
    for (;;) {
      const next = await rows.next();
      if (next.done) return [...notLookedAt, ...forged, ...next.value];
      yield stated(next.value, { about: await seek(next.value), idOf });
    }
  } finally {
    scratch.close();
  }
}

/** Returns in words the receipts that were left out. */
async function fill(book: RecordBook, list: Lister, asked: StatementAsked): Promise<string[]> {
  const period = withEarlier(asked.period);
  const walletIds = asked.wallets.map(({ id }) => id);
  for await (const records of readRecords(list, { period, walletIds })) book.keepRecords(records);
  const some: ArchivedReceipt[] = [];
  const wallets = new Map(asked.wallets.map(({ id, address }) => [address.toLowerCase(), id]));
  const account = { ...asked, wallets, isWhole: false, pace: pacing() };
  const receipts = asked.receipts && ownReceipts(asked.receipts, account);
  for await (const receipt of receipts ?? []) {
    if (some.push(receipt) < receiptsAtOnce) continue;
    book.keepReceipts(some.splice(0));
  }
  book.keepReceipts(some);
  return receipts?.notLookedAt() ?? [];
}

const receiptsAtOnce = 1_000;

/**
 * Finds what is known of a row. A record that was created long before its block is looked up by the
 * hash, once for all rows of a transaction.
 */
function seeking(book: RecordBook, list: Lister): (row: BookRow) => Promise<About> {
  let asked = '';
  return async (row) => {
    if (row.row !== 'movement') return {};
    const { movement } = row;
    const { txHash, change } = movement;
    if (change <= 0n && txHash !== asked && book.recordOf(movement) === undefined) {
      asked = txHash;
      book.keepRecords(await list({ txHash, includeAll: true, pageSize: 50 }));
    }
    return book.about(movement);
  };
}

function stated(
  row: BookRow,
  { about, idOf }: { about: About; idOf: ReadonlyMap<string, string> },
): StatementRow {
  const own = row.row === 'movement' ? row.movement : row;
  const { wallet, money, block, timeMs } = own;
  return {
    row: row.row === 'movement' ? kindOf(row) : row.row,
    walletId: idOf.get(wallet) ?? '',
    wallet,
    token: money.name,
    decimals: money.decimals,
    ...(money.isListed ? {} : { contract: money.address }),
    ...(money.item === undefined ? {} : { item: money.item.id.toString() }),
    ...(row.row === 'movement' ? moved(row, money) : {}),
    ...balanceOf(row.balance, money),
    block,
    time: new Date(timeMs).toISOString(),
    ...about,
  };
}

function balanceOf(units: bigint | undefined, { decimals }: Money): Partial<StatementRow> {
  if (units === undefined) return {};
  return { balance: decimal(units, decimals), balanceBaseUnits: units.toString() };
}

type MovementRow = Extract<BookRow, { row: 'movement' }>;

function kindOf({ movement }: MovementRow): StatementRow['row'] {
  if (movement.kind !== 'transfer') return movement.kind;
  return movement.change < 0n ? 'out' : 'in';
}

function moved({ movement }: MovementRow, money: Money): Partial<StatementRow> {
  const { change, sponsored, counterparty, isFailed, txHash, logIndex, userOpHash } = movement;
  const units = sponsored ?? (change < 0n ? -change : change);
  return {
    amount: fromBaseUnits(units, money.decimals),
    baseUnits: units.toString(),
    ...(counterparty === undefined ? {} : { counterparty }),
    ...(isFailed === undefined ? {} : { failed: true }),
    txHash,
    ...(logIndex === undefined ? {} : { logIndex }),
    ...(userOpHash === undefined ? {} : { userOpHash }),
  };
}

/** A balance can be below zero only where the node is wrong, and then it has to be seen. */
export function decimal(units: bigint, decimals: number): string {
  return units < 0n ? `-${fromBaseUnits(-units, decimals)}` : fromBaseUnits(units, decimals);
}
