import { randomUUID } from 'node:crypto';
import { RefusedError } from '../../../src/custody/errors';
import { createAccountIndex } from '../../../src/store/index/accountIndex';
import { type Account, hashOf, manyRecords, openAccount, recordOf, tooMany } from './account';

const graceMs = 600_000;

const indexOf = ({ custody }: Account) => createAccountIndex({ custody, graceMs });

/** Asks as an activity does: again after each refusal of the rate limit, and by the same name. */
async function ask(index: ReturnType<typeof indexOf>, order: string) {
  const name = randomUUID();
  for (;;) {
    try {
      return await index.lookUp([hashOf(order)], { name });
    } catch (error) {
      if (!(error instanceof RefusedError) || error.status !== 429) throw error;
      await new Promise((resolve) => setTimeout(resolve, error.retryAfterMs));
    }
  }
}

describe('a look-up', () => {
  it('finds a record on any page, of any wallet, recipient and operation, and any age', async () => {
    const account = openAccount(manyRecords(300));
    const elsewhere = {
      walletId: randomUUID(),
      destinationAddress: '0x3333333333333333333333333333333333333333',
      blockchain: 'ETH-SEPOLIA',
    };
    const call = { ...elsewhere, operation: 'CONTRACT_EXECUTION' };
    const old = recordOf('old', -86_400 * 365, call);
    account.records.push(old);
    const { entries } = await indexOf(account).lookUp([hashOf('old'), hashOf('order-7')]);
    expect(entries).toMatchObject([
      {
        hash: hashOf('old'),
        generation: 0,
        record: { id: old.id, ...elsewhere },
      },
      { hash: hashOf('order-7') },
    ]);
    expect(Object.keys(account.pages[0] ?? {}).sort()).toEqual([
      'includeAll',
      'pageSize',
      'txType',
    ]);
  });

  it('finds every generation of a write, and none of what somebody received', async () => {
    const account = openAccount([
      recordOf('order', 2, { refId: `x ${hashOf('order')}.g2` }),
      recordOf('order', 1, { refId: `x ${hashOf('order')}.g1`, state: 'FAILED' }),
      recordOf('order', 0, { transactionType: 'INBOUND' }),
    ]);
    const { custody } = account;
    // A service that does not know the filter.
    custody.listTransactions = async ({ pageAfter }) => ({
      transactions: pageAfter === undefined ? account.records : [],
    });
    const { entries } = await indexOf(account).lookUp([hashOf('order')]);
    expect(entries.map(({ generation }) => generation).sort()).toEqual([1, 2]);
  });

  it('reads the list once, and then its head back to one grace period before the last reading', async () => {
    const account = openAccount(manyRecords(12_000));
    const index = indexOf(account);
    await index.lookUp([hashOf('nobody')]);
    expect(account.pages).toHaveLength(12_000 / 50 + 1);
    account.pages = [];
    account.records.unshift(recordOf('late', 12_000));
    const { entries, seen } = await index.lookUp([hashOf('late')]);
    expect(entries).toHaveLength(1);
    expect(seen).toBe(12_001);
    // 601 records: the records of 600 seconds, and the new one.
    expect(account.pages).toHaveLength(13);
  });

  it('finds a record that shows late, behind newer ones, within the grace period', async () => {
    const account = openAccount(manyRecords(2_000));
    const index = indexOf(account);
    await index.lookUp([hashOf('nobody')]);
    const late = recordOf('late', 1_401);
    account.records.splice(599, 0, late);
    const { entries } = await index.lookUp([hashOf('late')]);
    expect(entries.map(({ record }) => record.id)).toEqual([late.id]);
  });

  it('reads to what it knows when the service puts its clock back', async () => {
    const account = openAccount(manyRecords(2_000));
    const index = indexOf(account);
    await index.lookUp([hashOf('nobody')]);
    const before = Array.from({ length: 200 }, (_, n) => recordOf(`again-${n}`, n)).reverse();
    account.records.unshift(...before);
    const { entries } = await index.lookUp([hashOf('again-0')]);
    expect(entries).toHaveLength(1);
  });

  it('reads no page more for 5000 inbound records', async () => {
    const account = openAccount(manyRecords(100));
    const dust = Array.from({ length: 5_000 }, (_, n) =>
      recordOf('dust', 200 + n, { refId: '', transactionType: 'INBOUND' }),
    );
    const index = indexOf(account);
    await index.lookUp([hashOf('order-1')]);
    account.pages = [];
    await index.lookUp([hashOf('order-1')]);
    const pages = account.pages.length;
    account.records.unshift(...dust);
    account.pages = [];
    await index.lookUp([hashOf('order-1')]);
    expect(account.pages).toHaveLength(pages);
  });

  it('reads a record again that was not final, and no other', async () => {
    const open = recordOf('open', 0, { state: 'SENT' });
    const account = openAccount([...manyRecords(2_000), open]);
    const index = indexOf(account);
    await index.lookUp([hashOf('nobody')]);
    open.state = 'COMPLETE';
    const hashes = [hashOf('open'), hashOf('order-3')];
    const states = async () =>
      (await index.lookUp(hashes)).entries.map(({ record }) => record.state);
    expect(await states()).toEqual(['COMPLETE', 'COMPLETE']);
    expect(await states()).toEqual(['COMPLETE', 'COMPLETE']);
    expect(account.gets).toEqual([open.id]);
  });
});

