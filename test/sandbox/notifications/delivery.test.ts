import { setTimeout as sleep } from 'node:timers/promises';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { inSandbox, startTestSandbox, transferOf } from '../../support/sandbox';
import { type Receiver, startReceiver } from '../../support/service/receiver';

type Logged = {
  number: number;
  time: string;
  subscriptionId: string;
  notificationType: string;
  status: string;
  fault?: string;
  attempts: { time: string; status?: number; error?: string; ms: number }[];
  body: string;
};

const sandbox = inSandbox();
let wallet: Wallet;
let receivers: Receiver[] = [];
beforeAll(async () => {
  wallet = await sandbox.fundedWallet('EOA');
  await quiet();
});
beforeEach(() => change({ webhookRetryMs: [20, 40], webhookTimeoutMs: 5_000 }));
afterEach(async () => {
  await sandbox.request('DELETE', '/_sandbox/faults', { headers: {} });
  for (const { id } of await sandbox.client.listSubscriptions({})) {
    await sandbox.client.deleteSubscription({ id });
  }
  await Promise.all(receivers.map((receiver) => receiver.stop()));
  receivers = [];
});

async function change(settings: object): Promise<void> {
  const { status } = await sandbox.request('PATCH', '/_sandbox/settings', { body: settings });
  expect(status).toBe(200);
}

async function plan(faults: object): Promise<void> {
  const { status } = await sandbox.request('POST', '/_sandbox/faults', { body: faults });
  expect(status).toBe(200);
}

/** A webhook that is subscribed to everything. */
async function subscribe(...how: Parameters<typeof startReceiver>) {
  const receiver = await startReceiver(...how);
  receivers.push(receiver);
  const { id } = await sandbox.client.createSubscription({ endpoint: receiver.endpoint });
  return { receiver, id };
}

async function log(of: string, after = 0): Promise<Logged[]> {
  const { body } = await sandbox.request('GET', `/_sandbox/notifications?after=${after}`);
  const { notifications } = body as { notifications: Logged[] };
  return notifications.filter(({ subscriptionId }) => subscriptionId === of);
}

