import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../../src/custody/objects/transaction';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { setUp } from '../../../support/jest/setUp';
import { createServe, type Orders } from '../../../support/orders';
import { linesOf, newLines, payers, payoutOf } from '../../../support/payouts';
import { settled, transferOf } from '../../../support/sandbox';
import type { About } from '../../../support/service/lyingService';
import { someone } from '../../../support/stages';
import {
  batchesOf,
  paymentsTo,
  recordsOf,
  resubmitted,
  seeing,
  shownBy,
  startLyingScene,
  wake,
} from '../../../support/traps/lyingScene';

/** Hashes and dates are names that a service gives. Each of these names belongs to something else. */

const serve = createServe();
let orders: Orders;
const scene = setUp(() => startLyingScene(serve));
beforeAll(async () => {
  orders = await scene.work();
});
afterEach(async () => {
  scene.service.tellsTruth();
  await scene.plan();
});

const aheadMs = 3_599_000;
const hashOfNothing = '0x1234';

/** An order of a new wallet, or of this one. */
async function newOrder(type: 'EOA' | 'SCA', from?: Wallet) {
  const wallet = from ?? (await scene.sandbox.fundedWallet(type));
  const to = someone();
  const order = { from: { walletId: wallet.id }, to, amount: '1', token: 'USDC' };
  return { wallet, to, order, id: `transfer:${randomUUID()}` };
}

type Placed = Awaited<ReturnType<typeof newOrder>>;

const start = ({ id, order }: Pick<Placed, 'id' | 'order'>) =>
  orders.steadfast.start('transferStablecoin', id, order);

async function paid(to: string, times = 1): Promise<void> {
  const look = async () => ((await scene.payments(to))[0] ?? 0) >= times || undefined;
  await seeing(`the chain shows no ${times} payments of ${to}`, look);
}

/** A payment of the wallet to somebody else, done. */
async function traffic(wallet: Wallet): Promise<Transaction> {
  const { client } = scene.sandbox;
  const { id } = await client.createTransfer(transferOf(wallet, someone(), { amounts: ['0.01'] }));
  return settled(client, id);
}

/** The first record of a kind that comes by. */
function firstOf(about: About): About {
  let first: string | undefined;
  return (record) => {
    if (!about(record)) return false;
    first ??= record.id;
    return record.id === first;
  };
}

/** The end of an order: held for a person, refused when it is sent again, and true in the end. */
async function heldOnce({ id, to }: Placed) {
  const held = await shownBy(orders, id, 'NeedsOperator');
  const again = await resubmitted(orders, id);
  scene.service.tellsTruth();
  await wake(orders, id);
  const end = await shownBy(orders, id);
  return { held: held.word, again, end: end.word, payments: await scene.payments(to) };
}

const paidOnce = { held: 'NeedsOperator', again: 'refused', end: 'Done', payments: [1] };

describe('a paid transfer that the service calls FAILED', () => {
  test('under the userOpHash of another operation is not sent again', async () => {
    const placed = await newOrder('SCA');
    const { userOpHash } = await traffic(placed.wallet);
    scene.service.saysFalsely('FAILED', paymentsTo(placed.to));
    scene.service.gives({ userOpHash }, paymentsTo(placed.to));
    await start(placed);
    await paid(placed.to);
    expect(await heldOnce(placed)).toEqual(paidOnce);
  });

  test('under the userOpHash of its first copy is not sent again after later traffic', async () => {
    const placed = await newOrder('SCA');
    await scene.plan({ kind: 'stuck', walletId: placed.wallet.id });
    await start(placed);
    const record = await seeing(
      'there is no record',
      async () => (await recordsOf(scene, paymentsTo(placed.to)))[0],
    );
    const { client } = scene.sandbox;
    const { userOpHash } = await settled(client, record.id, 'STUCK');
    const pending = scene.service.gives({ state: 'SENT' }, paymentsTo(placed.to));
    await client.accelerateTransaction({ id: record.id, idempotencyKey: randomUUID() });
    await paid(placed.to);
    await scene.plan();
    await traffic(placed.wallet);
    scene.service.saysFalsely('FAILED', paymentsTo(placed.to));
    scene.service.gives({ userOpHash }, paymentsTo(placed.to));
    pending.withdraw();
    expect(await heldOnce(placed)).toEqual(paidOnce);
  });

  test('under the hash of its first attempt, which was reverted, is not sent again', async () => {
    const placed = await newOrder('EOA');
    await scene.plan({ kind: 'failOnChain', count: 1 });
    await start(placed);
    expect((await shownBy(orders, placed.id)).word).toBe('Failed');
    const [first] = await recordsOf(scene, paymentsTo(placed.to));
    const { txHash = '' } = await scene.sandbox.settled(first?.id ?? '', 'FAILED');
    await scene.plan();
    const second: About = (record) => paymentsTo(placed.to)(record) && record.id !== first?.id;
    scene.service.saysFalsely('FAILED', second);
    scene.service.givesHash(txHash, second);
    await resubmitted(orders, placed.id);
    await paid(placed.to);
    expect(await heldOnce(placed)).toEqual(paidOnce);
  });
});

