import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NotSentError, RefusedError, UnexpectedAnswerError } from '../../../src/custody/errors';
import { salvageTransaction } from '../../../src/custody/objects/transaction';
import { createAccountIndex } from '../../../src/store/index/accountIndex';
import { openIndexFile } from '../../../src/store/index/store';
import {
  type Account,
  apartMs,
  graceMs,
  hashOf,
  indexOf,
  manyRecords,
  more,
  openAccount,
  recordOf,
  second,
  statesOf,
} from './account';

/** A service that does not tell on a page whether another one follows. */
const silent = { hasLinks: false };

/** Answers one call with an empty page, which says that others follow, that none does, or nothing. */
function emptyOnce({ custody }: Account, at: number, links?: { next?: string }) {
  const { listTransactions } = custody;
  let calls = 0;
  custody.listTransactions = async (input, how) => {
    calls += 1;
    if (calls !== at) return listTransactions(input, how);
    if (links !== undefined) how?.paged?.(links);
    return { transactions: [] };
  };
}

describe('an empty page', () => {
  it('in the middle of a first pass hides nothing', async () => {
    const account = openAccount(manyRecords(2_000), silent);
    emptyOnce(account, 3);
    expect(await statesOf(indexOf(account), 'order-5')).toEqual(['COMPLETE']);
  });

  it('in a later reading hides nothing', async () => {
    const account = openAccount(manyRecords(100), silent);
    const index = indexOf(account);
    await index.lookUp([]);
    account.records.unshift(...more(2_000, 100));
    emptyOnce(account, 3);
    expect(await statesOf(index, 'more-5')).toEqual(['COMPLETE']);
  });

  it.each([
    ['tells no more', silent],
    ['says that it is the last page', {}],
  ])('at the very beginning hides nothing, where it %s', async (_, how) => {
    const account = openAccount(manyRecords(3), how);
    emptyOnce(account, 1, 'hasLinks' in how ? undefined : {});
    expect(await statesOf(indexOf(account), 'order-1')).toEqual(['COMPLETE']);
  });

  it.each([
    ['says nothing', undefined],
    ['says that it is the last', {}],
    ['says that others follow', { next: 'x' }],
  ])('that %s is an error after a page that said that others follow', async (_, links) => {
    const account = openAccount(manyRecords(2_000));
    emptyOnce(account, 3, links);
    const index = indexOf(account);
    await expect(index.lookUp([hashOf('order-5')])).rejects.toThrow(
      `A list has a gap: the page after ${account.records[99]?.id} is empty, and the service says ` +
        'that more follow. The page is read again.',
    );
    expect(await statesOf(index, 'order-5')).toEqual(['COMPLETE']);
    expect(account.pages.length).toBeLessThan(2 * 42);
  });

  it('is not the end, since a page that was cut short said that it was the last', async () => {
    const account = openAccount(manyRecords(2_000));
    const { listTransactions } = account.custody;
    let calls = 0;
    account.custody.listTransactions = async (input, how) => {
      calls += 1;
      if (calls !== 2) return listTransactions(input, how);
      const { transactions } = await listTransactions(input);
      how?.paged?.({});
      return { transactions: transactions.slice(0, 10) };
    };
    expect(await statesOf(indexOf(account), 'order-5')).toEqual(['COMPLETE']);
  });

  it.each([
    ['that tells its last page', {}, 3 + 1],
    ['that tells nothing', silent, 3 + 2],
  ])('costs an honest list little more, of a service %s', async (_, how, pages) => {
    const account = openAccount(manyRecords(120), how);
    await indexOf(account).lookUp([]);
    expect(account.pages).toHaveLength(pages);
  });
});