/** The log of a subscription, once nothing in it waits any more. */
async function finished(of: string): Promise<Logged[]> {
  const deadline = Date.now() + 100_000;
  for (;;) {
    const logged = await log(of);
    if (logged.every(({ status }) => status !== 'pending') || Date.now() > deadline) return logged;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function transfer(): Promise<string> {
  const { id } = await sandbox.client.createTransfer(transferOf(wallet, wallet.address));
  await sandbox.settled(id);
  await quiet();
  return id;
}

/** Waits until what wallets have received is final too, and nothing more is to be told. */
async function quiet(): Promise<void> {
  const { transactions } = await sandbox.client.listTransactions({ txType: 'INBOUND' });
  await Promise.all(transactions.map(({ id }) => sandbox.settled(id)));
}

describe('a notice', () => {
  it('comes again, byte for byte, until it is accepted', async () => {
    const { receiver, id } = await subscribe((_, before) => (before.length < 2 ? 503 : 204));
    await receiver.waitFor(3, 'webhooks.test');
    const bodies = new Set(receiver.received.map(({ body }) => body));
    expect(bodies.size).toBe(1);
    const [logged] = await finished(id);
    expect(logged).toMatchObject({
      notificationType: 'webhooks.test',
      status: 'delivered',
      attempts: [{ status: 503 }, { status: 503 }, { status: 204 }],
      body: receiver.received[0]?.body,
    });
    const at = receiver.received.map(({ atMs }) => atMs);
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(19);
    expect((at[2] ?? 0) - (at[1] ?? 0)).toBeGreaterThanOrEqual(39);
  });

  it('is given up when its retries are used up', async () => {
    const { receiver, id } = await subscribe(() => 500);
    const [logged] = await finished(id);
    expect(logged?.status).toBe('failed');
    expect(logged?.attempts.map(({ status }) => status)).toEqual([500, 500, 500]);
    expect(receiver.received).toHaveLength(3);
  });

  it('is not accepted by a redirect, which is not followed', async () => {
    const { id } = await subscribe((_, before) => (before.length === 0 ? 302 : 200));
    const [logged] = await finished(id);
    expect(logged?.attempts.map(({ status }) => status)).toEqual([302, 200]);
  });

  it('that is not answered in time comes again', async () => {
    await change({ webhookTimeoutMs: 200 });
    const { id } = await subscribe((_, before) => (before.length === 0 ? undefined : 200));
    const [logged] = await finished(id);
    expect(logged).toMatchObject({
      status: 'delivered',
      attempts: [{ error: 'No answer within 200 ms' }, { status: 200 }],
    });
    expect(logged?.attempts[0]?.ms).toBeGreaterThanOrEqual(199);
  });

  it('waits for no other one: of a webhook that takes none, or none of one type', async () => {
    await change({ webhookTimeoutMs: 60_000 });
    const { receiver: dead } = await subscribe(() => undefined);
    const { receiver } = await subscribe(({ body }) => (body.includes('"QUEUED"') ? 500 : 200));
    await transfer();
    await receiver.waitFor(1, ({ notification }) => notification.state === 'COMPLETE');
    await dead.waitFor(1, ({ notification }) => notification.state === 'COMPLETE');
  });

  it('of a subscription that was deleted is dropped', async () => {
    // The subscription is deleted between the first attempt and the second.
    await change({ webhookRetryMs: [3_000] });
    const { receiver, id } = await subscribe(() => 500);
    await receiver.waitFor(1);
    await sandbox.client.deleteSubscription({ id });
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    expect(receiver.received).toHaveLength(1);
    expect((await log(id)).map(({ status }) => status)).toEqual(['dropped']);
  });
});

describe('a fault plan', () => {
  it('sends a notice twice', async () => {
    await plan({ rules: [{ kind: 'duplicateNotice', notificationType: 'transactions.outbound' }] });
    const { receiver, id } = await subscribe();
    await transfer();
    const told = await receiver.waitFor(8, 'transactions.outbound');
    const ids = new Set(told.map(({ notificationId }) => notificationId));
    expect(ids.size).toBe(4);
    for (const { attempts, fault, notificationType } of await finished(id)) {
      const isTwice = notificationType === 'transactions.outbound';
      const expected = isTwice ? [2, 'duplicateNotice'] : [1, undefined];
      expect([attempts.length, fault]).toEqual(expected);
    }
  });

  it('lets a notice come after later ones', async () => {
    const { receiver } = await subscribe();
    const late = { kind: 'lateNotice', delayMs: 5000, walletId: wallet.id, count: 1 };
    await plan({ rules: [{ ...late, notificationType: 'transactions.outbound' }] });
    await transfer();
    const told = await receiver.waitFor(4, 'transactions.outbound');
    expect(told.map(({ notification }) => notification.state).at(-1)).toBe('QUEUED');
  });

  it('loses the first attempt', async () => {
    await plan({ rules: [{ kind: 'loseNotice', count: 1 }] });
    const { receiver, id } = await subscribe();
    await receiver.waitFor(1);
    const [logged] = await finished(id);
    expect(logged).toMatchObject({
      fault: 'loseNotice',
      attempts: [{ error: 'Lost by the fault plan' }, { status: 200 }],
    });
    expect(receiver.received).toHaveLength(1);
  });

  it('hits the same notices whenever it has the same seed', async () => {
    const hit = async (seed: number): Promise<(string | undefined)[]> => {
      const notificationType = 'transactions.outbound';
      const rule = { kind: 'duplicateNotice', probability: 0.5, notificationType };
      await plan({ seed, rules: [rule] });
      const { receiver, id } = await subscribe();
      for (let count = 0; count < 3; count += 1) await transfer();
      await receiver.waitFor(12, 'transactions.outbound');
      const logged = await finished(id);
      await sandbox.client.deleteSubscription({ id });
      return logged
        .filter((one) => one.notificationType === notificationType)
        .map(({ fault }) => fault);
    };
    const first = await hit(7);
    expect(new Set(first)).toEqual(new Set([undefined, 'duplicateNotice']));
    expect(await hit(7)).toEqual(first);
    expect(await hit(8)).not.toEqual(first);
  });

  it.each([
    [{ kind: 'lateNotice' }, 'delayMs'],
    [{ kind: 'loseNotice', delayMs: 5 }, 'delayMs'],
    [{ kind: 'duplicateNotice', path: '/developer/walletSets' }, 'path'],
    [{ kind: 'stuck', notificationType: 'transactions.inbound' }, 'notificationType'],
  ])('is refused with the rule %j for its %s', async (rule, field) => {
    const { status, body } = await sandbox.request('POST', '/_sandbox/faults', {
      body: { rules: [rule] },
    });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { errors: [{ location: `rules.0.${field}` }] },
    });
  });
});

