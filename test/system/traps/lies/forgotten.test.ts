import { setTimeout as sleep } from 'node:timers/promises';
import type { PayoutLine } from '../../../../src/client/client';
import { times } from '../../../support/lane';
import { createServe } from '../../../support/orders';
import { newLines, outcomesOf, payers, payoutOf } from '../../../support/payouts';
import { settled, transferOf } from '../../../support/sandbox';
import { someone } from '../../../support/stages';
import { inTemporal } from '../../../support/temporal';
import {
  batchesOf,
  graceMs,
  type LyingScene,
  recordsOf,
  seeing,
  shownBy,
  startLyingScene,
} from '../../../support/traps/lyingScene';

/** A server that has never heard of the payouts, as after the retention of the first one. */
const other = inTemporal();
const serve = createServe();

/** Runs a test with a scene of its own, since its lies are about the whole list. */
async function inScene(act: (scene: LyingScene) => Promise<void>): Promise<void> {
  const scene = await startLyingScene(serve);
  try {
    await act(scene);
  } finally {
    await scene.stop();
  }
}

/** Pays lines in batches of four. Then a month passes, and the service has forgotten all keys. */
async function monthAgo(scene: LyingScene, { count, wallets }: { count: number; wallets: number }) {
  const workers = await scene.work();
  const types = Array.from({ length: wallets }, () => 'EOA' as const);
  const payer = await payers(scene.sandbox, ...types);
  const lines = newLines(count);
  const order = payoutOf(payer, { batch: { linesMax: 4 } });
  const { workflowId } = await workers.steadfast.payout(order, lines);
  expect((await shownBy(workers, workflowId)).word).toBe('Done');
  expect(await outcomesOf(workers, workflowId)).toEqual({ paid: count });
  await scene.change({ keyLifetimeMs: 1 });
  return { payer, lines, order };
}

const paymentsOf = ({ payments }: LyingScene, lines: readonly PayoutLine[]): Promise<number[]> =>
  payments(...lines.map(({ to }) => to));

const once = (lines: readonly PayoutLine[]): number[] => lines.map(() => 1);

/** Payments that are no order's, and are newer in the list than all orders. */
async function payOthers({ sandbox: { client } }: LyingScene, count: number): Promise<void> {
  const [wallet] = await payers({ client }, 'EOA');
  if (wallet === undefined) throw new Error('No wallet was created.');
  for (let at = 0; at < count; at++) {
    const fields = { amounts: ['0.01'] };
    const { id } = await client.createTransfer(transferOf(wallet, someone(), fields));
    await settled(client, id);
  }
}

describe('a payout that Temporal and the service have forgotten, started again', () => {
  const links = ['tells the next page', 'does not tell the next page'];

  test.each(links.slice(0, times({ short: 1, all: 2 })))(
    'pays nothing twice where one page of the list is empty once, and the list %s',
    (what) =>
      inScene(async (scene) => {
        const { lines, order } = await monthAgo(scene, { count: 8, wallets: 1 });
        await payOthers(scene, 16);
        scene.service.listsBy(5);
        const hole = scene.service.leavesHole();
        if (what.includes('not')) scene.service.dropsLinks();
        const workers = await scene.work({ address: other.address });
        const { workflowId: id } = await workers.steadfast.payout(order, lines);
        await shownBy(workers, id);
        expect(hole.told()).toBe(1);
        const payments = await paymentsOf(scene, lines);
        expect({ told: await outcomesOf(workers, id), payments }).toEqual({
          told: { paid: 8 },
          payments: once(lines),
        });
      }),
  );

  test('pays nothing twice where the service has lost the place in the list', () =>
    inScene(async (scene) => {
      const { lines, order } = await monthAgo(scene, { count: 8, wallets: 1 });
      await payOthers(scene, 11);
      scene.service.listsBy(5);
      const lie = scene.service.losesCursor();
      const workers = await scene.work({ address: other.address });
      const { workflowId: id } = await workers.steadfast.payout(order, lines);
      await shownBy(workers, id);
      expect(lie.told()).toBeGreaterThan(0);
      const payments = await paymentsOf(scene, lines);
      expect({ told: await outcomesOf(workers, id), payments }).toEqual({
        told: { paid: 8 },
        payments: once(lines),
      });
    }));

  test('holds every line where its batches cannot be read, also with one wallet more', () =>
    inScene(async (scene) => {
      const { payer, lines, order } = await monthAgo(scene, { count: 12, wallets: 2 });
      const joined = await payers(scene.sandbox, 'EOA');
      const wallets = [...payer, ...joined].map(({ id }) => id);
      scene.service.hides('abiParameters');
      const workers = await scene.work({ address: other.address });
      const { workflowId: id } = await workers.steadfast.payout({ ...order, wallets }, lines);
      await shownBy(workers, id, 'NeedsOperator', 'Unknown');
      // Some lines may wait out the grace period before they are sent.
      await sleep(2 * graceMs);
      const { failed = 0 } = await outcomesOf(workers, id);
      const payments = await paymentsOf(scene, lines);
      expect({ failed, payments }).toEqual({ failed: 0, payments: once(lines) });
    }));

  test('tells its lines as paid with one wallet more, and pays the new one', () =>
    inScene(async (scene) => {
      const { payer, lines, order } = await monthAgo(scene, { count: 12, wallets: 2 });
      const joined = await payers(scene.sandbox, 'EOA');
      const wallets = [...payer, ...joined].map(({ id }) => id);
      const all = [...lines, ...newLines(1)];
      const workers = await scene.work({ address: other.address });
      const { workflowId: id } = await workers.steadfast.payout({ ...order, wallets }, all);
      const { word } = await shownBy(workers, id, 'NeedsOperator', 'Unknown');
      const told = await outcomesOf(workers, id);
      const payments = await paymentsOf(scene, all);
      expect({ word, told, payments }).toEqual({
        word: 'Done',
        told: { paid: 13 },
        payments: once(all),
      });
    }));
});

// The list is late by less than each of these grace periods. The second batch is sent when the first
// one shows, so that one shows in the list and one does not.
test.each([
  ['younger', 2 * graceMs + 8_000],
  ['older', graceMs + 1_500],
])(
  'a payout that is forgotten between two batches, where the one that shows is %s than the grace period, pays each line once',
  (_, lookupGraceMs) =>
    inScene(async (scene) => {
      const [wallet] = await payers(scene.sandbox, 'EOA');
      if (wallet === undefined) throw new Error('No wallet was created.');
      scene.service.listsLate(graceMs, batchesOf(wallet));
      const lines = newLines(8);
      const linesPerS = 4_000 / (graceMs + 2_000);
      const order = payoutOf([wallet], { batch: { linesMax: 4 }, linesPerS });
      const first = await scene.work({ lookupGraceMs });
      const { workflowId: id } = await first.steadfast.payout(order, lines);
      await seeing('the service has no two batches', async () => {
        return (await recordsOf(scene, batchesOf(wallet))).length === 2 || undefined;
      });
      const { workflow } = first.client;
      for (const run of [`${id}:shard:1`, id]) await workflow.getHandle(run).terminate('a test');
      await scene.change({ keyLifetimeMs: 1 });
      const second = await scene.work({ lookupGraceMs, address: other.address });
      await second.steadfast.payout({ ...order, batch: { linesMax: 5 } }, lines);
      await shownBy(second, id);
      const payments = await paymentsOf(scene, lines);
      expect({ told: await outcomesOf(second, id), payments }).toEqual({
        told: { paid: 8 },
        payments: once(lines),
      });
    }),
);
