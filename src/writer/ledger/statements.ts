import { batchedGenerationMax } from '../../custody/batch';
import { statement, type Work } from '../../store/work';
import { feeMoney, unreadMoney } from './ledger';
import { anyLine, anyPayout } from './lines';

/** A write that holds something. Requests about others hold nothing of their own. */
const isOpen = `(state = 'open' AND about IS NULL
  AND EXISTS (SELECT 1 FROM charges WHERE charges.key = writes.key))`;

/** A write whose record has a word that is not proven. It is read by itself. */
const isClaimed = `EXISTS (SELECT 1 FROM claims WHERE claims.id = writes."transactionId")`;

/** A write whose record this writer has not seen. */
const isUnseen = `hash = ? AND generation = ? AND state = 'open' AND "transactionId" IS NULL`;

const sums = 'SUM(a) AS a, SUM(b) AS b, SUM(c) AS c, SUM(d) AS d';
const isCounted = 'scope = ? AND money IN (?, ?)';
const isSettled = `${isCounted} AND state = 'settled' AND "endMs" > ?`;
/** The charges of payments that others have made. */
const isOutside = "key LIKE 'outside %'";

/** A placeholder for each generation of a line that may have been in a batch. */
const marks = Array.from({ length: batchedGenerationMax + 1 }, () => '?').join(', ');

/** The lines of a payout. A batch that names no payout of its own may be of any. */
const ofPayout = `payout IN (?, '${anyPayout}')`;

/** The lines that batches have paid, as far as is known. */
const settledLines = `lines JOIN writes ON writes.key = lines.key
  WHERE writes.state = 'settled' AND "isUnpaid" = 0`;

/** Payments that are not known to have failed alone. `endMs` is null for one without a charge. */
const keptPayments = `SELECT payments.*, writes.hash, writes."orderId",
    (SELECT MAX("endMs") FROM charges WHERE charges.key = payments.key
      AND charges.money = payments.money AND charges.state IN ('open', 'settled')) AS "endMs"
  FROM payments LEFT JOIN writes ON writes.key = payments.key
  WHERE NOT EXISTS (SELECT 1 FROM lines WHERE lines.key = payments.key
    AND lines.mark = payments.mark AND "isUnpaid" = 1)`;

