import { readBatches } from '../../../custody/idempotencyKey';
import { isRecord } from '../../../custody/isRecord';
import type { ChainNode } from '../../chain/node';
import { readWhole } from '../../chain/walk';
import type { Monies } from '../../money';
import { isOfBatch, namedWrite } from '../../records/reference';
import { asMoved, type Moved, type SentRecord } from '../source';
import type { Tables } from '../tables';
import { keyOfReceipt } from './keys';
import { type EarlierReceipts, isCut, type Lines, sameAs } from './lines';
import { type Payment, paymentsIn } from './payments';

/** The keys of payments, and the payments that share them. */
export type Twins = {
  /** The reason why a payment is the second one of its write. Undefined for the first one. */
  reasonOf(payment: Payment): string | undefined;
  /** The keys of the write of a payment. */
  writesOf(payment: Payment): string[];
};

export type TwinSources = {
  node: ChainNode;
  monies: Monies;
  watched: ReadonlySet<string>;
  lines: Lines;
  /** The last block before those that were read. */
  from: number;
  /** Receipts of an order from before the period, where there is an archive. */
  earlier?: EarlierReceipts | undefined;
};

/**
 * Notes all payments by the keys of their writes, those too that were made before the period. Two
 * payments of one key are one write that was paid twice, whatever their records say.
 */
export async function findTwins(tables: Tables, sources: TwinSources): Promise<Twins> {
  const paid = createPaid(tables, sources.lines);
  for (const payment of paymentsIn(tables)) paid.note(payment);
  for (const record of paid.elsewhere()) {
    const { txHash = '', sourceAddress = '', userOpHash } = record;
    const found = await movedEarlier(sources, { txHash, wallet: sourceAddress.toLowerCase() });
    for (const effect of found) {
      const isOther = userOpHash && effect.userOpHash && userOpHash !== effect.userOpHash;
      if (!isOther) paid.note({ effect, record, receipt: undefined, failure: undefined });
    }
  }
  for (const order of sources.earlier ? paid.orders() : []) {
    for await (const receipt of sources.earlier?.(order) ?? []) {
      const { chain, sender, outcome } = receipt;
      if (outcome !== 'completed' || !paid.has(keyOfReceipt(receipt))) continue;
      const { txHash = '', logIndex } = chain;
      const found = await movedEarlier(sources, { txHash, wallet: sender.toLowerCase() });
      const own = found.filter((effect) => effect.logIndex === logIndex);
      for (const effect of own)
        paid.note({ effect, record: undefined, receipt, failure: undefined });
    }
  }
  return paid;
}

/** The payments of a wallet in a transaction of an earlier block. The chain decides, no record. */
async function movedEarlier(
  { node, monies, watched, from }: TwinSources,
  { txHash, wallet }: { txHash: string; wallet: string },
): Promise<Moved[]> {
  const block = await node.blockOf(txHash);
  if (block === undefined || block > from) return [];
  const read = await readWhole({ node, monies, watched }, [block]);
  const movements = read.flatMap(([, all]) => all);
  const own = movements.filter((one) => one.txHash === txHash && one.wallet === wallet);
  const gone = own.filter(({ kind, change }) => kind === 'transfer' && change < 0n);
  return gone.map((one) => ({ ...asMoved(one), at: -1 }));
}

