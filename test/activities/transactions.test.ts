import { MockActivityEnvironment } from '@temporalio/testing';
import {
  type LineWatch,
  type WatchedLines,
  watchActivities,
} from '../../activities/payout/watchLines';
import { transactionActivities } from '../../activities/transactions';
import type { CustodyApi } from '../../src/custody/endpoints';
import { RefusedError, UnexpectedAnswerError } from '../../src/custody/errors';
import { transactionSchema } from '../../src/custody/objects/transaction';
import { refId } from '../../src/custody/reference';
import { checkStuck } from '../../src/health/checkStuck';
import { createAccountIndex } from '../../src/store/index/accountIndex';
import { inSandbox, transferOf } from '../support/sandbox';

const sandbox = inSandbox({ states: 'hosted' });

type Read = ReturnType<ReturnType<typeof transactionActivities>['getTransaction']>;

/** Reads a record as the activity of a worker does, with a service of its own if wanted. */
function read(id: string, isOverdue: boolean, api: CustodyApi = sandbox.client): Read {
  const { getTransaction } = transactionActivities(api, {} as never);
  return new MockActivityEnvironment().run(() => getTransaction({ id, isOverdue })) as Read;
}

/** A wallet whose transaction with this reference is stuck, and the id of a later one. */
async function stuckBy(reference: string) {
  const wallet = await sandbox.fundedWallet('EOA');
  const input = () => transferOf(wallet, wallet.address, {});
  const first = await sandbox.api.createTransfer(
    { ...input(), refId: reference },
    { fate: 'stuck' },
  );
  await sandbox.settled(first.id, 'STUCK');
  const later = await sandbox.client.createTransfer(input());
  return { wallet, first: first.id, later: later.id };
}

const ofOrder = (workflowId: string, step = 'transfer') =>
  refId({ workflowId, step, item: '1', generation: 0 });

test('an overdue payment names the stuck transaction, its order and the command that frees it', async () => {
  const { first, later } = await stuckBy(ofOrder('transfer:first'));
  const words =
    `transaction ${first} (STUCK) of transfer:first. Free it: ` +
    '"steadfast accelerate transfer:first" or "steadfast cancel transfer:first"';
  expect((await read(later, true))?.inFront).toBe(words);
  // The stuck one itself waits behind nothing.
  expect((await read(first, true))?.inFront).toBeUndefined();
  const found = await checkStuck(sandbox.client);
  expect(found.map((finding) => finding.words).join()).toContain(`wait behind ${words}`);
});

test('overdue lines of a payout name it too, and lines in their usual time do not', async () => {
  const { wallet, first, later } = await stuckBy(ofOrder('transfer:front'));
  const index = createAccountIndex({ custody: sandbox.client, graceMs: 600_000 });
  const { watchLines } = watchActivities(sandbox.client, index);
  const watch = async (isOverdue: boolean, ...ids: string[]): Promise<string | undefined> => {
    const waits = { everyMs: 1, patienceMs: 20, ...(isOverdue && { overdue: [wallet.id] }) };
    const input = { walletIds: [wallet.id], ids, ...waits };
    const { inFront } = await new MockActivityEnvironment().run<
      [LineWatch],
      WatchedLines,
      typeof watchLines
    >(watchLines, input);
    return inFront;
  };
  expect(await watch(true, later)).toMatch(new RegExp(`^transaction ${first} .*transfer:front`));
  expect(await watch(true, first, later)).toBeUndefined();
  expect(await watch(false, later)).toBeUndefined();
});

test('the transaction that waits longest is told, however many came after it', async () => {
  const { wallet } = await stuckBy(ofOrder('transfer:newer'));
  const onlyOne: CustodyApi = {
    ...sandbox.client,
    listTransactions: (input, how) =>
      sandbox.client.listTransactions({ ...input, pageSize: 1 }, how),
  };
  const oldest = { state: 'STUCK', order: 'ASC', pageSize: 1 } as const;
  const { transactions } = await sandbox.client.listTransactions(oldest);
  expect(transactions[0]?.walletId).not.toBe(wallet.id);
  const found = await checkStuck(onlyOne);
  expect(found.map(({ words }) => words).join()).toContain(`${transactions[0]?.id} (STUCK)`);
});