describe('a word that changes', () => {
  it.each([
    ['FAILED', 'COMPLETE'],
    ['COMPLETE', 'FAILED'],
    ['FAILED', 'SENT'],
    ['COMPLETE', 'SENT'],
    ['CANCELED', 'COMPLETE'],
  ])('is told as it is now, from %s to %s', async (before, after) => {
    const record = recordOf('x', 1_000, { state: before });
    const account = openAccount([record]);
    const index = indexOf(account);
    expect(await statesOf(index, 'x')).toEqual([before]);
    record.state = after;
    expect(await statesOf(index, 'x')).toEqual([after]);
  });

  it('is told as it is now, although the list does not reach so far back any more', async () => {
    const record = recordOf('x', 0, { state: 'FAILED' });
    const account = openAccount([...manyRecords(2_000), record]);
    const index = indexOf(account);
    expect(await statesOf(index, 'x', 'order-1')).toEqual(['FAILED', 'COMPLETE']);
    record.state = 'COMPLETE';
    account.gets = [];
    expect(await statesOf(index, 'x', 'order-1')).toEqual(['COMPLETE', 'COMPLETE']);
    expect(await statesOf(index, 'x', 'order-1')).toEqual(['COMPLETE', 'COMPLETE']);
    expect(account.gets).toEqual([record.id]);
  });

  it('is told, although a date in the future stood on the word before', async () => {
    const record = recordOf('x', 0, { state: 'FAILED', updateDate: '2999-01-01T00:00:00Z' });
    const account = openAccount([record]);
    const index = indexOf(account);
    expect(await statesOf(index, 'x')).toEqual(['FAILED']);
    Object.assign(record, { state: 'COMPLETE', updateDate: second(5) });
    expect(await statesOf(index, 'x')).toEqual(['COMPLETE']);
  });

  it('does not go back to that of an older copy of the list', async () => {
    const record = recordOf('x', 0, { updateDate: second(9) });
    const account = openAccount([record]);
    const index = indexOf(account);
    expect(await statesOf(index, 'x')).toEqual(['COMPLETE']);
    Object.assign(record, { state: 'FAILED', updateDate: second(5) });
    expect(await statesOf(index, 'x')).toEqual(['COMPLETE']);
  });

  it('is believed by the record alone, where the list says that there was no effect', async () => {
    const record = recordOf('x', 0, { state: 'COMPLETE' });
    const account = openAccount([record]);
    const { listTransactions } = account.custody;
    account.custody.listTransactions = async (...call) => {
      const { transactions } = await listTransactions(...call);
      return { transactions: transactions.map((one) => ({ ...one, state: 'FAILED' })) };
    };
    expect(await statesOf(indexOf(account), 'x')).toEqual(['COMPLETE']);
  });

  it('of hundreds of failed records is read again by all, also through a rate limit', async () => {
    const failed = manyRecords(300).map((one) => ({ ...one, state: 'FAILED' }));
    const account = openAccount(failed);
    const { getTransaction } = account.custody;
    let calls = 0;
    account.custody.getTransaction = async (input) => {
      calls += 1;
      if (calls % 50 === 0) throw new RefusedError('Too many', { status: 429, code: 429 });
      return getTransaction(input);
    };
    const index = indexOf(account);
    const hashes = failed.map((_, n) => hashOf(`order-${n}`));
    const name = randomUUID();
    for (let tries = 0; ; tries += 1) {
      expect(tries).toBeLessThan(20);
      const answer = await index.lookUp(hashes, { name }).catch(() => undefined);
      if (answer === undefined) continue;
      expect(answer.entries).toHaveLength(300);
      break;
    }
    expect(account.gets.length).toBeLessThan(400);
  });
});

describe('a record that cannot be read any more', () => {
  const lost = () => {
    const open = recordOf('open', 1_000, { state: 'SENT' });
    return { open, account: openAccount([open, ...manyRecords(10)]) };
  };

  it('is found as it was known, and every other one of the same look-up with it', async () => {
    const { account } = lost();
    const index = indexOf(account);
    await index.lookUp([]);
    account.records.splice(0, 1);
    expect(await statesOf(index, 'open', 'order-5')).toEqual(['SENT', 'COMPLETE']);
  });

  it.each([
    ['what is not the interface', new UnexpectedAnswerError('not the interface', { status: 200 })],
    ['another record', { transaction: recordOf('other') }],
    ['trouble of its own', new UnexpectedAnswerError('Internal error', { status: 500 })],
  ])('since the service answers with %s, is found as it was known', async (_, answer) => {
    const { account } = lost();
    const index = indexOf(account);
    await index.lookUp([]);
    account.records.splice(0, 1);
    account.custody.getTransaction = async () => {
      if (answer instanceof Error) throw answer;
      return answer;
    };
    expect(await statesOf(index, 'open', 'order-5')).toEqual(['SENT', 'COMPLETE']);
  });

  it('is an error where the service is away, or refuses the key', async () => {
    const { account } = lost();
    const index = indexOf(account);
    await index.lookUp([]);
    account.records.splice(0, 1);
    for (const error of [
      new NotSentError('The service cannot be reached.'),
      new RefusedError('Unauthorized', { status: 401, code: 401 }),
    ]) {
      account.custody.getTransaction = async () => {
        throw error;
      };
      await expect(index.lookUp([hashOf('open')])).rejects.toThrow(error.message);
    }
  });

  it('proves nothing, where its last word was that it had no effect', async () => {
    const { open, account } = lost();
    open.state = 'FAILED';
    const index = indexOf(account);
    await index.lookUp([]);
    account.records.splice(0, 1);
    expect(await statesOf(index, 'open', 'order-5')).toEqual(['UNREADABLE', 'COMPLETE']);
    account.records.unshift(open);
    expect(await statesOf(index, 'open')).toEqual(['FAILED']);
  });

  it('stops no look-up of a later process with the same store', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'steadfast-lies-'));
    const databases = [1, 2].map(() => openIndexFile(join(folder, 'store.db')));
    const { account } = lost();
    const { custody } = account;
    const [one, other] = databases.map((database) =>
      createAccountIndex({ custody, graceMs, apartMs, store: { database, baseUrl: 'http://x' } }),
    );
    await one?.lookUp([]);
    account.records.splice(0, 1);
    expect(other && (await statesOf(other, 'open', 'order-5'))).toEqual(['SENT', 'COMPLETE']);
    for (const database of databases) database.close();
    rmSync(folder, { recursive: true });
  });
});

