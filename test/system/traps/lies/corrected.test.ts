import { createServe } from '../../../support/orders';
import { newLines, outcomesOf, payers, payoutOf } from '../../../support/payouts';
import { neverMs } from '../../../support/stages';
import {
  batchesOf,
  type LyingScene,
  recordsOf,
  seeing,
  shownBy,
  startLyingScene,
} from '../../../support/traps/lyingScene';

const serve = createServe();
const scenes: LyingScene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.stop())));

describe('a word about a batch that is corrected after its lines were told as failed', () => {
  test.each(['EOA', 'SCA'] as const)(
    '%s: a retry of the lines pays nobody twice, and tells what the batch has done',
    async (type) => {
      const scene = await startLyingScene(serve, { settleMs: neverMs });
      scenes.push(scene);
      const workers = await scene.work();
      const [wallet] = await payers(scene.sandbox, type);
      if (wallet === undefined) throw new Error('No wallet was created.');
      const lines = newLines(6);
      const lies = [
        scene.service.saysFalsely('CANCELLED', batchesOf(wallet)),
        scene.service.hides('userOpHash', batchesOf(wallet)),
      ];
      const { workflowId: id } = await workers.steadfast.payout(payoutOf([wallet]), lines);
      await shownBy(workers, id);
      const before = await outcomesOf(workers, id);
      const [batch] = await recordsOf(scene, batchesOf(wallet));
      await scene.change({ settleMs: 50 });
      await scene.sandbox.settled(batch?.id ?? '');
      for (const lie of lies) lie.withdraw();
      const paid = scene.payments(...lines.map(({ to }) => to));
      expect(await paid).toEqual(lines.map(() => 1));
      await workers.steadfast.retry(id);
      const after = await seeing('the retry has not ended', async () => {
        const told = await outcomesOf(workers, id).catch(() => ({}) as Record<string, number>);
        return told.paid === 6 ? told : undefined;
      });
      expect({
        before,
        after,
        batches: (await recordsOf(scene, batchesOf(wallet))).length,
        payments: await scene.payments(...lines.map(({ to }) => to)),
      }).toEqual({
        before: { failed: 6 },
        after: { paid: 6 },
        batches: 1,
        payments: lines.map(() => 1),
      });
    },
  );
});
