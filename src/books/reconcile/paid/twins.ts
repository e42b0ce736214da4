import { isRecord } from '../../../custody/isRecord';
import { isOfBatch, readBatches } from '../../../custody/reference';
import type { ChainNode } from '../../chain/node';
import type { Monies } from '../../money';
import { namedWrite } from '../../records/reference';
import { movementsOf } from '../elsewhere';
import { asMoved, type Moved, type SentRecord } from '../source';
import { type Tables, textsIn } from '../tables';
import { keyOfReceipt, sameAs } from './keys';
import { type EarlierReceipts, isCut, type LinesOfMarks } from './lines';
import { type ChainPayment, gasOfEffect } from './payments';

/** The keys of payments, and the payments that share them. */
export type Twins = {
  /** The reason why a payment is the second one of its write. Undefined for the first one. */
  reasonOf(payment: ChainPayment): string | undefined;
  /** The keys of the write of a payment. */
  writesOf(payment: ChainPayment): string[];
};

type TwinSources = {
  node: ChainNode;
  monies: Monies;
  watched: ReadonlySet<string>;
  lines: LinesOfMarks;
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
  const { earlier } = sources;
  const paid = createPaid(tables, sources.lines);
  paid.noteAll();
  for (const record of paid.elsewhere()) {
    const { refId = '', id, txHash = '', sourceAddress: wallet = '', userOpHash } = record;
    const pays = record.operation === 'TRANSFER';
    const found = await movedEarlier(sources, { txHash, wallet, pays });
    for (const effect of found) {
      const isOther = userOpHash && effect.userOpHash && userOpHash !== effect.userOpHash;
      if (!isOther) paid.note({ ...factsOf(effect), id, refId });
    }
  }
  for (const order of earlier ? paid.orders() : []) {
    for await (const receipt of earlier?.(order) ?? []) {
      const { chain, sender: wallet, outcome, kind, transactionId: id } = receipt;
      const key = keyOfReceipt(receipt);
      if (outcome !== 'completed' || !paid.has(key)) continue;
      const { txHash = '', logIndex } = chain;
      const found = await movedEarlier(sources, { txHash, wallet, pays: kind === 'transfer' });
      const own = found.filter((one) => one.kind !== 'transfer' || one.logIndex === logIndex);
      for (const effect of own) paid.note({ ...factsOf(effect), id, receiptKey: key });
    }
  }
  return paid;
}

/**
 * The payments of a wallet in a transaction of an earlier block. The gas stands for a call that
 * pays nobody.
 */
async function movedEarlier(
  sources: TwinSources,
  { pays, ...sent }: { txHash: string; wallet: string; pays: boolean },
): Promise<Moved[]> {
  const block = await sources.node.blockOf(sent.txHash);
  if (block === undefined || block > sources.from) return [];
  const found = await movementsOf(sources, { ...sent, block });
  const own = found.map((one) => ({ ...asMoved(one), at: -1 }));
  const gone = own.filter(({ kind, change }) => kind === 'transfer' && BigInt(change) < 0n);
  const gas = pays || gone.length > 0 ? undefined : gasOfEffect(own);
  return gas === undefined ? gone : [gas];
}

/** As much of a payment as tells of which write it is. Texts are empty where there are none. */
type Facts = {
  at: number;
  id: string;
  txHash: string;
  mark: string;
  same: string;
  refId: string;
  /** The key of the receipt of its log. */
  receiptKey: string;
};

function factsOf(effect: Moved): Facts {
  const { at, txHash, mark = '', kind } = effect;
  const same = kind === 'transfer' ? sameAs(effect) : '';
  return { at, txHash, mark, same, id: '', refId: '', receiptKey: '' };
}

/** The payments, by the keys of their writes. */
function createPaid(tables: Tables, lines: LinesOfMarks) {
  const { database } = tables;
  database.exec(`
    CREATE TABLE paid (key TEXT, at INTEGER, id TEXT, txHash TEXT, mark TEXT, payout TEXT);
    CREATE INDEX paidOf ON paid (key, at);
    CREATE TABLE paidOrders (id TEXT PRIMARY KEY) WITHOUT ROWID;`);
  const add = database.prepare('INSERT INTO paid VALUES (?, ?, ?, ?, ?, ?)');
  const every = database.prepare(`SELECT at, movements.id, movements.txHash, mark, same, refId,
      (SELECT key FROM receipts WHERE receipts.txHash = movements.txHash
        AND receipts.logIndex = movements.logIndex) AS receiptKey
    FROM movements LEFT JOIN records USING (id) WHERE same <> '' ORDER BY at`);
  // Gas stands for a call that pays nobody. A cancelled record may have the gas of another one.
  const calls = database.prepare(`SELECT at, id, movements.txHash, refId
    FROM movements JOIN records USING (id)
    WHERE same = '' AND movements.txHash = records.txHash
    AND json_extract(movements.doc, '$.isFailed') IS NULL
    AND json_extract(records.doc, '$.operation') IS NOT 'TRANSFER'
    AND NOT EXISTS (SELECT 1 FROM movements AS paying WHERE paying.id = records.id
      AND paying.same <> '') ORDER BY at`);
  const keysOf = keysWith(tables, lines);
  const note = (facts: Facts): void => {
    const { at, id, txHash, mark } = facts;
    const { writes, likeness, payout } = keysOf(facts);
    for (const key of [...writes, ...likeness]) add.run(key, at, id, txHash, mark, payout);
  };
  return {
    ...twinsAmong(tables, keysOf),
    ...earlierOnes(tables),
    note,
    noteAll: database.transaction(() => {
      for (const row of every.iterate()) if (isRecord(row)) note(factsIn(row));
      for (const row of calls.iterate()) if (isRecord(row)) note(factsIn(row));
    }),
  };
}

