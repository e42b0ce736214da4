import { MockActivityEnvironment } from '@temporalio/testing';
import { transactionActivities } from '../../activities/transactions';
import type { CustodyApi } from '../../src/custody/endpoints';
import { UnexpectedAnswerError } from '../../src/custody/errors';
import { transactionSchema } from '../../src/custody/objects/transaction';
import { refId } from '../../src/custody/reference';
import { checkStuck } from '../../src/health/checkStuck';
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