describe('a record in the list that is not the interface', () => {
  /** A service with an odd record, of which the client makes the best. */
  const withOdd = (fields: object) => {
    const whole = recordOf('odd', 40);
    const account = openAccount(manyRecords(60));
    const odd = salvageTransaction({ ...whole, ...fields });
    if (odd === undefined) throw new Error('It has an id.');
    account.records.splice(20, 0, odd);
    return { account, index: indexOf(account), whole };
  };

  it('stops no other, and is found by its reference', async () => {
    const { index } = withOdd({ state: null, amounts: 5 });
    expect(await statesOf(index, 'order-5', 'odd', 'nobody')).toEqual(['COMPLETE', 'UNREADABLE']);
  });

  it('takes no word back that was readable before', async () => {
    const account = openAccount([recordOf('x', 0)]);
    const index = indexOf(account);
    await index.lookUp([]);
    const odd = salvageTransaction({ ...account.records[0], createDate: null });
    if (odd) account.records[0] = odd;
    expect(await statesOf(index, 'x')).toEqual(['COMPLETE']);
  });

  it('is read by itself, where the list does not tell its reference', async () => {
    const { account, index, whole } = withOdd({ refId: 7 });
    account.custody.getTransaction = async () => ({ transaction: whole });
    expect(await statesOf(index, 'order-5', 'odd', 'nobody')).toEqual(['COMPLETE', 'COMPLETE']);
  });

  it("is nobody's, once it was read and has no reference", async () => {
    const { account, index, whole } = withOdd({ refId: 7 });
    const { refId: _, ...foreign } = whole;
    account.custody.getTransaction = async () => ({ transaction: foreign });
    expect(await statesOf(index, 'order-5', 'nobody')).toEqual(['COMPLETE']);
  });

  it('may be any that is looked for and not found, while nobody can read its reference', async () => {
    const { index, whole } = withOdd({ refId: 7 });
    expect(await statesOf(index, 'order-5', 'order-6')).toEqual(['COMPLETE', 'COMPLETE']);
    await expect(index.lookUp([hashOf('order-5'), hashOf('odd')])).rejects.toThrow(
      `Transaction ${whole.id} is not the interface, and may have any reference. ` +
        'So nothing counts as absent from the list. Have the service correct the record.',
    );
  });
});

describe('a place in the list that the service has lost', () => {
  it('ends the reading, and the next one begins at the top', async () => {
    const account = openAccount(manyRecords(500));
    account.onPage = (page) => {
      if (page === 2) account.records.splice(0, 60);
      return undefined;
    };
    expect(await statesOf(indexOf(account), 'order-5')).toEqual(['COMPLETE']);
  });

  it('each time is an error, and is not asked for without an end', async () => {
    const account = openAccount(manyRecords(500));
    const gone = new RefusedError('There is no such page', { status: 404, code: 156012 });
    account.onPage = () => (account.pages.at(-1)?.pageAfter === undefined ? undefined : gone);
    const index = indexOf(account);
    await expect(index.lookUp([])).rejects.toThrow(
      'There is no such page. The list is read again from its beginning.',
    );
    expect(account.pages).toHaveLength(4);
    account.onPage = () => undefined;
    expect(await statesOf(index, 'order-5')).toEqual(['COMPLETE']);
  });

  it.each([1, 2])('since %i pages come again and again, is an error', async (round) => {
    const account = openAccount(manyRecords(100));
    const { records } = account;
    let calls = 0;
    account.custody.listTransactions = async () => {
      const at = (calls++ % round) * 50;
      return { transactions: records.slice(at, at + 50) };
    };
    const looking = indexOf(account).lookUp([hashOf('nobody')]);
    await expect(looking).rejects.toThrow('A list does not end');
    expect(calls).toBeLessThan(10);
  });
});
