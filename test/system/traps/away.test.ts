import { setTimeout as sleep } from 'node:timers/promises';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { NotSentError } from '../../../src/custody/errors';
import { createServe } from '../../support/orders';
import { newLines, payoutOf } from '../../support/payouts';
import { openTill } from '../../support/service/tillCustody';
import { inTemporal } from '../../support/temporal';

const serve = createServe();
/** The server suggests a new run after two dozen events. */
const temporal = inTemporal({ 'limit.historyCount.suggestContinueAsNew': '24' });

test('a payout that was handed its lines while the service was away for long is paid once it is back', async () => {
  const till = openTill({ wallets: 1 });
  let isAway = true;
  const custody: CustodyApi = new Proxy(till.custody, {
    get: (target, name) => async (input: unknown) => {
      if (isAway) throw new NotSentError('connection refused');
      return Reflect.get(target, name)(input);
    },
  });
  const orders = await serve(custody, { address: temporal.address });
  const [lines, order] = [newLines(2), payoutOf(till.wallets)];
  const refused = orders.steadfast.payout(order, lines).catch(String);
  const handle = orders.client.workflow.getHandle(`payout:${order.payoutId}`);
  // Its history grows until it goes on in a new run, which it could not while it owes an answer.
  for (;;) {
    await handle.signal('wake').catch(() => {});
    const told = await Promise.race([refused, sleep(200)]);
    if (told === undefined) continue;
    expect(told).toContain('could not be opened yet');
    break;
  }
  isAway = false;
  await handle.signal('wake');
  const again = () => orders.steadfast.payout(order, lines).catch(() => undefined);
  let started = await again();
  while (started === undefined) started = await again();
  expect(await started.receipt()).toMatchObject({ paid: 2 });
  expect(till.taken.length).toBe(2);
});
