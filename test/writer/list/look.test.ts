import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '../../../src/custody/objects/transaction';
import type { TransactionList } from '../../../src/custody/outbound';
import { looksAt } from '../../../src/writer/list/look';

const beginMs = Date.parse('2026-01-31T12:00:00Z');

const recordAt = (number: number, ms: number): Transaction => ({
  id: `t${number}`,
  blockchain: 'ARC-TESTNET',
  state: 'COMPLETE',
  transactionType: 'OUTBOUND',
  createDate: new Date(beginMs + ms).toISOString(),
  updateDate: new Date(beginMs + ms).toISOString(),
});

/** A list of records, newest first, whose answers somebody may hold back. */
function listOf(records: readonly Transaction[]) {
  const service = { pages: 0, looks: 0, held: Promise.resolve() };
  const listTransactions: TransactionList['listTransactions'] = async ({ pageAfter }, how) => {
    service.pages += 1;
    if (pageAfter === undefined) service.looks += 1;
    await service.held;
    const from = records.findIndex(({ id }) => id === pageAfter) + 1;
    const transactions = records.slice(from, from + 50);
    const isLast = from + transactions.length >= records.length;
    how?.paged?.(isLast ? {} : { next: String(transactions.at(-1)?.id) });
    return { transactions };
  };
  return { service, list: { listTransactions } };
}

/** The memory of a ledger, as far as looks need one. */
function memory() {
  const known: { untilMs?: number } = {};
  return {
    readUntil: async () => known.untilMs,
    hasRead: async (look: { newestMs: number }) => {
      known.untilMs = look.newestMs;
    },
  };
}

/** So many records, one a second. */
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => recordAt(count - at, -at * 1_000));

/** Looks whose clock a test moves. */
function looksOf(list: TransactionList, ledger = memory()) {
  const clock = { ms: 0 };
  const looks = looksAt(list, ledger, { passedMs: () => clock.ms, waitMs: 50 });
  return { looks, clock };
}

/** A promise that is kept when a test says so. */
function holding() {
  let letGo = (): void => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return { held, letGo: () => letGo() };
}

it('reads the whole list at first, and then back to one minute before what it knew', async () => {
  const { service, list } = listOf(many(1_000));
  const { looks, clock } = looksOf(list);
  await looks.once();
  expect(service.pages).toBe(21);
  clock.ms += 20_000;
  await looks.fresh();
  expect(service.pages).toBe(21 + 2);
});

it('continues where any other writer of the ledger has read', async () => {
  const { service, list } = listOf(many(1_000));
  const ledger = memory();
  await looksOf(list, ledger).looks.once();
  await looksOf(list, ledger).looks.once();
  expect(service.pages).toBe(21 + 2);
});

it('looks once in ten seconds for all who ask, and early enough that nobody waits', async () => {
  const { service, list } = listOf(many(1));
  const { looks, clock } = looksOf(list);
  await Promise.all(Array.from({ length: 100 }, () => looks.fresh()));
  expect(service.looks).toBe(1);
  const { held, letGo } = holding();
  service.held = held;
  for (const ms of [5_001, 7_000, 10_000]) {
    clock.ms = ms;
    await looks.fresh();
  }
  expect(service.looks).toBe(2);
  letGo();
  await sleep(1);
  clock.ms = 15_000;
  await looks.fresh();
  await sleep(1);
  expect(service.looks).toBe(3);
});

it('lets nobody pass whose last look is too old, and waits for no look for long', async () => {
  const { service, list } = listOf(many(1));
  const { looks, clock } = looksOf(list);
  await looks.once();
  const { held, letGo } = holding();
  service.held = held;
  clock.ms = 10_001;
  await expect(looks.fresh()).rejects.toMatchObject({
    next: 'again',
    message: 'The list of what the account has sent is being read. Nothing was sent.',
  });
  letGo();
  await looks.fresh();
  expect(service.looks).toBe(2);
});

it('lets nobody pass on a look that began too long ago', async () => {
  const { service, list } = listOf(many(1));
  const { looks, clock } = looksOf(list);
  await looks.once();
  const { held, letGo } = holding();
  service.held = held;
  clock.ms = 5_001;
  await looks.fresh();
  clock.ms = 20_000;
  const passing = looks.fresh();
  letGo();
  await passing;
  expect(service.looks).toBe(3);
});

it('ends with an error where the pages go round in a circle', async () => {
  const pages = ['b', 'a', 'b'].map((id) => ({ transactions: [{ ...recordAt(0, 0), id }] }));
  let asked = 0;
  const circle = { listTransactions: async () => pages[asked++ % 2] ?? { transactions: [] } };
  const { looks } = looksOf(circle);
  await expect(looks.once()).rejects.toThrow(
    'A list does not end: the page after a ends with b again.',
  );
});

it('looks again after a look that has failed', async () => {
  const { service, list } = listOf(many(1));
  const { looks } = looksOf(list);
  service.held = Promise.reject(new Error('away'));
  await expect(looks.once()).rejects.toThrow('away');
  service.held = Promise.resolve();
  await looks.once();
  expect(service.looks).toBe(2);
});
