import { randomUUID } from 'node:crypto';
import { stopLater } from '../../support/jest/setUp';
import { inSandbox } from '../../support/sandbox';
import { type Receiver, startReceiver } from '../../support/service/receiver';

const path = '/v2/notifications/subscriptions';
const sandbox = inSandbox();
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  stopLater(() => receiver.stop());
});

describe('an endpoint', () => {
  it.each([
    ['hook.example.org', 'must be a URL'],
    ['ftp://127.0.0.1/hook', 'must begin with https:// or http://'],
    ['http://example.org/hook', 'only for this machine and private networks'],
    ['http://93.184.215.14/hook', 'only for this machine and private networks'],
    ['http://172.32.0.1/hook', 'only for this machine and private networks'],
    ['http://[2001:db8::1]/hook', 'only for this machine and private networks'],
    ['http://169.254.169.254/latest', 'only for this machine and private networks'],
    ['http://[fe80::1]/hook', 'only for this machine and private networks'],
    ['http://metadata.google.internal/', 'only for this machine and private networks'],
    ['http://me:secret@127.0.0.1/hook', 'no user and no password'],
  ])('%s is refused: it %s', async (endpoint, why) => {
    const { status, body } = await sandbox.request('POST', path, { body: { endpoint } });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: {
        code: 2,
        errors: [{ location: 'endpoint', message: expect.stringContaining(why) }],
      },
    });
  });

  it.each([404, 302, 500])('that answers HEAD with %d is refused', async (headStatus) => {
    const other = await startReceiver(undefined, { headStatus });
    const { endpoint } = other;
    const { body } = await sandbox.request('POST', path, { body: { endpoint } });
    const message = expect.stringContaining(`It has answered ${headStatus}`);
    expect(body).toMatchObject({ code: 2, errors: [{ location: 'endpoint', message }] });
    expect(await sandbox.client.listSubscriptions({})).toEqual([]);
    await other.stop();
  });

  it('where nobody listens is refused', async () => {
    const other = await startReceiver();
    await other.stop();
    const { endpoint } = other;
    const { body } = await sandbox.request('POST', path, { body: { endpoint } });
    const message = expect.stringContaining('ECONNREFUSED');
    expect(body).toMatchObject({ code: 2, errors: [{ location: 'endpoint', message }] });
  });

  it('that has gone keeps its subscription from being switched on, but not off', async () => {
    const other = await startReceiver();
    const { id } = await sandbox.client.createSubscription({ endpoint: other.endpoint });
    await other.stop();
    const change = { id, name: 'Till' };
    await expect(
      sandbox.client.updateSubscription({ ...change, enabled: true }),
    ).rejects.toMatchObject({ status: 400, code: 2 });
    const { enabled } = await sandbox.client.updateSubscription({ ...change, enabled: false });
    expect(enabled).toBe(false);
    await sandbox.client.deleteSubscription({ id });
  });
});

describe('a subscription', () => {
  it.each([
    [{}, 'endpoint'],
    [{ endpoint: 'https://example.org', notificationTypes: ['payments.*'] }, 'notificationTypes.0'],
  ])('of %j is refused for its %s', async (body, location) => {
    const answer = await sandbox.request('POST', path, { body });
    expect(answer.body).toMatchObject({ code: 2, errors: [{ location }] });
  });

  it('with an asterisk among its types is not restricted', async () => {
    const { id, restricted } = await sandbox.client.createSubscription({
      endpoint: receiver.endpoint,
      notificationTypes: ['*', 'transactions.inbound'],
    });
    expect(restricted).toBe(false);
    await sandbox.client.deleteSubscription({ id });
  });

  it('that is not there is neither shown, changed nor deleted', async () => {
    const id = randomUUID();
    const notFound = { status: 404, code: 404 };
    const { client } = sandbox;
    await expect(client.getSubscription({ id })).rejects.toMatchObject(notFound);
    const change = { id, name: 'Till', enabled: true };
    await expect(client.updateSubscription(change)).rejects.toMatchObject(notFound);
    await expect(client.deleteSubscription({ id })).rejects.toMatchObject(notFound);
    await expect(client.getNotificationSignature({ id })).rejects.toMatchObject(notFound);
  });

  it('that was deleted is not there, and not deleted twice', async () => {
    const { client } = sandbox;
    const { id } = await client.createSubscription({ endpoint: receiver.endpoint });
    await client.deleteSubscription({ id });
    await expect(client.getSubscription({ id })).rejects.toMatchObject({ status: 404 });
    await expect(client.deleteSubscription({ id })).rejects.toMatchObject({ status: 404 });
  });

  it('is one of twenty at the most, also when they come together', async () => {
    const { endpoint } = receiver;
    const create = () => sandbox.client.createSubscription({ endpoint });
    const created = await Promise.allSettled(Array.from({ length: 22 }, create));
    const refused = created.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(2);
    const subscriptions = await sandbox.client.listSubscriptions({});
    expect(subscriptions).toHaveLength(20);
    for (const { id } of subscriptions) await sandbox.client.deleteSubscription({ id });
    await create();
  });

  it('wants an API key', async () => {
    const { status } = await sandbox.request('GET', path, { headers: {} });
    expect(status).toBe(401);
  });
});

it('is changed and deleted by its id in any case', async () => {
  const { endpoint } = receiver;
  const { id } = await sandbox.client.createSubscription({ endpoint });
  const upper = id.toUpperCase();
  const changed = { name: 'Tills', enabled: false };
  expect(await sandbox.client.updateSubscription({ id: upper, ...changed })).toMatchObject(changed);
  await sandbox.client.deleteSubscription({ id: upper });
  await expect(sandbox.client.getSubscription({ id })).rejects.toMatchObject({ status: 404 });
});