describe.each(['EOA', 'SCA'] as const)('a payment of an %s that is like an earlier one', (type) => {
  test('is not done under the hash of the earlier one', async () => {
    const earlier = await newOrder(type);
    await start(earlier);
    expect((await shownBy(orders, earlier.id)).word).toBe('Done');
    const [first] = await recordsOf(scene, paymentsTo(earlier.to));
    const { txHash, userOpHash, blockHeight } = await scene.sandbox.settled(first?.id ?? '');
    await scene.plan({ kind: 'stuck', walletId: earlier.wallet.id });
    const later = { ...earlier, id: `transfer:${randomUUID()}` };
    const about: About = (record) => paymentsTo(later.to)(record) && record.id !== first?.id;
    scene.service.saysFalsely('COMPLETE', about);
    scene.service.gives({ txHash, userOpHash, blockHeight }, about);
    await start(later);
    const { word, progress } = await shownBy(orders, later.id, 'NeedsOperator');
    const payments = await scene.payments(later.to);
    expect({ word, payments }).toEqual({ word: 'NeedsOperator', payments: [1] });
    expect(JSON.stringify(progress)).toContain('is the transaction of another record');
  });
});

describe('a payout', () => {
  test('is paid once though its batch is FAILED under another operation', async () => {
    const [wallet] = await payers(scene.sandbox, 'SCA');
    if (wallet === undefined) throw new Error('There is no wallet.');
    const { userOpHash } = await traffic(wallet);
    const about = firstOf(batchesOf(wallet));
    scene.service.saysFalsely('FAILED', about);
    scene.service.gives({ userOpHash }, about);
    const lines = newLines(6);
    const { workflowId } = await orders.steadfast.payout(payoutOf([wallet]), lines);
    await paid(lines[0]?.to ?? '');
    const held = await shownBy(orders, workflowId, 'NeedsOperator');
    scene.service.tellsTruth();
    await wake(orders, workflowId);
    const end = await shownBy(orders, workflowId);
    const payments = await scene.payments(...lines.map(({ to }) => to));
    expect([held.word, end.word, payments]).toEqual(['NeedsOperator', 'Done', lines.map(() => 1)]);
  });

  test('is paid once though its batch is FAILED and dated after its payment', async () => {
    const [wallet, other] = await payers(scene.sandbox, 'EOA', 'EOA');
    if (wallet === undefined || other === undefined) throw new Error('There are no wallets.');
    const about = firstOf(batchesOf(wallet));
    const pending = scene.service.gives({ state: 'SENT' }, about);
    const lines = newLines(6);
    const { workflowId } = await orders.steadfast.payout(payoutOf([wallet]), lines);
    await paid(lines[0]?.to ?? '');
    // The payment is not in the newest block by now.
    for (let block = 0; block < 3; block++) await traffic(other);
    scene.service.saysFalsely('FAILED', about);
    scene.service.dates(new Date(Date.now() + aheadMs), about);
    pending.withdraw();
    await wake(orders, workflowId);
    const held = await shownBy(orders, workflowId, 'NeedsOperator');
    scene.service.tellsTruth();
    await wake(orders, workflowId);
    const end = await shownBy(orders, workflowId);
    const payments = await scene.payments(...lines.map(({ to }) => to));
    expect([held.word, end.word, payments]).toEqual(['NeedsOperator', 'Done', lines.map(() => 1)]);
  });

  test('is done though the record of one line names a hash that is none', async () => {
    const [wallet] = await payers(scene.sandbox, 'EOA');
    if (wallet === undefined) throw new Error('There is no wallet.');
    const lines = newLines(5);
    scene.service.gives({ txHash: hashOfNothing }, paymentsTo(lines[0]?.to ?? ''));
    const { workflowId } = await orders.steadfast.payout(
      payoutOf([wallet], { batch: false }),
      lines,
    );
    const { word } = await shownBy(orders, workflowId, 'NeedsOperator');
    const outcomes = (await linesOf(orders, workflowId)).map(({ outcome }) => outcome);
    expect([word, outcomes]).toEqual(['Done', lines.map(() => 'paid')]);
    expect(await scene.payments(...lines.map(({ to }) => to))).toEqual(lines.map(() => 1));
  });
});
