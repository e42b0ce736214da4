import { randomUUID } from 'node:crypto';
import { createServe } from '../../../support/orders';
import { linesOf, newLines, payers, payoutOf } from '../../../support/payouts';
import { neverMs, someone } from '../../../support/stages';
import {
  graceMs,
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
const scenes: LyingScene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.stop())));

/** A worker without a node of the chain. A transfer is placed once the service has accepted it. */
async function blindly(config: Parameters<typeof startLyingScene>[1] = {}) {
  const scene = await startLyingScene(serve, config);
  scenes.push(scene);
  const workers = await scene.work({ isBlind: true });
  const place = async (to = someone()) => {
    const wallet = await scene.sandbox.fundedWallet('EOA');
    const id = `transfer:${randomUUID()}`;
    const order = { from: { walletId: wallet.id }, to, amount: '1', token: 'USDC' };
    await workers.steadfast.start('transferStablecoin', id, order);
    const record = await recordTo(scene, to);
    return { id, to, record };
  };
  return { scene, workers, place };
}

const recordTo = (scene: LyingScene, to: string) =>
  seeing(`there is no record to ${to}`, async () => (await recordsOf(scene, paymentsTo(to)))[0]);

describe('without a node of the chain', () => {
  test.concurrent('a final word that is corrected within the grace period is not told', async () => {
    const { scene, workers, place } = await blindly();
    const to = someone();
    const lie = scene.service.saysFalsely('FAILED', paymentsTo(to));
    const { id } = await place(to);
    await seeing('nobody has read the record', async () => lie.told() > 0 || undefined);
    lie.withdraw();
    const { word } = await shownBy(workers, id);
    const payments = await scene.payments(to);
    expect({ word, payments }).toEqual({ word: 'Done', payments: [1] });
  });

  test.concurrent('a final word that stands is told after the grace period', async () => {
    const { scene, workers, place } = await blindly({ settleMs: neverMs });
    const { id, to, record } = await place();
    await scene.force(record.id, 'FAILED');
    const failedMs = Date.now();
    const { word, closedAt = '' } = await shownBy(workers, id);
    const payments = await scene.payments(to);
    expect({ word, payments }).toEqual({ word: 'Failed', payments: [0] });
    expect(Date.parse(closedAt) - failedMs).toBeGreaterThan(graceMs);
  });

  test.concurrent('a failure that was told, and is corrected later, is not sent again', async () => {
    const { scene, workers, place } = await blindly();
    const to = someone();
    const lie = scene.service.saysFalsely('FAILED', paymentsTo(to));
    const { id, record } = await place(to);
    const told = await shownBy(workers, id);
    await scene.sandbox.settled(record.id);
    // The look-up of another order reads the list, and so meets the false word.
    const other = await place();
    await shownBy(workers, other.id);
    lie.withdraw();
    await resubmitted(workers, id);
    await wake(workers, id);
    const { word } = await shownBy(workers, id);
    const payments = await scene.payments(to);
    expect({ told: told.word, word, payments }).toEqual({
      told: 'Failed',
      word: 'Done',
      payments: [1],
    });
  });

  test.concurrent('a batch whose word is corrected within the grace period pays once', async () => {
    const { scene, workers } = await blindly();
    const wallets = await payers(scene.sandbox, 'EOA');
    const lie = scene.service.saysFalsely('FAILED', ({ walletId }) => walletId === wallets[0]?.id);
    const lines = newLines(6);
    const { workflowId: id } = await workers.steadfast.payout(payoutOf(wallets), lines);
    await seeing('nobody has read a record', async () => lie.told() > 0 || undefined);
    lie.withdraw();
    await shownBy(workers, id);
    const payments = await scene.payments(...lines.map(({ to }) => to));
    const outcomes = (await linesOf(workers, id)).map(({ outcome }) => outcome);
    expect({ outcomes, payments }).toEqual({
      outcomes: lines.map(() => 'paid'),
      payments: lines.map(() => 1),
    });
  });
});
