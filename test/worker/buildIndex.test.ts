import { setTimeout as sleep } from 'node:timers/promises';
import { createAccountIndex } from '../../src/store/index/accountIndex';
import { buildIndex } from '../../src/worker/buildIndex';
import { hashOf, manyRecords, openAccount, tooMany } from '../store/index/account';

describe('a worker that starts', () => {
  it('builds the index in the background, also under a rate limit', async () => {
    const account = openAccount(manyRecords(500));
    account.onPage = (page) => (page % 4 === 0 ? tooMany() : undefined);
    const index = createAccountIndex({ custody: account.custody, graceMs: 0 });
    const ended = new AbortController();
    const building = buildIndex(index, { signal: ended.signal, pauseMs: 0, idleMs: 10 });
    // Three passes of ten pages and the empty one: 33 answers, and a refusal after each third one.
    while (account.pages.length < 43) await sleep(10);
    ended.abort();
    await building;
    account.onPage = () => undefined;
    const pages = account.pages.length;
    const { entries } = await index.lookUp([hashOf('order-0')]);
    expect(entries).toHaveLength(1);
    // The head alone.
    expect(account.pages.length - pages).toBe(1);
  });

  it('stops building when it is told to end', async () => {
    const account = openAccount(manyRecords(500));
    const ended = new AbortController();
    account.onPage = (page) => {
      if (page === 2) ended.abort();
      return undefined;
    };
    const index = createAccountIndex({ custody: account.custody, graceMs: 0 });
    await buildIndex(index, { signal: ended.signal, pauseMs: 0 });
    expect(account.pages).toHaveLength(2);
  });
});
