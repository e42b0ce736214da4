import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { createSteadfast } from '../../../src/client/client';
import { signedStatement } from '../../../src/orders/input/signed';
import { periodStart } from '../../../src/orders/schedule/schedule';
import { readRequest } from '../../../src/writer/signing/statement';
import { temporalAddress } from '../../support/temporal';
import { testKeys } from '../../writer/signing/keys';
import { listingThen } from './listingThen';

const { sign } = testKeys()('backend');
const order = {
  from: { walletId: '0c3f3d3e-1111-4222-8333-4444aaaa6666' },
  to: '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d',
  amount: '2',
  token: 'USDC',
};

let client: Client;
beforeAll(async () => {
  client = new Client({ connection: await Connection.connect({ address: temporalAddress() }) });
});
afterAll(() => client.connection.close());

it('a schedule has the times, order and policies of its owner, whatever somebody has made of it', async () => {
  const id = `rent-${randomUUID().slice(0, 8)}`;
  const handle = client.schedule.getHandle(id);
  const change = () =>
    handle.update(({ action }) => ({
      action: { ...action, workflowType: 'transferStablecoin', args: [{ amount: '5000' }] },
      spec: { intervals: [{ every: '5s' }] },
      policies: { overlap: 'SKIP', catchupWindow: '10s', pauseOnFailure: true },
      state: { paused: false, note: 'Theirs.', remainingActions: 7 },
    }));
  const signing = { sign, entity: 'e1', blockchain: 'ARC-TESTNET' };
  const mine = { client: listingThen(client, change), taskQueue: 'nobody', signing };
  const { schedules } = createSteadfast(mine);
  const kind = 'transferStablecoin';
  await schedules.create(id, { kind, order, cron: '0 9 1 * *', period: 'yyyy-MM' });
  try {
    const { action, spec, policies, state } = await handle.describe();
    const start = periodStart.parse(action.args?.[0]);
    expect(start.order).toMatchObject(order);
    expect(action.workflowType).toBe('startPeriod');
    expect(spec.intervals).toEqual([]);
    expect(spec.calendars).toMatchObject([{ dayOfMonth: [{ start: 1, end: 1 }] }]);
    const catchupWindow = 365 * 86_400_000;
    expect(policies).toEqual({ overlap: 'ALLOW_ALL', catchupWindow, pauseOnFailure: false });
    expect(state).toMatchObject({ paused: false, note: 'Created.' });
    expect(state.remainingActions).toBeUndefined();
    const { periods } = readRequest(signedStatement.parse(start.order.request).statement);
    expect(periods?.times).toHaveLength(100);
    expect(periods?.times.every((time) => time.endsWith('-01T09:00:00.000Z'))).toBe(true);
  } finally {
    await handle.delete();
  }
});
