import { randomUUID } from 'node:crypto';
import type { PayoutLine } from '../../../../src/client/client';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { setUp } from '../../../support/jest/setUp';
import { times } from '../../../support/lane';
import { createServe, type Orders } from '../../../support/orders';
import { linesOf, newLines, outcomesOf, payers, payoutOf } from '../../../support/payouts';
import { settled, transferOf } from '../../../support/sandbox';
import { someone } from '../../../support/stages';
import {
  batchesOf,
  graceMs,
  inStillWorld,
  type LyingScene,
  paymentsTo,
  recordsOf,
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

/** A payout of six lines, which a new wallet pays in one batch. */
async function newPayout({ sandbox }: LyingScene, type: 'EOA' | 'SCA' = 'EOA') {
  const [wallet] = await payers(sandbox, type);
  if (wallet === undefined) throw new Error('No wallet was created.');
  const lines = newLines(6);
  return {
    wallet,
    lines,
    order: payoutOf([wallet]),
    all: (count: number) => lines.map(() => count),
  };
}

const paymentsOf = ({ payments }: LyingScene, lines: readonly PayoutLine[]): Promise<number[]> =>
  payments(...lines.map(({ to }) => to));

/** The batches of a wallet that the service has, once there are so many. */
function batchesAt(from: LyingScene, wallet: Wallet, count: number) {
  return seeing(`the service has no ${count} batches`, async () => {
    const found = await recordsOf(from, batchesOf(wallet));
    return found.length >= count ? found : undefined;
  });
}

/** The hash of another transaction of the same wallet, which pays no line. */
async function otherHash({ sandbox: { client } }: LyingScene, wallet: Wallet): Promise<string> {
  const native = { tokenAddress: '', amounts: ['0.000001'] };
  const { id } = await client.createTransfer(transferOf(wallet, someone(), native));
  return (await settled(client, id)).txHash ?? '';
}

const liars = [
  ['EOA', 'no hash'],
  ['SCA', 'no hash of its transaction'],
  ['SCA', 'no hash of its operation either'],
] as const;

describe('a batch whose record is FAILED, although it was paid', () => {
  test.concurrent.each(liars)(
    'of a wallet of type %s, with %s: nothing is sent again, and each line is paid once',
    async (type, what) => {
      const { wallet, lines, order, all } = await newPayout(scene, type);
      const lies = [scene.service.saysFalsely('FAILED', batchesOf(wallet))];
      if (what.includes('operation')) {
        lies.push(scene.service.hides('userOpHash', batchesOf(wallet)));
      }
      const { workflowId: id } = await orders.steadfast.payout(order, lines);
      const held = await shownBy(orders, id, 'NeedsOperator');
      const { failed = 0 } = await outcomesOf(orders, id);
      const isRetried = await orders.steadfast.retry(id).then(Boolean, () => false);
      for (const lie of lies) lie.withdraw();
      await wake(orders, id);
      const { word } = await shownBy(orders, id);
      expect({
        held: held.word,
        failed,
        isRetried,
        end: word,
        told: await outcomesOf(orders, id),
        batches: (await recordsOf(scene, batchesOf(wallet))).length,
        payments: await paymentsOf(scene, lines),
      }).toEqual({
        held: 'NeedsOperator',
        failed: 0,
        isRetried: false,
        end: 'Done',
        told: { paid: 6 },
        batches: 1,
        payments: all(1),
      });
    },
  );
});

describe('a batch whose record has the hash of another transaction', () => {
  test.concurrent.each(['COMPLETE', 'FAILED'] as const)(
    '%s: calls no line failed, and each one paid once the record is right',
    async (word) => {
      const { wallet, lines, order, all } = await newPayout(scene);
      const hash = await otherHash(scene, wallet);
      const lies = [
        ...(word === 'FAILED' ? [scene.service.saysFalsely(word, batchesOf(wallet))] : []),
        scene.service.givesHash(hash, batchesOf(wallet)),
      ];
      const { workflowId: id } = await orders.steadfast.payout(order, lines);
      const held = await shownBy(orders, id, 'NeedsOperator');
      const { failed = 0 } = await outcomesOf(orders, id);
      for (const lie of lies) lie.withdraw();
      await wake(orders, id);
      await shownBy(orders, id);
      const told = await outcomesOf(orders, id);
      const payments = await paymentsOf(scene, lines);
      expect({ held: held.word, failed, told, payments }).toEqual({
        held: 'NeedsOperator',
        failed: 0,
        told: { paid: 6 },
        payments: all(1),
      });
    },
  );
});

test.each(['CANCELED', 'CANCELLED'].slice(0, times({ short: 1, all: 2 })))(
  'a batch that somebody else cancels is not sent again, where the service spells it %s',
  async (spelling) => {
    const { wallet, lines, order, all } = await newPayout(scene);
    const lie = scene.service.spells('CANCELLED', spelling);
    await scene.plan({ kind: 'stuck', walletId: wallet.id });
    const { workflowId: id } = await orders.steadfast.payout(order, lines);
    const [{ id: transaction } = { id: '' }] = await batchesAt(scene, wallet, 1);
    const { client } = scene.sandbox;
    await settled(client, transaction, 'STUCK');
    await scene.plan();
    await client.cancelTransaction({ id: transaction, idempotencyKey: randomUUID() });
    await shownBy(orders, id);
    lie.withdraw();
    expect({
      told: await outcomesOf(orders, id),
      batches: (await recordsOf(scene, batchesOf(wallet))).length,
      payments: await paymentsOf(scene, lines),
    }).toEqual({ told: { failed: 6 }, batches: 1, payments: all(0) });
  },
);

describe('a batch whose record is honest', () => {
  test('goes on at once in halves, when the chain shows its failure', async () => {
    const { wallet, lines, order, all } = await newPayout(scene);
    await scene.plan({ kind: 'failOnChain', walletId: wallet.id, count: 1 });
    const { workflowId: id } = await orders.steadfast.payout(order, lines);
    const [failed, half] = await batchesAt(scene, wallet, 2);
    expect((await shownBy(orders, id)).word).toBe('Done');
    const failedMs = Date.parse(failed?.updateDate ?? '');
    expect(Date.parse(half?.createDate ?? '') - failedMs).toBeLessThan(graceMs);
    expect(await outcomesOf(orders, id)).toEqual({ paid: 6 });
    expect(await paymentsOf(scene, lines)).toEqual(all(1));
  });

  test('goes on in halves after the grace period, when the chain shows nothing', () =>
    inStillWorld(serve, async (still, workers) => {
      const { wallet, lines, order, all } = await newPayout(still);
      const { workflowId: id } = await workers.steadfast.payout(order, lines);
      const [{ id: transaction } = { id: '' }] = await batchesAt(still, wallet, 1);
      await still.force(transaction, 'FAILED');
      const failedMs = Date.now();
      await still.change({ settleMs: 50 });
      const words = new Set<string>();
      await seeing('no half was sent', async () => {
        const { progress } = await workers.steadfast.status(id);
        for (const { reason } of await linesOf(workers, id)) words.add(reason ?? '');
        words.add(progress?.waitingFor ?? '');
        return (await recordsOf(still, batchesOf(wallet))).length > 1 || undefined;
      });
      const [, half] = await recordsOf(still, batchesOf(wallet));
      expect((await shownBy(workers, id)).word).toBe('Done');
      expect(await paymentsOf(still, lines)).toEqual(all(1));
      // The record's time is in whole seconds.
      const halfMs = Date.parse(half?.createDate ?? '') + 1_000;
      expect(halfMs - failedMs).toBeGreaterThan(graceMs);
      expect([...words].join('\n')).toMatch(/\buntil\b.*\d\d:\d\d/);
    }));
});

test('the record of one batch is lost: all other batches are paid, and it is when it shows again', () =>
  inStillWorld(serve, async (still, workers) => {
    const [wallet] = await payers(still.sandbox, 'EOA');
    if (wallet === undefined) throw new Error('No wallet was created.');
    const lines = newLines(12);
    const order = payoutOf([wallet], { batch: { linesMax: 4 }, openMax: 4 });
    const { workflowId: id } = await workers.steadfast.payout(order, lines);
    const [lost] = await batchesAt(still, wallet, 1);
    // The look-up of another order reads the list, and so meets the record while it is pending.
    const [other] = await payers(still.sandbox, 'EOA');
    const to = someone();
    const transfer = { from: { walletId: other?.id ?? '' }, to, amount: '1', token: 'USDC' };
    await workers.steadfast.start('transferStablecoin', `transfer:${randomUUID()}`, transfer);
    await seeing('nobody reads the list', async () => (await recordsOf(still, paymentsTo(to)))[0]);
    const lie = still.service.loses((record) => record.id === lost?.id);
    const { workflow } = workers.client;
    for (const run of [`${id}:shard:1`, id]) await workflow.getHandle(run).terminate('a test');
    await still.change({ settleMs: 50 });
    await workers.steadfast.payout(order, lines);
    await seeing('not all lines of the other batches are paid', async () => {
      const paid = await paymentsOf(still, lines);
      return paid.filter((count) => count > 0).length === 12 || undefined;
    });
    lie.withdraw();
    await wake(workers, id);
    await shownBy(workers, id);
    expect(await outcomesOf(workers, id)).toEqual({ paid: 12 });
    expect(await paymentsOf(still, lines)).toEqual(lines.map(() => 1));
  }));
