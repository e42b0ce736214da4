import { unreadableState } from '../../custody/objects/transaction';
import type { KnownOrder } from '../../orders/progress/knownOrder';
import type { AccountIndex } from '../../store/index/accountIndex';
import { type Period, withEarlier } from '../chain/period';
import type { ArchivedReceipt } from '../receipt';
import { type Lister, readRecords } from '../records/readRecords';
import type { SentRecord } from './source';
import type { Tables } from './tables';

/** The sources that are compared with the chain. */
export type Sources = {
  blockchain: string;
  period: Period;
  /** Ids of wallets. Default: all of the account. */
  walletIds?: readonly string[] | undefined;
  /**
   * The account index, which is then read in the place of the list. It does not see what the
   * service has changed in a record since that became final.
   */
  index?: Pick<AccountIndex, 'lookUp' | 'createdIn' | 'keep'> | undefined;
  /** Orders that Temporal knows, of the period and of the time before it. */
  orders: AsyncIterable<KnownOrder>;
  /** Receipts of the archive. Undefined where there is none. */
  receipts?: AsyncIterable<ArchivedReceipt> | undefined;
  /** Hears how far it is. What it throws ends the reconciliation. */
  onProgress?: ((what: string, done: number, all: number) => void) | undefined;
};

const atOnce = 1_000;

/** Writes all sources but the chain into the tables. */
export async function fill(tables: Tables, list: Lister, sources: Sources): Promise<void> {
  const period = withEarlier(sources.period);
  if (sources.index === undefined) await fillFromList(tables, list, { ...sources, period });
  else await fillFromIndex(tables, list, { ...sources, period, index: sources.index });
  for await (const order of sources.orders) tables.keepOrder(order);
  const some: ArchivedReceipt[] = [];
  for await (const receipt of sources.receipts ?? []) {
    if (some.push(receipt) >= atOnce) tables.keepReceipts(some.splice(0));
  }
  tables.keepReceipts(some);
}

/** True for a record that takes money out of a wallet on this chain, or that may do so. */
export function isOutbound(record: SentRecord, blockchain: string): boolean {
  if (record.state === unreadableState) return true;
  return record.blockchain === blockchain && record.transactionType !== 'INBOUND';
}

async function fillFromList(tables: Tables, list: Lister, sources: Sources): Promise<void> {
  const { period, walletIds, blockchain, onProgress } = sources;
  let read = 0;
  for await (const page of readRecords(list, { period, walletIds, isOutbound: true })) {
    tables.keepRecords(page.filter((one) => isOutbound(one, blockchain)));
    read += page.length;
    const doneMs = Date.parse(page.at(-1)?.createDate ?? '') - period.fromMs;
    onProgress?.(`the service's list, ${read} records`, doneMs, period.untilMs - period.fromMs);
  }
}

/** Brings the index up to now first. Then the list tells those again that were not final. */
async function fillFromIndex(
  tables: Tables,
  list: Lister,
  sources: Sources & { index: NonNullable<Sources['index']> },
): Promise<void> {
  const { index, period, blockchain, onProgress } = sources;
  let pages = 0;
  const tell = (): void => onProgress?.(`the account index, ${++pages} pages`, 0, 0);
  await index.lookUp([], { onPage: tell });
  const some: SentRecord[] = [];
  const keep = (): void => tables.keepRecords(some.splice(0), { areOld: true });
  for (const record of await index.createdIn(period)) {
    if (isOutbound(record, blockchain) && some.push(record) >= atOnce) keep();
  }
  keep();
  for (let since = tables.oldestOpen(); since !== undefined; since = tables.oldestOpen()) {
    await readOpenAgain(since);
  }

  /** Reads the list on from the oldest record that was not final, while there are more of them. */
  async function readOpenAgain(fromMs: number): Promise<void> {
    const later = { fromMs, untilMs: period.untilMs };
    for await (const page of readRecords(list, { period: later, isOutbound: true })) {
      tell();
      await index.keep(page);
      tables.keepRecords(page.filter((one) => isOutbound(one, blockchain)));
      const lastMs = Date.parse(page.at(-1)?.createDate ?? '');
      // The list does not have them any more, and so they count as little as if it never had.
      tables.dropOpenBefore(lastMs);
      const next = tables.oldestOpen();
      if (next === undefined || next > lastMs) return;
    }
    tables.dropOpenBefore(Number.MAX_SAFE_INTEGER);
  }
}
