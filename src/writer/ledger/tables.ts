/**
 * The tables of a ledger. An amount is four numbers of nine digits, so that the sums of millions of
 * them fit into SQL's own integers.
 */
export const ledgerTables = [
  `CREATE TABLE IF NOT EXISTS writes (
    key TEXT PRIMARY KEY, hash TEXT NOT NULL, generation BIGINT NOT NULL, "orderId" TEXT NOT NULL,
    parts TEXT NOT NULL, body TEXT NOT NULL, state TEXT NOT NULL, "firstMs" BIGINT NOT NULL,
    attempts BIGINT NOT NULL, clean BIGINT NOT NULL, "endMs" BIGINT, "transactionId" TEXT,
    about TEXT, grounds TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS charges (
    key TEXT NOT NULL, scope TEXT NOT NULL, money TEXT NOT NULL, state TEXT NOT NULL,
    "endMs" BIGINT NOT NULL, a BIGINT NOT NULL, b BIGINT NOT NULL, c BIGINT NOT NULL,
    d BIGINT NOT NULL, PRIMARY KEY (key, scope, money))`,
  `CREATE TABLE IF NOT EXISTS burnt (
    hash TEXT NOT NULL, generation BIGINT NOT NULL, PRIMARY KEY (hash, generation))`,
  `CREATE TABLE IF NOT EXISTS refused (
    hash TEXT NOT NULL, generation BIGINT NOT NULL, PRIMARY KEY (hash, generation))`,
  `CREATE TABLE IF NOT EXISTS findings (
    key TEXT PRIMARY KEY, "atMs" BIGINT NOT NULL, person TEXT NOT NULL, statement TEXT NOT NULL,
    signature TEXT NOT NULL)`,
  'CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL)',
  'CREATE TABLE IF NOT EXISTS outside (id TEXT PRIMARY KEY, state TEXT NOT NULL)',
  `CREATE TABLE IF NOT EXISTS rejections (
    "orderId" TEXT NOT NULL, path TEXT NOT NULL, generation BIGINT NOT NULL, person TEXT NOT NULL,
    signature TEXT NOT NULL, "atMs" BIGINT NOT NULL, PRIMARY KEY ("orderId", path, generation))`,
  // The attempts at lines that were let out in batches, by their payout and their marks.
  `CREATE TABLE IF NOT EXISTS lines (
    payout TEXT NOT NULL, mark TEXT NOT NULL, key TEXT NOT NULL, money TEXT NOT NULL,
    amount TEXT NOT NULL, "isUnpaid" BIGINT NOT NULL, PRIMARY KEY (payout, mark))`,
  // Withdrawn orders, lines and periods, each by a key or by the name of its person.
  `CREATE TABLE IF NOT EXISTS withdrawals (
    "orderId" TEXT NOT NULL, "publicKey" TEXT NOT NULL, "untilMs" BIGINT NOT NULL,
    signature TEXT NOT NULL, PRIMARY KEY ("orderId", "publicKey"))`,
  // The transactions that writes have ordered.
  'CREATE TABLE IF NOT EXISTS orders (key TEXT PRIMARY KEY, call TEXT NOT NULL)',
  // Transactions that the service says to have had no effect, and since when it has said so.
  `CREATE TABLE IF NOT EXISTS claims (
    id TEXT PRIMARY KEY, "sinceMs" BIGINT NOT NULL, asked BIGINT NOT NULL)`,
  // Payments by payee. The key is that of their charges, and they count as long as these do.
  `CREATE TABLE IF NOT EXISTS payments (
    key TEXT NOT NULL, mark TEXT NOT NULL, address TEXT NOT NULL, money TEXT NOT NULL,
    amount TEXT NOT NULL, "keptMs" BIGINT NOT NULL,
    PRIMARY KEY (key, mark, address, money, amount))`,
  'CREATE TABLE IF NOT EXISTS payees (address TEXT PRIMARY KEY, payments BIGINT NOT NULL)',
  // The assertions of passkeys that came in time. They count also when they are shown again later.
  `CREATE TABLE IF NOT EXISTS assertions (
    challenge TEXT NOT NULL, "publicKey" TEXT NOT NULL, "atMs" BIGINT NOT NULL,
    PRIMARY KEY (challenge, "publicKey"))`,
  // Withdrawals by their statements, and the moment up to which each reached when it first came.
  `CREATE TABLE IF NOT EXISTS withdrawn (
    digest TEXT NOT NULL, "publicKey" TEXT NOT NULL, "untilMs" BIGINT NOT NULL,
    PRIMARY KEY (digest, "publicKey"))`,
];

/** The table that came last. A database that has it has all others. */
export const newestTable = 'withdrawn';

/** The indexes of these tables. */
export const indexes = [
  'CREATE INDEX IF NOT EXISTS "outsideByState" ON outside (state)',
  'CREATE UNIQUE INDEX IF NOT EXISTS "writesByReference" ON writes (hash, generation)',
  'CREATE INDEX IF NOT EXISTS "writesByState" ON writes (state, "firstMs")',
  'CREATE INDEX IF NOT EXISTS "writesByAbout" ON writes (about)',
  'CREATE INDEX IF NOT EXISTS "writesById" ON writes ("transactionId")',
  'CREATE INDEX IF NOT EXISTS "linesByKey" ON lines (key)',
  'CREATE INDEX IF NOT EXISTS "paymentsByAddress" ON payments (address, "keptMs")',
  `CREATE INDEX IF NOT EXISTS "payeesByEnds"
    ON payees (substr(address, 3, 2), substr(address, 41, 2))`,
  `CREATE INDEX IF NOT EXISTS "paymentsBySum"
    ON payments (address, money, amount, "keptMs")`,
  `CREATE INDEX IF NOT EXISTS "chargesInWindow"
    ON charges (scope, money, state, "endMs", a, b, c, d)`,
];

const limb = 1_000_000_000n;
const limbs = 4;

/** No amount of a ledger is as large. */
export const amountEnd = limb ** BigInt(limbs);

/** The four numbers of an amount, the smallest first. */
export function limbsOf(amount: bigint): number[] {
  let rest = amount;
  const found = Array.from({ length: limbs }, () => {
    const part = Number(rest % limb);
    rest /= limb;
    return part;
  });
  if (rest > 0n || amount < 0n) throw new RangeError(`${amount} is no amount of a ledger.`);
  return found;
}

/** The amount of four numbers, or of their sums. */
export function amountOf(sums: readonly unknown[]): bigint {
  return sums.reduceRight<bigint>((sum, part) => sum * limb + BigInt(Number(part ?? 0)), 0n);
}