/** The statements of a ledger. */
export const sql = {
  readFact: statement('SELECT value FROM facts WHERE name = ?'),
  keepFact: statement('INSERT INTO facts VALUES (?, ?) ON CONFLICT DO NOTHING'),
  setFact: statement(`INSERT INTO facts VALUES (?, ?)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`),
  byKey: statement('SELECT * FROM writes WHERE key = ?'),
  byReference: statement('SELECT * FROM writes WHERE hash = ? AND generation = ?'),
  attempts: statement(`SELECT generation, state FROM writes WHERE hash = ?1 AND about IS NULL
    UNION ALL SELECT generation, 'burnt' AS state FROM burnt WHERE hash = ?1
    UNION ALL SELECT generation, 'refused' AS state FROM refused WHERE hash = ?1`),
  batched: statement(`SELECT lines.mark, lines."isUnpaid", writes.state FROM lines
    LEFT JOIN writes ON writes.key = lines.key
    WHERE ${ofPayout} AND lines.mark IN (${marks}, '${anyLine}')`),
  isMarked: statement(`SELECT mark FROM lines WHERE ${ofPayout} AND mark IN (?, '${anyLine}')`),
  addLine: statement('INSERT INTO lines VALUES (?, ?, ?, ?, ?, 0)'),
  settledBatch: statement(
    `SELECT writes."transactionId" FROM ${settledLines} AND ${ofPayout} AND mark = ?`,
  ),
  settledLines: statement(
    `SELECT lines.* FROM ${settledLines} AND "transactionId" = ? AND mark = ?`,
  ),
  leaveUnpaid: statement('UPDATE lines SET "isUnpaid" = 1 WHERE key = ? AND mark = ?'),
  setCharge: statement(`UPDATE charges SET a = ?, b = ?, c = ?, d = ?
    WHERE key = ? AND scope = ? AND money = ?`),
  dropLines: statement('DELETE FROM lines WHERE key = ?'),
  burnMark: statement(`INSERT INTO lines VALUES (?, ?, ?, '', '0', 0)
    ON CONFLICT (payout, mark) DO UPDATE SET key = excluded.key, "isUnpaid" = 0`),
  refuse: statement('INSERT INTO refused VALUES (?, ?) ON CONFLICT DO NOTHING'),
  see: statement(`UPDATE writes SET "transactionId" = ? WHERE ${isUnseen}`),
  isUnseen: statement(`SELECT key FROM writes WHERE ${isUnseen}`),
  requests: statement(`SELECT key FROM writes WHERE about = ? AND state <> 'unsent'`),
  open: statement(`SELECT * FROM writes WHERE ${isOpen} AND NOT ${isClaimed}
    ORDER BY "firstMs" LIMIT ?`),
  openOrFound: statement(`SELECT * FROM writes
    WHERE (${isOpen} AND NOT ${isClaimed}) OR (state = 'found' AND "endMs" > ?)
    ORDER BY "firstMs" LIMIT ?`),
  held: statement(`SELECT * FROM writes
    WHERE ${isOpen} AND "transactionId" IS NULL AND "firstMs" < ? ORDER BY "firstMs" LIMIT ?`),
  chargesOf: statement('SELECT * FROM charges WHERE key = ?'),
  drop: statement('DELETE FROM writes WHERE key = ?'),
  add: statement(`INSERT INTO writes VALUES
    (?, ?, ?, ?, ?, ?, 'open', ?, 1, 0, NULL, NULL, ?, ?)`),
  addAttempt: statement('UPDATE writes SET attempts = attempts + 1 WHERE key = ?'),
  addClean: statement('UPDATE writes SET clean = clean + 1 WHERE key = ?'),
  accept: statement(`UPDATE writes SET "transactionId" = ? WHERE key = ? AND state = 'open'`),
  giveBack: statement(`UPDATE writes SET state = 'unsent'
    WHERE key = ? AND state = 'open' AND clean >= attempts AND "transactionId" IS NULL
    RETURNING key`),
  end: statement('UPDATE writes SET state = ?, "endMs" = ?, "transactionId" = ? WHERE key = ?'),
  charge: statement("INSERT INTO charges VALUES (?, ?, ?, 'open', 0, ?, ?, ?, ?)"),
  dropCharges: statement('DELETE FROM charges WHERE key = ?'),
  endCharges: statement('UPDATE charges SET state = ?, "endMs" = ? WHERE key = ?'),
  endFee: statement(`UPDATE charges SET a = ?, b = ?, c = ?, d = ?, state = 'settled', "endMs" = ?
    WHERE key = ? AND money = '${feeMoney}'`),
  openSum: statement(`SELECT ${sums} FROM charges
    WHERE ${isCounted} AND state = 'open'`),
  settledSum: statement(`SELECT ${sums} FROM charges WHERE ${isSettled}`),
  openOutside: statement(`SELECT ${sums} FROM charges
    WHERE ${isCounted} AND state = 'open' AND ${isOutside}`),
  settledOutside: statement(`SELECT ${sums} FROM charges WHERE ${isSettled} AND ${isOutside}`),
  unread: statement(`SELECT key, state, "endMs" FROM charges
    WHERE scope IN (?, ?) AND money = '${unreadMoney}'
    AND (state = 'open' OR (state = 'settled' AND "endMs" > ?))
    ORDER BY state, "endMs" DESC LIMIT 1`),
  settledEnds: statement(`SELECT "endMs", ${sums} FROM charges WHERE ${isSettled}
    GROUP BY "endMs" ORDER BY "endMs" LIMIT 1000`),
  outside: statement('SELECT state FROM outside WHERE id = ?'),
  setOutside: statement(`INSERT INTO outside VALUES (?, ?)
    ON CONFLICT (id) DO UPDATE SET state = excluded.state`),
  movingOutside: statement(`SELECT id FROM outside WHERE state IN ('moving', 'unread')
    AND NOT EXISTS (SELECT 1 FROM claims WHERE claims.id = outside.id) ORDER BY id LIMIT ?`),
  ownWrite: statement(`SELECT key FROM writes WHERE hash = ? AND generation = ?
    AND state <> 'unsent' AND ("transactionId" IS NULL OR "transactionId" = ?)`),
  leaveOutside: statement('DELETE FROM outside WHERE id = ?'),
  giveLines: statement('UPDATE lines SET key = ? WHERE key = ?'),
  writeOf: statement('SELECT * FROM writes WHERE "transactionId" = ? AND about IS NULL'),
  addOrder: statement(`INSERT INTO orders VALUES (?, ?)
    ON CONFLICT (key) DO UPDATE SET call = excluded.call`),
  orderedCall: statement('SELECT call FROM orders WHERE key = ?'),
  claim: statement('SELECT * FROM claims WHERE id = ?'),
  addClaim: statement(`INSERT INTO claims (id, "sinceMs", asked) VALUES (?, ?, 0)
    ON CONFLICT DO NOTHING`),
  claimAsked: statement('UPDATE claims SET asked = asked + 1 WHERE id = ?'),
  dropClaim: statement('DELETE FROM claims WHERE id = ?'),
  isWaiting: statement(`SELECT "transactionId" AS id FROM writes
    WHERE "transactionId" = ?1 AND about IS NULL AND state IN ('open', 'released')
    UNION ALL SELECT id FROM outside WHERE id = ?1 AND state <> 'settled'`),
  isCounted: statement(`SELECT "transactionId" AS id FROM writes
    WHERE "transactionId" = ?1 AND about IS NULL AND state <> 'released'
    UNION ALL SELECT id FROM outside WHERE id = ?1 AND state <> 'void'`),
  claims: statement(`SELECT claims.id FROM claims
    LEFT JOIN writes ON writes."transactionId" = claims.id AND writes.about IS NULL
    LEFT JOIN outside ON outside.id = claims.id
    WHERE (writes.state = 'open' OR outside.state IN ('moving', 'unread'))
    AND (claims.asked = 0 OR claims."sinceMs" <= ?) ORDER BY claims.asked LIMIT ?`),
  claimsSince: statement(`SELECT id FROM claims WHERE "sinceMs" > ? ORDER BY asked LIMIT ?`),
  openBefore: statement(`SELECT "transactionId" FROM writes WHERE hash = ? AND generation < ?
    AND state = 'open' AND about IS NULL AND "transactionId" IS NOT NULL`),
  openBatches: statement(`SELECT DISTINCT "transactionId" FROM lines
    JOIN writes ON writes.key = lines.key WHERE state = 'open' AND "transactionId" IS NOT NULL
    AND ${ofPayout} AND mark IN (${marks})`),
  addPayment: statement(`INSERT INTO payments VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`),
  countPayee: statement(`INSERT INTO payees VALUES (?, 1)
    ON CONFLICT (address) DO UPDATE SET payments = payees.payments + 1`),
  payee: statement('SELECT payments FROM payees WHERE address = ?'),
  payeesWithEnds: statement(`SELECT address FROM payees
    WHERE substr(address, 3, 2) = ? AND substr(address, 41, 2) = ?`),
  paymentsTo: statement(`${keptPayments} AND address = ? ORDER BY "keptMs" DESC LIMIT ?`),
  samePayments: statement(`${keptPayments} AND address = ? AND payments.money = ?
    AND payments.amount = ? ORDER BY "keptMs" DESC LIMIT ?`),
  reject: statement('INSERT INTO rejections VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING'),
  rejection: statement(`SELECT path, generation, person FROM rejections WHERE "orderId" = ?1
    AND (path = ?2 AND generation <= ?3 OR path = ?4)
    ORDER BY (path = ?4) DESC, generation DESC LIMIT 1`),
  assert: statement('INSERT INTO assertions VALUES (?, ?, ?) ON CONFLICT DO NOTHING'),
  assertion: statement('SELECT "atMs" FROM assertions WHERE challenge = ? AND "publicKey" = ?'),
  rejectedIn: statement('SELECT path, person FROM rejections WHERE "orderId" = ?'),
  withdraw: statement(`INSERT INTO withdrawals VALUES (?, ?, ?, ?)
    ON CONFLICT ("orderId", "publicKey") DO UPDATE
    SET "untilMs" = excluded."untilMs", signature = excluded.signature
    WHERE excluded."untilMs" > withdrawals."untilMs"`),
  handOver: statement('INSERT INTO withdrawn VALUES (?, ?, ?)'),
  handedOver: statement('SELECT "untilMs" FROM withdrawn WHERE digest = ? AND "publicKey" = ?'),
  withdrawal: statement(`SELECT "untilMs" FROM withdrawals
    WHERE "orderId" = ? AND "publicKey" IN (?, ?) AND "untilMs" >= ?
    ORDER BY "untilMs" DESC LIMIT 1`),
  find: statement('INSERT INTO findings VALUES (?, ?, ?, ?, ?)'),
  burn: statement('INSERT INTO burnt VALUES (?, ?) ON CONFLICT DO NOTHING'),
  isBurnt: statement('SELECT hash FROM burnt WHERE hash = ? AND generation = ?'),
};

/** A fact of the ledger as a whole. */
export function* factOf(name: string): Work<string | undefined> {
  const row = yield* sql.readFact.get(name);
  return row === undefined ? undefined : String(row.value);
}
