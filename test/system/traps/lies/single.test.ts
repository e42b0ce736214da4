import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../../src/custody/objects/transaction';
import { readReference, refHash } from '../../../../src/custody/reference';
import { setUp } from '../../../support/jest/setUp';
import { createServe, type Orders } from '../../../support/orders';
import { someone } from '../../../support/stages';
import {
  graceMs,
  inStillWorld,
  type LyingScene,
  paymentsTo,
  recordsOf,
  resubmitted,
  seeing,
  shownBy,
  startLyingScene,
  wake,
} from '../../../support/traps/lyingScene';

const serve = createServe();
let orders: Orders;
const scene = setUp(() => startLyingScene(serve));
beforeAll(async () => {
  orders = await scene.work();
});

/** An order of a new wallet to somebody new, that is not started yet. */
async function newOrder({ sandbox }: LyingScene, amount = '1') {
  const wallet = await sandbox.fundedWallet('EOA');
  const id = `transfer:${randomUUID()}`;
  const to = someone();
  const order = { from: { walletId: wallet.id }, to, amount, token: 'USDC' };
  return { wallet, id, to, order };
}

type Placed = Awaited<ReturnType<typeof newOrder>>;

const start = ({ steadfast }: Orders, { id, order }: Pick<Placed, 'id' | 'order'>) =>
  steadfast.start('transferStablecoin', id, order);

async function paid({ payments }: LyingScene, to: string, times = 1): Promise<void> {
  const look = async () => ((await payments(to))[0] ?? 0) >= times || undefined;
  await seeing(`the chain shows no ${times} payments of ${to}`, look);
}

/** The record that the service has of a payment, once it is there. */
const recordTo = (from: LyingScene, to: string): Promise<Transaction> =>
  seeing(
    `the service has no record to ${to}`,
    async () => (await recordsOf(from, paymentsTo(to)))[0],
  );

describe('a transfer whose record has a final word and no hash, although it was paid', () => {
  test.concurrent.each(['FAILED', 'DENIED', 'CANCELLED'] as const)(
    '%s: waits for a person, and is paid once when the service corrects itself',
    async (word) => {
      const placed = await newOrder(scene);
      const lie = scene.service.saysFalsely(word, paymentsTo(placed.to));
      await start(orders, placed);
      const held = await shownBy(orders, placed.id, 'NeedsOperator');
      await paid(scene, placed.to);
      const again = await resubmitted(orders, placed.id);
      lie.withdraw();
      await wake(orders, placed.id);
      const end = await shownBy(orders, placed.id);
      const payments = await scene.payments(placed.to);
      expect({ held: held.word, again, end: end.word, payments }).toEqual({
        held: 'NeedsOperator',
        again: 'refused',
        end: 'Done',
        payments: [1],
      });
      const told = JSON.stringify(held.progress);
      expect(told).toContain(word);
      expect(told).toContain('chain');
    },
  );

  test.concurrent('is neither cancelled nor given up, and ends as completed', async () => {
    const placed = await newOrder(scene);
    scene.service.saysFalsely('FAILED', paymentsTo(placed.to));
    await start(orders, placed);
    const held = await shownBy(orders, placed.id, 'NeedsOperator');
    await paid(scene, placed.to);
    const { progress } = await seeing('the chain does not show it', async () => {
      const shown = await shownBy(orders, placed.id, 'NeedsOperator');
      return shown.progress?.paidIn === undefined ? undefined : shown;
    });
    const target = 'transfer/1#0';
    const finding = { target, finding: 'skip', evidence: 'no longer wanted' } as const;
    const words = `The chain shows that ${progress?.paidIn} has paid ${target}`;
    expect(progress?.exits?.map(({ command }) => command)).toEqual([
      expect.stringContaining('--finding completed'),
    ]);
    const { steadfast } = orders;
    await expect(steadfast.cancel(placed.id, 'no longer wanted')).rejects.toThrow(words);
    await expect(steadfast.resolve(placed.id, finding)).rejects.toThrow(words);
    const { id: evidence } = await recordTo(scene, placed.to);
    await steadfast.resolve(placed.id, { target, finding: 'completed', evidence });
    const { word } = await shownBy(orders, placed.id);
    const payments = await scene.payments(placed.to);
    expect({ held: held.word, word, payments }).toEqual({
      held: 'NeedsOperator',
      word: 'Done',
      payments: [1],
    });
  });

  test('is shown with the time until which it waits, while the chain shows nothing', () =>
    inStillWorld(serve, async (still, workers) => {
      const placed = await newOrder(still);
      const lie = still.service.saysFalsely('FAILED', paymentsTo(placed.to));
      await start(workers, placed);
      await seeing('it was not told until when it waits', async () => {
        const { progress } = await workers.steadfast.status(placed.id);
        return /\buntil\b.*\d\d:\d\d/.test(progress?.waitingFor ?? '') || undefined;
      });
      lie.withdraw();
    }));

  test.concurrent('is not paid again by an attempt that somebody starts by force', async () => {
    const placed = await newOrder(scene);
    const lie = scene.service.saysFalsely('FAILED', paymentsTo(placed.to));
    await start(orders, placed);
    await paid(scene, placed.to);
    const { client, taskQueue } = orders;
    const generations = { 'transfer/1': 1 };
    const run = { workflowId: placed.id, taskQueue, args: [{ ...placed.order, generations }] };
    const open = client.workflow.getHandle(placed.id);
    await open.terminate('a test').catch(() => {});
    await client.workflow.start('transferStablecoin', run);
    await shownBy(orders, placed.id, 'NeedsOperator');
    lie.withdraw();
    await wake(orders, placed.id);
    const { word } = await shownBy(orders, placed.id);
    const payments = await scene.payments(placed.to);
    expect({ word, payments }).toEqual({ word: 'Done', payments: [1] });
  });

  test('that was told as failed before it was paid is not sent again', () =>
    inStillWorld(serve, async (still, workers) => {
      const placed = await newOrder(still);
      // By its nature this reason comes before a signature, and the chain shows nothing.
      const lie = still.service.saysFalsely('FAILED', paymentsTo(placed.to), 'INSUFFICIENT_TOKEN');
      await start(workers, placed);
      expect((await shownBy(workers, placed.id)).word).toBe('Failed');
      // Other orders read the list meanwhile, and so meet the false word.
      const told = lie.told();
      await start(workers, await newOrder(still));
      await seeing('nobody has read the list', async () => lie.told() > told || undefined);
      await still.change({ settleMs: 50 });
      await still.sandbox.settled((await recordTo(still, placed.to)).id);
      lie.withdraw();
      await resubmitted(workers, placed.id);
      await shownBy(workers, placed.id);
      expect(await still.payments(placed.to)).toEqual([1]);
    }));
});