/** The keys of payments, in the order of the chain. */
function createPaid(tables: Tables, lines: Lines) {
  const { database } = tables;
  database.exec(`
    CREATE TABLE paid (key TEXT, at INTEGER, id TEXT, txHash TEXT, isOurs INTEGER, mark TEXT,
      payout TEXT);
    CREATE INDEX paidOf ON paid (key, at);
    CREATE TABLE paidOrders (id TEXT PRIMARY KEY) WITHOUT ROWID;`);
  const add = database.prepare('INSERT INTO paid VALUES (?, ?, ?, ?, ?, ?, ?)');
  const addOrder = database.prepare('INSERT OR IGNORE INTO paidOrders VALUES (?)');
  const first = (where: string) => {
    const found = database.prepare(
      `SELECT id, txHash FROM paid WHERE key = ?1 AND ${where} ORDER BY at LIMIT 1`,
    );
    return (...values: (string | number)[]): string | undefined => {
      const [row] = found.all(...values);
      return isRecord(row) ? String(row.id || row.txHash) : undefined;
    };
  };
  const any = first('1 = 1');
  const ofKey = first("at < ?2 AND NOT (mark = '' AND ?3 = '' AND id = ?4)");
  const alike = first("at < ?2 AND (payout IN (?3, '') OR ?3 = '') AND (mark <> '' OR ?4 <> '')");
  const ofOurs = first('isOurs = 1');
  const keysOf = keysWith(tables, lines);
  const known = `COALESCE(
    (SELECT NULLIF(marks.key, '') FROM marks WHERE mark = keys.key), keys.key)`;
  const elsewhere = database.prepare(`SELECT DISTINCT doc FROM keys JOIN records USING (id)
    WHERE txHash <> '' AND NOT EXISTS (SELECT 1 FROM movements WHERE movements.id = keys.id)
    AND EXISTS (SELECT 1 FROM paid WHERE paid.key = ${known})`);
  const orders = database.prepare('SELECT id FROM paidOrders').pluck();

  return {
    note: (payment: Payment): void => {
      const { effect, record, receipt } = payment;
      const { isOurs, writes, likeness, payout } = keysOf(payment);
      const place = [effect.at, record?.id ?? '', effect.txHash, isOurs ? 1 : 0];
      for (const key of [...writes, ...likeness, `same ${sameAs(effect)}`]) {
        add.run(key, ...place, effect.mark ?? '', payout);
      }
      const order = receipt?.order.id ?? namedWrite(record?.refId)?.order;
      if (order !== undefined && !order.startsWith('…')) addOrder.run(order);
    },
    has: (key: string): boolean => any(key) !== undefined,
    /** Records whose payments were not read, and that share a key with one that was. */
    elsewhere: (): SentRecord[] =>
      elsewhere.all().flatMap((row) => (isRecord(row) ? [JSON.parse(String(row.doc))] : [])),
    orders: (): string[] => orders.all().map(String),
    writesOf: (payment: Payment): string[] => keysOf(payment).writes,
    reasonOf: (payment: Payment): string | undefined => {
      const { at, mark = '' } = payment.effect;
      const { isOurs, writes, likeness, payout } = keysOf(payment);
      const id = payment.record?.id ?? '';
      for (const key of writes) {
        const twin = ofKey(key, at, mark, id);
        if (twin !== undefined) {
          return `Transaction ${twin} has paid the same before: both are of one write.`;
        }
      }
      for (const key of likeness) {
        const twin = alike(key, at, payout, mark);
        if (twin !== undefined) return alikeWords(twin);
      }
      const twin = isOurs ? undefined : ofOurs(`same ${sameAs(payment.effect)}`);
      if (twin === undefined) return undefined;
      return `Transaction ${twin}, which is ours, has paid the same amount to the same payee.`;
    },
  };
}

function alikeWords(twin: string): string {
  return (
    `Transaction ${twin} has paid the same amount to the same payee before, for the same payout. ` +
    'Neither Temporal nor the archive knows these lines: one was paid twice, or two are alike.'
  );
}

/** The keys of a payment: those of its write, and that of its likeness to others. */
function keysWith(tables: Tables, lines: Lines) {
  return ({ effect, record, receipt }: Payment) => {
    const named = namedWrite(record?.refId);
    const { mark } = effect;
    const line = mark && lines.keyOf(mark);
    const write = mark ? (line ?? mark) : isOfBatch(record?.refId) ? undefined : named?.hash;
    const writes = [write, receipt && keyOfReceipt(receipt)].filter((key) => key !== undefined);
    const isNobodys =
      receipt === undefined &&
      (mark ? line === undefined : isCut(named) && tables.orderOf(record ?? {}) === undefined);
    return {
      isOurs: named !== undefined || receipt !== undefined,
      writes: [...new Set(writes)],
      likeness: isNobodys ? [`alike ${sameAs(effect)}`] : [],
      payout: readBatches(record?.refId) ?? '',
    };
  };
}
