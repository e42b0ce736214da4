import { type Contents, statement } from '../../store/work';
import { ArchiveError } from './archive';

/** Stands in the name of a receipt that contradicts another one. No write has it in its name. */
export const contradicting = ' contradicts ';

/** The contents of an archive. */
export const archiveContents: Contents = {
  name: 'archive',
  schema: 'steadfast_archive',
  // "archive" as bytes, as far as a number has room.
  lockId: 0x61_72_63_68_69_76,
  tables: [
    `CREATE TABLE IF NOT EXISTS receipts (
      at BIGINT PRIMARY KEY, write TEXT NOT NULL UNIQUE, "orderId" TEXT NOT NULL,
      place BIGINT NOT NULL, hash TEXT NOT NULL, stamp TEXT NOT NULL, "timeMs" BIGINT NOT NULL,
      doc TEXT NOT NULL)`,
    'CREATE TABLE IF NOT EXISTS days (day TEXT PRIMARY KEY, bytes BIGINT NOT NULL)',
    // Payments of the receipts up to a row, in a short form, many in one row.
    'CREATE TABLE IF NOT EXISTS payments (at BIGINT PRIMARY KEY, doc TEXT NOT NULL)',
  ],
  indexes: [
    'CREATE INDEX IF NOT EXISTS "receiptsByTime" ON receipts ("timeMs", at)',
    'CREATE UNIQUE INDEX IF NOT EXISTS "receiptsByOrder" ON receipts ("orderId", place)',
  ],
  newestTable: 'payments',
  whenDamaged:
    'Restore it from a backup, or move it away and run steadfast archive rebuild for its orders.',
  Fault: ArchiveError,
};

/** The statements of an archive. */
export const archiveSql = {
  head: statement('SELECT at, stamp FROM receipts ORDER BY at DESC LIMIT 1'),
  ofWrite: statement('SELECT at, doc FROM receipts WHERE write = ?'),
  contradicting: statement(`SELECT at, doc FROM receipts WHERE write LIKE '%${contradicting}%'
    ORDER BY at DESC LIMIT ?`),
  lastOf: statement(`SELECT place, hash FROM receipts WHERE "orderId" = ?
    ORDER BY place DESC LIMIT 1`),
  add: statement('INSERT INTO receipts VALUES (?, ?, ?, ?, ?, ?, ?, ?)'),
  ofTime: statement(`SELECT at, "timeMs", doc FROM receipts
    WHERE ("timeMs", at) > (?, ?) AND "timeMs" < ? ORDER BY "timeMs", at LIMIT ?`),
  ofOrder: statement(`SELECT at, "timeMs", doc FROM receipts
    WHERE "orderId" = ? AND ("timeMs", at) > (?, ?) AND "timeMs" < ?
    ORDER BY "timeMs", at LIMIT ?`),
  // The database may fold the letters of ASCII alone.
  ofText: statement(`SELECT at, "timeMs", doc FROM receipts
    WHERE ("timeMs", at) > (?, ?) AND "timeMs" < ? AND lower(doc) LIKE lower(?) ESCAPE '!'
    ORDER BY "timeMs", at LIMIT ?`),
  after: statement('SELECT * FROM receipts WHERE at > ? ORDER BY at LIMIT ?'),
  firstSince: statement('SELECT MIN(at) AS at FROM receipts WHERE "timeMs" >= ?'),
  lastBefore: statement(`SELECT at FROM receipts WHERE "timeMs" < ?
    ORDER BY "timeMs" DESC, at DESC LIMIT 1`),
  lastPayment: statement('SELECT MAX(at) AS at FROM payments'),
  addPayments: statement('INSERT INTO payments VALUES (?, ?) ON CONFLICT DO NOTHING'),
  paymentsWithin: statement(`SELECT at, doc FROM payments
    WHERE at > ? AND at <= ? ORDER BY at`),
  nextPayments: statement('SELECT at, doc FROM payments WHERE at > ? ORDER BY at LIMIT 1'),
  lastDay: statement('SELECT day, bytes FROM days ORDER BY day DESC LIMIT 1'),
  days: statement('SELECT day, bytes FROM days ORDER BY day'),
  setDay: statement(`INSERT INTO days VALUES (?, ?)
    ON CONFLICT (day) DO UPDATE SET bytes = excluded.bytes`),
};
