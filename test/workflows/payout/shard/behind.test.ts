import { refId } from '../../../../src/custody/reference';
import { createServe } from '../../../support/orders';
import { newLines, payoutOf } from '../../../support/payouts';
import {
  createFundedWallet,
  settled,
  startTestSandbox,
  type TestSandbox,
  transferOf,
} from '../../../support/sandbox';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ states: 'hosted' });
});
const serve = createServe();
afterAll(() => sandbox.stop());

test('a payout behind a stuck transaction says so after a while, and pays once it is free', async () => {
  const wallet = await createFundedWallet(sandbox.client, 'EOA');
  const parts = { workflowId: 'transfer:in-front', step: 'transfer', item: '1', generation: 0 };
  const input = { ...transferOf(wallet, wallet.address, {}), refId: refId(parts) };
  const stuck = await sandbox.api.createTransfer(input, { fate: 'stuck' });
  await settled(sandbox.client, stuck.id, 'STUCK');
  const { steadfast, progress } = await serve(sandbox.client);
  const order = payoutOf([wallet], { batch: false });
  const { workflowId, receipt } = await steadfast.payout(order, newLines(3));
  const { waitingFor } = await progress(workflowId, (now) => now.waitingFor.includes('behind'));
  expect(waitingFor).toContain(`Lines wait behind transaction ${stuck.id} (STUCK)`);
  expect(waitingFor).toContain('"steadfast cancel transfer:in-front"');
  await sandbox.client.cancelTransaction({ id: stuck.id, idempotencyKey: crypto.randomUUID() });
  expect(await receipt()).toMatchObject({ lines: 3, paid: 3 });
}, 240_000);