describe('many look-ups at once', () => {
  it('all end under a rate limit, with one pass and one reading of the head', async () => {
    const account = openAccount(manyRecords(12_000));
    // 20 calls, and then a refusal.
    account.onPage = (page) => (page % 21 === 0 ? tooMany() : undefined);
    const index = indexOf(account);
    const orders = Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? `order-${n}` : `new-${n}`));
    const answers = await Promise.all(orders.map((order) => ask(index, order)));
    expect(answers.map(({ entries }) => entries.length)).toEqual(orders.map((_, n) => 1 - (n % 2)));
    const refused = Math.floor(account.pages.length / 21);
    expect(account.pages.length - refused).toBe(241);
  });

  it('answer from no reading that began before the question', async () => {
    const account = openAccount(manyRecords(200));
    const index = indexOf(account);
    let late: Promise<unknown[]> | undefined;
    account.onPage = (page) => {
      if (page !== 3) return undefined;
      // The reading has passed the place of this record.
      account.records.unshift(recordOf('sent meanwhile', 200));
      late = index.lookUp([hashOf('sent meanwhile')]).then(({ entries }) => entries);
      return undefined;
    };
    const early = await index.lookUp([hashOf('sent meanwhile')]);
    expect(early.entries).toHaveLength(0);
    expect(await late).toHaveLength(1);
  });

  it('say when the reading began that they are answered from', async () => {
    const account = openAccount(manyRecords(200));
    const index = indexOf(account);
    let halfWayMs = 0;
    account.onPage = async (page) => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      if (page === 2) halfWayMs = Date.now();
    };
    const before = Date.now();
    const { asOfMs } = await index.lookUp([]);
    expect(asOfMs).toBeGreaterThanOrEqual(before);
    expect(asOfMs).toBeLessThanOrEqual(halfWayMs);
  });

  it('join the next reading when they come later, all of them the same one', async () => {
    const account = openAccount(manyRecords(200));
    const index = indexOf(account);
    const later: Promise<unknown>[] = [];
    account.onPage = (page) => {
      if (page <= 5) later.push(index.lookUp([hashOf(`order-${page}`)]));
      return undefined;
    };
    await index.lookUp([]);
    await Promise.all(later);
    // Two readings of 4 full pages and the empty one.
    expect(account.pages).toHaveLength(10);
  });
});

describe('a reading that fails', () => {
  it('continues where it was', async () => {
    const account = openAccount(manyRecords(1_000));
    account.onPage = (page) => (page === 10 ? tooMany() : undefined);
    const index = indexOf(account);
    await expect(index.lookUp([], { name: 'one' })).rejects.toMatchObject({ status: 429 });
    await index.lookUp([], { name: 'one' });
    expect(account.pages).toHaveLength(22);
  });

  it('is not what a new question is answered from', async () => {
    const account = openAccount(manyRecords(1_000));
    account.onPage = (page) => (page === 10 ? tooMany() : undefined);
    const index = indexOf(account);
    await expect(index.lookUp([], { name: 'one' })).rejects.toMatchObject({ status: 429 });
    account.records.unshift(recordOf('meanwhile', 1_000));
    const { entries } = await index.lookUp([hashOf('meanwhile')], { name: 'two' });
    expect(entries).toHaveLength(1);
  });

  it('ends a list that does not end', async () => {
    const account = openAccount(manyRecords(100));
    const { custody, records } = account;
    custody.listTransactions = async () => ({ transactions: records.slice(0, 50) });
    await expect(indexOf(account).lookUp([])).rejects.toThrow('A list does not end');
  });
});

it('stops waiting when its caller is cancelled', async () => {
  const account = openAccount(manyRecords(1_000));
  const stop = new AbortController();
  account.onPage = (page) => {
    if (page === 3) stop.abort(new Error('cancelled'));
    return undefined;
  };
  const asked = indexOf(account).lookUp([], { signal: stop.signal });
  await expect(asked).rejects.toThrow('cancelled');
  expect(account.pages).toHaveLength(3);
});
