import { setTimeout as sleep } from 'node:timers/promises';
import { createServe } from '../../../support/orders';
import { newLines, payoutOf } from '../../../support/payouts';
import { openTill } from '../../../support/service/tillCustody';

const serve = createServe();
const graceMs = 8_000;

test('a final word that was withdrawn counts from its second time on', async () => {
  const till = openTill({ wallets: 1 });
  till.settings.settleMs = 600_000;
  const orders = await serve(till.custody, { lookupGraceMs: graceMs });
  const { receipt } = await orders.steadfast.payout(payoutOf(till.wallets), newLines(1));
  while (till.taken.length === 0) await sleep(50);
  const say = (state: string) => Object.assign(till.taken[0] ?? {}, { state });
  say('FAILED');
  await sleep(graceMs / 2);
  say('QUEUED');
  await sleep(graceMs / 2);
  say('FAILED');
  await sleep(graceMs / 2);
  say('COMPLETE');
  till.settle();
  Object.assign(till.taken[0] ?? {}, { txHash: `0x${'ab'.repeat(32)}` });
  expect(await receipt()).toMatchObject({ lines: 1, paid: 1, failed: 0 });
  expect(till.taken).toHaveLength(1);
});