test('no more is said of wallets than was asked about them', async () => {
  const { transactions } = await sandbox.client.listTransactions({ state: 'STUCK' });
  const ofWallets = (count: number): CustodyApi => ({
    ...sandbox.client,
    listTransactions: async () => ({
      transactions: Array.from({ length: count }, (_, at) =>
        transactionSchema.parse({ ...transactions[0], walletId: `wallet-${at}` }),
      ),
    }),
    getLowestNonceTransaction: async () => undefined,
  });
  expect(await checkStuck(ofWallets(10))).toMatchObject([{ state: 'fine', words: 'none' }]);
  expect(await checkStuck(ofWallets(11))).toMatchObject([
    { state: 'fine', words: 'none among the first 10 wallets' },
  ]);
});

test('a stuck transaction is told beside a record that cannot be read', async () => {
  const { first } = await stuckBy(ofOrder('transfer:beside'));
  const api: CustodyApi = {
    ...sandbox.client,
    listTransactions: async (input, how) => {
      const { transactions } = await sandbox.client.listTransactions(input, how);
      const odd = how?.salvage?.({ id: 'odd', amounts: 5 });
      if (odd === undefined) throw new UnexpectedAnswerError('odd', { status: 200 });
      return { transactions: [transactionSchema.parse(odd), ...transactions] };
    },
  };
  const found = await checkStuck(api);
  expect(found.map((finding) => finding.words).join()).toContain(first);
});

describe('a record that cannot be read alone', () => {
  const odd = () => new UnexpectedAnswerError('odd', { status: 200 });
  const refused = (status: number) => new RefusedError('no', { status, code: status });
  /** The failure of a second attempt to read it, where the list tells something. */
  const failure = async (fault: Error, listed: CustodyApi['listTransactions']) => {
    const api: CustodyApi = {
      ...sandbox.client,
      getTransaction: () => Promise.reject(fault),
      listTransactions: listed,
    };
    const { getTransaction } = transactionActivities(api, {} as never);
    const run = new MockActivityEnvironment({ attempt: 2 }).run(() =>
      getTransaction({ id: 'own', isOverdue: false }),
    );
    return run.then(
      () => undefined,
      ({ type, details }) => ({ type, ofRecord: details?.[0]?.ofRecord === true }),
    );
  };
  const others: CustodyApi['listTransactions'] = (input, how) =>
    sandbox.client.listTransactions(input, how);
  const garbled: CustodyApi['listTransactions'] = async (input, how) => {
    const { transactions } = await others(input, how);
    const read = (one: object) => transactionSchema.parse(how?.salvage?.({ ...one, amounts: 5 }));
    return { transactions: transactions.map(read) };
  };

  test.each([
    ['garbled', odd()],
    ['refused with 400', refused(400)],
    ['refused with 403', refused(403)],
    ['refused with 410', refused(410)],
  ])('and is %s, is at fault itself while the list shows others', async (_, fault) => {
    await stuckBy(ofOrder('transfer:fault'));
    expect(await failure(fault, others)).toEqual({ type: 'NeedsOperator', ofRecord: true });
  });

  test.each([
    ['the key is refused', refused(401), () => Promise.reject(refused(401))],
    ['the list is refused too', refused(403), () => Promise.reject(refused(403))],
    ['all others are garbled too', odd(), garbled],
    ['the service is away', refused(503), others],
    ['there are too many requests', refused(429), others],
  ])('is not at fault where %s', async (_, fault, listed) => {
    await stuckBy(ofOrder('transfer:fault'));
    expect(await failure(fault, listed)).toMatchObject({ ofRecord: false });
  });
});

test.each([
  [
    'of nobody',
    'by hand',
    /of no order of ours\. Accelerate or cancel it in the service's console$/,
  ],
  [
    'of a payout',
    ofOrder('payout:june', 'line'),
    /of payout:june\. Accelerate or cancel it in the/,
  ],
  [
    'of an order whose id is too long for its reference',
    ofOrder(`transfer:${'long'.repeat(60)}`),
    /of the order that ends in ".*long"\. Accelerate or cancel that order/,
  ],
])('one %s is named with another way out', async (_what, reference, words) => {
  const { later } = await stuckBy(reference);
  expect((await read(later, true))?.inFront).toMatch(words);
});

test('a payment in its usual time asks for nothing, and a failure of the question stops nothing', async () => {
  const { later } = await stuckBy(ofOrder('transfer:other'));
  let asked = 0;
  const failing: CustodyApi = {
    ...sandbox.client,
    getLowestNonceTransaction: () => {
      asked += 1;
      return Promise.reject(new Error('away'));
    },
  };
  expect((await read(later, false, failing))?.id).toBe(later);
  expect(asked).toBe(0);
  expect(await read(later, true, failing)).toMatchObject({ id: later });
  expect(asked).toBe(1);
});