describe('a transfer whose record is honest', () => {
  test('is told at once as failed for lack of the token', () =>
    inStillWorld(serve, async (still, workers) => {
      const placed = await newOrder(still);
      await start(workers, placed);
      const { id } = await recordTo(still, placed.to);
      await still.force(id, 'FAILED', 'INSUFFICIENT_TOKEN');
      const forcedMs = Date.now();
      const { word, closedAt = '' } = await shownBy(workers, placed.id);
      expect(word).toBe('Failed');
      expect(Date.parse(closedAt) - forcedMs).toBeLessThan(graceMs);
      expect(await still.payments(placed.to)).toEqual([0]);
    }));

  test('is told as it is beside another one of the same payee and amount', () =>
    inStillWorld(serve, async (still, workers) => {
      const failing = await newOrder(still);
      const paying = { ...failing, id: `transfer:${randomUUID()}` };
      await Promise.all([start(workers, failing), start(workers, paying)]);
      const records = await seeing('the service has no two records', async () => {
        const found = await recordsOf(still, paymentsTo(failing.to));
        return found.length === 2 ? found : undefined;
      });
      const hash = refHash({ workflowId: failing.id, step: 'transfer', item: '1' });
      const record = records.find(({ refId }) => readReference(refId)?.hash === hash);
      await still.force(record?.id ?? '', 'FAILED');
      await still.change({ settleMs: 50 });
      const words = [failing, paying].map(async ({ id }) => (await shownBy(workers, id)).word);
      expect(await Promise.all(words)).toEqual(['Failed', 'Done']);
      expect(await still.payments(failing.to)).toEqual([1]);
    }));
});

test('a stuck transfer that was accelerated is never failed under its first hash', async () => {
  const placed = await newOrder(scene);
  await scene.plan({ kind: 'stuck', walletId: placed.wallet.id });
  await start(orders, placed);
  const { id } = await recordTo(scene, placed.to);
  const { txHash = '' } = await scene.sandbox.settled(id, 'STUCK');
  const lies = [
    scene.service.saysFalsely('FAILED', paymentsTo(placed.to)),
    scene.service.givesHash(txHash, paymentsTo(placed.to)),
  ];
  await scene.sandbox.client.accelerateTransaction({ id, idempotencyKey: randomUUID() });
  await paid(scene, placed.to);
  const held = await shownBy(orders, placed.id, 'NeedsOperator');
  for (const lie of lies) lie.withdraw();
  await wake(orders, placed.id);
  const end = await shownBy(orders, placed.id);
  const payments = await scene.payments(placed.to);
  expect({ held: held.word, end: end.word, payments }).toEqual({
    held: 'NeedsOperator',
    end: 'Done',
    payments: [1],
  });
});

test('a transfer whose record is lost is shown, and ends once it is cancelled', () =>
  inStillWorld(serve, async (still, workers) => {
    const placed = await newOrder(still);
    await start(workers, placed);
    await recordTo(still, placed.to);
    // The look-up of another order reads the list, and so meets the record while it is pending.
    const other = await newOrder(still);
    await start(workers, other);
    await recordTo(still, other.to);
    still.service.loses(paymentsTo(placed.to));
    await workers.client.workflow.getHandle(placed.id).terminate('a test');
    await start(workers, placed);
    await shownBy(workers, placed.id, 'NeedsOperator', 'Unknown');
    await workers.steadfast.cancel(placed.id, 'enough of it');
    expect((await shownBy(workers, placed.id)).word).toBe('Failed');
    await still.change({ settleMs: 50 });
    await paid(still, other.to);
    expect((await still.payments(placed.to))[0]).toBeLessThanOrEqual(1);
  }));