function factsIn(row: Record<string, unknown>): Facts {
  const text = (name: keyof Facts): string => String(row[name] ?? '');
  const [id, txHash, mark] = [text('id'), text('txHash'), text('mark')];
  const [same, refId, receiptKey] = [text('same'), text('refId'), text('receiptKey')];
  return { at: Number(row.at), id, txHash, mark, same, refId, receiptKey };
}

/** Questions for payments that were made before the blocks that were read. */
function earlierOnes({ database, references }: Tables) {
  const has = database.prepare('SELECT 1 FROM paid WHERE key = ? LIMIT 1');
  const known = `COALESCE(
    (SELECT NULLIF(marks.key, '') FROM marks WHERE mark = keys.key), keys.key)`;
  const elsewhere = database
    .prepare(`SELECT DISTINCT doc FROM keys JOIN records USING (id)
      WHERE txHash <> '' AND NOT EXISTS (SELECT 1 FROM movements WHERE movements.id = keys.id)
      AND EXISTS (SELECT 1 FROM paid WHERE paid.key = ${known})`)
    .pluck();
  const addOrder = database.prepare('INSERT OR IGNORE INTO paidOrders VALUES (?)');
  const ofReceipts = `INSERT OR IGNORE INTO paidOrders
    SELECT json_extract(doc, '$.order.id') FROM receipts`;
  const orders = database.prepare('SELECT id FROM paidOrders');
  return {
    has: (key: string): boolean => has.all(key).length > 0,
    /** Records whose payments were not read, and that share a key with one that was. */
    elsewhere: (): SentRecord[] => elsewhere.all().map((doc) => JSON.parse(String(doc))),
    /** The orders of all payments, as far as their ids are known whole. */
    orders: function* (): Generator<string> {
      database.exec(ofReceipts);
      for (const refId of references()) {
        const { order = '…' } = namedWrite(refId) ?? {};
        if (!order.startsWith('…')) addOrder.run(order);
      }
      yield* textsIn(orders.iterate(), 'id');
    },
  };
}

/** Questions for the payments that share a key with one. */
function twinsAmong(tables: Tables, keysOf: ReturnType<typeof keysWith>): Twins {
  const { database } = tables;
  const first = (where: string) => {
    const found = database.prepare(
      `SELECT id, txHash FROM paid WHERE key = ?1 AND at < ?2 AND ${where} ORDER BY at LIMIT 1`,
    );
    return (...values: (string | number)[]) => nameIn(found.all(...values));
  };
  const ofKey = first("NOT (mark = '' AND ?3 = '' AND id = ?4)");
  const alike = first("(payout IN (?3, '') OR ?3 = '') AND (mark <> '' OR ?4 <> '')");
  const same = database.prepare(`SELECT id, movements.txHash, refId FROM movements
    JOIN records USING (id) WHERE same = ? AND same <> ''`);
  const ofOurs = (text: string) =>
    nameIn(same.all(text).filter((row) => isRecord(row) && isOurs(String(row.refId))));

  const known = ({ effect, record, receipt }: ChainPayment): Facts => {
    const { id = '', refId = '' } = record ?? {};
    const isPlaced = receipt !== undefined && receipt.chain.logIndex === effect.logIndex;
    return { ...factsOf(effect), id, refId, receiptKey: isPlaced ? keyOfReceipt(receipt) : '' };
  };
  return {
    writesOf: (payment) => keysOf(known(payment)).writes,
    reasonOf: (payment) => {
      const facts = known(payment);
      const { at, mark, id, refId } = facts;
      const { writes, likeness, payout } = keysOf(facts);
      for (const key of writes) {
        const twin = ofKey(key, at, mark, id);
        if (twin) return `Transaction ${twin} has paid the same before: both are of one write.`;
      }
      for (const key of likeness) {
        const twin = alike(key, at, payout, mark);
        if (twin) return `Transaction ${twin} ${alikeWords}`;
      }
      const twin = isOurs(refId) ? undefined : ofOurs(facts.same);
      return twin && `Transaction ${twin}, which is ours, has paid the same to the same payee.`;
    },
  };
}

const alikeWords =
  'has paid the same amount to the same payee before. Neither Temporal nor the archive knows ' +
  'these lines: one was paid twice, or two are alike.';

function isOurs(refId: string): boolean {
  return namedWrite(refId) !== undefined;
}

/** The record of the first payment, or its transaction where it has none. */
function nameIn([row]: readonly unknown[]): string | undefined {
  return isRecord(row) ? String(row.id || row.txHash) : undefined;
}

/** The keys of a payment: the keys of its write, and the key of its likeness to others. */
function keysWith(tables: Tables, lines: LinesOfMarks) {
  return ({ mark, same, refId, receiptKey }: Facts) => {
    const named = namedWrite(refId);
    const line = mark === '' ? undefined : lines.keyOf(mark);
    const hash = isOfBatch(refId) ? undefined : named?.hash;
    const writes = [mark === '' ? hash : (line ?? mark), receiptKey || undefined];
    const isNobodys =
      receiptKey === '' &&
      (mark === '' ? isCut(named) && tables.orderOf({ refId }) === undefined : line === undefined);
    return {
      writes: [...new Set(writes.filter((key) => key !== undefined))],
      likeness: isNobodys ? [`alike ${same}`] : [],
      payout: readBatches(refId) ?? '',
    };
  };
}
