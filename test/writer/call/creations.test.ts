import { randomUUID } from 'node:crypto';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { NotSentError } from '../../../src/custody/errors';
import { codeOf } from '../../../src/custody/reference';
import { openLedger } from '../../../src/writer/ledger/openLedger';
import { startTestSandbox, type TestSandbox } from '../../support/sandbox';
import { asOf, partsOf, writerOf } from '../writer';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await startTestSandbox();
});
afterEach(() => sandbox?.stop());

const nothing = { id: 'never', kind: 'deny', to: [`0x${'6'.repeat(40)}`] };
const writer = (fields: object = {}, custody: CustodyApi = sandbox.client) =>
  writerOf(custody, [nothing], fields);

/** A wallet set of a new order, as the activity creates it. */
function newSet(parts = partsOf('walletSet')) {
  const { identity, how } = asOf(parts);
  const input = { idempotencyKey: identity.idempotencyKey, name: `Tills ${codeOf(parts)}` };
  return { input, how };
}

const make = async (api: CustodyApi, { input, how } = newSet()): Promise<string> =>
  api.createWalletSet(input, how).then(
    ({ walletSet }) => walletSet.id,
    (error: Error) => error.message,
  );

async function makeWallets(api: CustodyApi, walletSetId: string, count: number): Promise<string> {
  const { identity, how } = asOf(partsOf('wallets'));
  const { idempotencyKey, refId } = identity;
  const metadata = Array.from({ length: count }, (_, at) => ({ name: `wallet ${at}`, refId }));
  const blockchains = ['ARC-TESTNET'];
  const input = { idempotencyKey, walletSetId, blockchains, count, metadata };
  return api.createWallets({ ...input, accountType: 'EOA' }, how).then(
    ({ wallets }) => `${wallets.length} wallets`,
    (error: Error) => error.message,
  );
}

const setsOf = async (client: CustodyApi): Promise<number> => {
  let after = {};
  for (let count = 0; ; ) {
    const { walletSets } = await client.listWalletSets({ pageSize: 50, ...after });
    count += walletSets.length;
    const last = walletSets.at(-1);
    if (last === undefined) return count;
    after = { pageAfter: last.id };
  }
};

const isId = /^[0-9a-f-]{36}$/;

describe('wallet sets and wallets need no rule', () => {
  it('and have a number for each window, whoever asks for them', async () => {
    const { api } = writer();
    const first = newSet();
    const answers = [await make(api, first)];
    for (let at = 0; at < 60; at++) answers.push(await make(api));
    expect(answers.filter((answer) => isId.test(answer))).toHaveLength(50);
    expect(answers.at(-1)).toMatch(
      /window of the rule creates walletSets is full: 50 of 50 in 24 hours.*room for 1 at 20/,
    );
    expect(await setsOf(sandbox.client)).toBe(50);
    // The first creation has ended. Only a look-up may tell.
    expect(await make(api, first)).toContain('It has ended');
  });

  it('and a policy has numbers of its own', async () => {
    const { api } = writer({ creates: { walletSets: 1, wallets: 12, hours: 1 } });
    const id = await make(api);
    expect(await make(api)).toMatch(/creates walletSets is full: 1 of 1 in 1 hours/);
    expect(await makeWallets(api, id, 13)).toContain('There is room for 13 at no time');
    expect(await makeWallets(api, id, 10)).toBe('10 wallets');
    expect(await makeWallets(api, id, 3)).toContain('is full: 10 of 12');
    expect(await makeWallets(api, id, 2)).toBe('2 wallets');
  });

  it('and those of another writer of the ledger count', async () => {
    const ledger = openLedger(':memory:', { keyLifetimeMs: 3_600_000 });
    const own = { ledger, creates: { walletSets: 1 } };
    expect(await make(writer(own).api)).toMatch(isId);
    expect(await make(writer(own).api)).toContain('is full: 1 of 1');
  });

  it('and an attempt that was provably not sent counts no more, however often it is made', async () => {
    const custody: CustodyApi = {
      ...sandbox.client,
      createWalletSet: () => Promise.reject(new NotSentError('No connection.')),
    };
    const { api, ledger } = writer({ creates: { walletSets: 2 } }, custody);
    const set = newSet();
    for (let at = 0; at < 5; at++) expect(await make(api, set)).toBe('No connection.');
    const window = { scope: { creates: 'walletSets' }, money: 'walletSets', hours: 24 };
    expect((await ledger.usage(window)).counted).toBe(10n ** 18n);
    expect(await ledger.openWrites(9)).toEqual([]);
  });

  it('and the last sets of an account are kept for the claims of its ledger', async () => {
    const makeOne = () =>
      sandbox.client.createWalletSet({ idempotencyKey: randomUUID(), name: 'x' });
    for (let made = 0; made < 990; made += 30) {
      await Promise.all(Array.from({ length: 30 }, makeOne));
    }
    const { api } = writer({ creates: { walletSets: 1_000 } });
    expect(await make(api)).toContain('The account has 990 wallet sets.');
    expect(await setsOf(sandbox.client)).toBe(990);
  });
});
