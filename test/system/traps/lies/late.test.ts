import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { createServe, type Orders } from '../../../support/orders';
import { someone } from '../../../support/stages';
import {
  graceMs,
  type LyingScene,
  paymentsTo,
  recordsOf,
  seeing,
  shownBy,
  startLyingScene,
  wake,
} from '../../../support/traps/lyingScene';

const serve = createServe();
const scenes: LyingScene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.stop())));

const ordersPath = '/developer/transactions/transfer';

/**
 * A transfer whose answer was lost and whose key is too old to be used again. Its record is left
 * out of the list, until all readings are past its place.
 */
async function unlisted() {
  const scene = await startLyingScene(serve);
  scenes.push(scene);
  const workers = await scene.work({ keyLifetimeMs: 1 });
  const wallet = await scene.sandbox.fundedWallet('EOA');
  const [id, to] = [`transfer:${randomUUID()}`, someone()];
  scene.service.listsBy(5);
  const lie = scene.service.listsLate(Number.POSITIVE_INFINITY, paymentsTo(to));
  await scene.plan({ kind: 'loseAnswer', path: ordersPath, count: 1 });
  const order = { from: { walletId: wallet.id }, to, amount: '1', token: 'USDC' };
  await workers.steadfast.start('transferStablecoin', id, order);
  await seeing('nobody has sent it', async () => (await scene.payments(to))[0] || undefined);
  await payOthers(scene, workers, wallet);
  await shownBy(workers, id, 'Unknown');
  return { scene, workers, id, to, lie };
}

/** Newer payments over three grace periods, and look-ups that read the list after them. */
async function payOthers(scene: LyingScene, workers: Orders, wallet: Wallet) {
  for (let times = 0; times < 3; times++) {
    for (let at = 0; at < 14; at++) {
      const fields = { amounts: ['0.01'] };
      await scene.sandbox.pay(wallet, someone(), fields);
    }
    const id = `transfer:${randomUUID()}`;
    const order = { from: { walletId: wallet.id }, to: someone(), amount: '0.01', token: 'USDC' };
    await workers.steadfast.start('transferStablecoin', id, order);
    await shownBy(workers, id);
    await sleep(graceMs);
  }
}

test('a transfer whose record is listed long after it was sent goes on by itself', async () => {
  const { scene, workers, id, to, lie } = await unlisted();
  expect(await recordsOf(scene, paymentsTo(to))).toHaveLength(1);
  lie.withdraw();
  const { word } = await seeing(`${id} does not see its record`, async () => {
    await wake(workers, id);
    const { word } = await shownBy(workers, id, 'Unknown');
    return word === 'Unknown' ? undefined : { word };
  });
  expect({ word, payments: await scene.payments(to) }).toEqual({ word: 'Done', payments: [1] });
});

test('a cancelled transfer whose record is listed late is not found to have had no effect', async () => {
  const { scene, workers, id, to, lie } = await unlisted();
  lie.withdraw();
  const finding = {
    target: 'transfer/1#0',
    finding: 'noEffect',
    evidence: 'nobody has it',
  } as const;
  await workers.steadfast.cancel(id, 'no longer wanted');
  await workers.steadfast.resolve(id, finding).catch(() => {});
  const { word } = await shownBy(workers, id);
  expect({ word, payments: await scene.payments(to) }).toEqual({ word: 'Done', payments: [1] });
});