describe('a resend', () => {
  const resend = (order: object) =>
    sandbox.request('POST', '/_sandbox/notifications/resend', { body: order });

  it('by numbers brings notices again, also those that were given up', async () => {
    await change({ webhookRetryMs: [] });
    let isBroken = true;
    const { receiver, id } = await subscribe(() => (isBroken ? 500 : 200));
    await transfer();
    await receiver.waitFor(7);
    const logged = await finished(id);
    expect(new Set(logged.map(({ status }) => status))).toEqual(new Set(['failed']));
    isBroken = false;
    const [from = 0, to = 0] = [logged[1]?.number, logged[2]?.number];
    expect((await resend({ from, to, subscriptionId: id })).body).toEqual({ resent: 2 });
    const again = await finished(id);
    expect(again.map(({ status }) => status).slice(0, 4)).toEqual([
      'failed',
      'delivered',
      'delivered',
      'failed',
    ]);
    expect(again[1]?.attempts.map(({ status }) => status)).toEqual([500, 200]);
    expect(receiver.received.at(-1)?.body).toBe(again[2]?.body ?? '');
  });

  it('by time and type brings no other ones', async () => {
    const { receiver, id } = await subscribe();
    await transfer();
    await receiver.waitFor(7);
    const logged = await finished(id);
    const types = ['transactions.inbound'];
    const range = { from: logged[0]?.time, to: logged.at(-1)?.time };
    expect((await resend({ ...range, types, subscriptionId: id })).body).toEqual({ resent: 2 });
    await receiver.waitFor(4, 'transactions.inbound');
    expect(receiver.received).toHaveLength(9);
    expect((await resend({ ...range, to: range.from, types })).body).toEqual({ resent: 0 });
  });

  it.each([
    [{ from: 0 }, 'from'],
    [{ to: 'tomorrow' }, 'to'],
    [{ subscriptionId: '1' }, 'subscriptionId'],
    [{ type: 'x' }, 'type'],
  ])('of %j is refused for its %s', async (order, location) => {
    const { status, body } = await resend(order);
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ location }] } });
  });
});

describe('the delivery log', () => {
  it('goes on after a number', async () => {
    const { receiver, id } = await subscribe();
    await receiver.waitFor(1);
    const [first] = await finished(id);
    expect(await log(id, first?.number)).toEqual([]);
    expect(await log(id, (first?.number ?? 0) - 1)).toHaveLength(1);
  });
});

it('a sandbox that ends waits for no webhook', async () => {
  const other = await startTestSandbox();
  // It would wait for longer than any test may take.
  await other.request('PATCH', `${other.origin}/_sandbox/settings`, {
    headers: {},
    body: { webhookTimeoutMs: 600_000 },
  });
  const receiver = await startReceiver(() => undefined);
  receivers.push(receiver);
  await other.client.createSubscription({ endpoint: receiver.endpoint });
  await receiver.waitFor(1);
  await other.stop();
});

// Its sandbox dates all later notices by the clock that was ahead.
describe('a notice of a clock that is set back', () => {
  it('comes again, though the clock was set back since its last attempt', async () => {
    await change({ webhookRetryMs: [300] });
    const { now } = Date;
    const ahead = jest.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
    const { id } = await subscribe((_, before) => (before.length === 0 ? 500 : 200));
    while ((await log(id))[0]?.attempts.length !== 1) await sleep(10);
    ahead.mockRestore();
    const [logged] = await finished(id);
    expect(logged?.attempts.map(({ status }) => status)).toEqual([500, 200]);
  });
});
