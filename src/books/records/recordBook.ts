import type Database from 'libsql';
import { sameText } from '../../custody/objects/sameText';
import type { Transaction } from '../../custody/objects/transaction';
import type { Movement } from '../movement';
import type { ArchivedReceipt } from '../receipt';
import { namedWrite, receiptAmong } from './reference';

/** Facts of a movement that the chain does not tell. */
export type About = {
  transactionId?: string;
  /** The service's word for the state of the record. */
  state?: string;
  refId?: string;
  order?: string;
  line?: string;
  /** The digest of all lines of the payout that it belongs to. */
  linesDigest?: string;
  /** The caller's own reference. */
  reference?: string;
};

/** Records and receipts, found by the movements that they tell of. */
export type RecordBook = {
  keepRecords(records: readonly Transaction[]): void;
  keepReceipts(receipts: readonly ArchivedReceipt[]): void;
  /** The record of a movement, or undefined. */
  recordOf(movement: Movement): Transaction | undefined;
  about(movement: Movement): About;
};

const inbound = 'INBOUND';

/** Keeps records of the service and receipts of the archive in a database. */
export function createRecordBook(database: Database.Database): RecordBook {
  database.exec(`
    CREATE TABLE records (hash TEXT, id TEXT, type TEXT, source TEXT, doc TEXT,
      PRIMARY KEY (hash, id)) WITHOUT ROWID;
    CREATE TABLE receipts (id TEXT, item TEXT, logIndex INTEGER, doc TEXT);
    CREATE INDEX receiptsOf ON receipts (id);`);
  const addRecord = database.prepare('INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?)');
  const addReceipt = database.prepare('INSERT INTO receipts VALUES (?, ?, ?, ?)');
  const byHash = database.prepare('SELECT type, source, doc FROM records WHERE hash = ?').raw();
  const receiptsOf = database.prepare('SELECT doc FROM receipts WHERE id = ?').pluck();

  const recordOf = ({ txHash, wallet, change, userOpHash }: Movement): Transaction | undefined => {
    const wanted = change > 0n ? inbound : 'OUTBOUND';
    const all = byHash.all(txHash.toLowerCase()).map(readRow);
    const found = all.filter(({ type, source }) =>
      wanted === inbound ? type === inbound : type !== inbound && source === wallet,
    );
    const read: Transaction[] = found.map(({ doc }) => JSON.parse(doc));
    const docs = wanted === inbound ? receivedBy(wallet, read) : read;
    const ofOperation = docs.find((one) => one.userOpHash && one.userOpHash === userOpHash);
    return ofOperation ?? docs[0];
  };

  return {
    recordOf,
    keepRecords: database.transaction((records: readonly Transaction[]) => {
      for (const record of records) {
        const { id, txHash = '', transactionType, sourceAddress = '' } = record;
        if (txHash === '') continue;
        const place = [txHash.toLowerCase(), id, transactionType, sourceAddress.toLowerCase()];
        addRecord.run(...place, JSON.stringify(record));
      }
    }),
    keepReceipts: database.transaction((receipts: readonly ArchivedReceipt[]) => {
      for (const one of receipts) {
        const { transactionId, item, chain } = one;
        addReceipt.run(transactionId, item, chain.logIndex ?? null, JSON.stringify(one));
      }
    }),
    about: (movement) => {
      const record = recordOf(movement);
      if (record === undefined) return {};
      const { id: transactionId, state, refId } = record;
      const receipts: ArchivedReceipt[] = receiptsOf
        .all(transactionId)
        .map((text) => JSON.parse(String(text)));
      const own = receiptAmong(receipts, { refId, logIndex: movement.logIndex });
      const named = namedWrite(refId);
      const order = (own ?? receipts[0])?.order.id ?? named?.order;
      const line = own?.step === 'line' ? own.item : named?.line;
      const { reference, linesDigest } = own?.order ?? {};
      return {
        transactionId,
        state,
        ...(refId ? { refId } : {}),
        ...(order === undefined ? {} : { order }),
        ...(line === undefined ? {} : { line }),
        ...(linesDigest === undefined ? {} : { linesDigest }),
        ...(reference === undefined ? {} : { reference }),
      };
    },
  };
}

/** The records of what a wallet received. Records without a receiver count where none names it. */
function receivedBy(wallet: string, records: readonly Transaction[]): Transaction[] {
  const own = records.filter(({ destinationAddress: to }) => sameText(to, wallet));
  return own.length > 0 ? own : records.filter(({ destinationAddress: to }) => !to);
}

function readRow(row: unknown): { type: string; source: string; doc: string } {
  const [type, source, doc] = Array.isArray(row) ? row.map(String) : [];
  return { type: type ?? '', source: source ?? '', doc: doc ?? '' };
}
