import { randomUUID } from 'node:crypto';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { blockchain, inSandbox, transferOf, usdc } from '../../support/sandbox';
import { type Receiver, startReceiver, type Told } from '../../support/service/receiver';

let receiver: Receiver;
let wallet: Wallet;
let subscriptionId: string;
const sandbox = inSandbox();
beforeAll(async () => {
  wallet = await sandbox.fundedWallet('EOA');
});

beforeEach(async () => {
  receiver = await startReceiver();
  const { endpoint } = receiver;
  ({ id: subscriptionId } = await sandbox.client.createSubscription({ endpoint }));
  await receiver.waitFor(1, 'webhooks.test');
});
afterEach(async () => {
  await sandbox.request('DELETE', '/_sandbox/faults', { headers: {} });
  await sandbox.client.deleteSubscription({ id: subscriptionId });
  await receiver.stop();
});

/** The states that have been told of a transaction, by the order of their timestamps. */
function statesOf(id: string, type = 'transactions.outbound'): unknown[] {
  return receiver
    .told(type)
    .filter(({ notification }) => notification.id === id)
    .sort((one, other) => (one.timestamp < other.timestamp ? -1 : 1))
    .map(({ notification }) => notification.state);
}

/** Waits until the last state is told. What would come after it has come too. */
async function told(id: string, state: string): Promise<unknown[]> {
  const deadline = Date.now() + 100_000;
  while (!statesOf(id).includes(state) && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return statesOf(id);
}

async function plan(...rules: object[]): Promise<void> {
  const { status } = await sandbox.request('POST', '/_sandbox/faults', { body: { rules } });
  expect(status).toBe(200);
}

describe('a new subscription', () => {
  it('begins with the test notice of the documents', () => {
    const noId = '00000000-0000-0000-0000-000000000000';
    // The faucet's coins may arrive, and be told, after the subscription was made.
    expect(receiver.told()[0]).toEqual({
      subscriptionId: noId,
      notificationId: noId,
      notificationType: 'webhooks.test',
      notification: { hello: 'world' },
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/),
      version: 2,
    });
    expect(receiver.received[0]?.headers['content-type']).toBe('application/json');
  });
});

describe('a transfer', () => {
  it('is told from QUEUED to COMPLETE, with the fields of real notices', async () => {
    const order = transferOf(wallet, wallet.address, { refId: 'till 4' });
    const { id } = await sandbox.client.createTransfer(order);
    expect(await told(id, 'COMPLETE')).toEqual(['QUEUED', 'SENT', 'CONFIRMED', 'COMPLETE']);
    const { transaction } = await sandbox.client.getTransaction({ id });
    const of = ({ notification }: Told) => notification.id === id;
    const last = receiver.told('transactions.outbound').filter(of).at(-1);
    expect(last).toEqual({
      subscriptionId,
      notificationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      notificationType: 'transactions.outbound',
      notification: {
        id,
        blockchain,
        walletId: wallet.id,
        tokenId: transaction.tokenId,
        sourceAddress: wallet.address,
        destinationAddress: wallet.address,
        amounts: ['1'],
        nftTokenIds: [],
        refId: 'till 4',
        state: 'COMPLETE',
        errorReason: '',
        transactionType: 'OUTBOUND',
        txHash: transaction.txHash,
        createDate: transaction.createDate,
        updateDate: transaction.updateDate,
        errorDetails: null,
        networkFee: transaction.networkFee,
        networkFeeInUSD: transaction.networkFee,
      },
      timestamp: expect.any(String),
      version: 2,
    });
    const ids = receiver.told().map(({ notificationId }) => notificationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is told to its receiver as CONFIRMED and COMPLETE', async () => {
    const to = await sandbox.wallet('EOA');
    await sandbox.client.createTransfer(transferOf(wallet, to.address));
    const notices = await receiver.waitFor(2, ({ notification }) => {
      return notification.walletId === to.id;
    });
    const { transactions } = await sandbox.client.listTransactions({ walletIds: to.id });
    const [record] = transactions;
    expect(notices.map(({ notification }) => notification)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: record?.id, state: 'CONFIRMED', amounts: ['1'] }),
        expect.objectContaining({ id: record?.id, state: 'COMPLETE', walletId: to.id }),
      ]),
    );
  });

  it('of a smart account names its operation', async () => {
    const smart = await sandbox.fundedWallet('SCA');
    const { id } = await sandbox.client.createTransfer(transferOf(smart, wallet.address));
    await told(id, 'COMPLETE');
    const { transaction } = await sandbox.client.getTransaction({ id });
    const last = receiver.told('transactions.outbound').at(-1)?.notification;
    expect(last).toMatchObject({ id, userOpHash: transaction.userOpHash });
  });

  it('that fails is told as FAILED, with its reason', async () => {
    const order = transferOf(wallet, wallet.address, { amounts: ['1000000'] });
    const { id } = await sandbox.client.createTransfer(order);
    expect(await told(id, 'FAILED')).toEqual(['QUEUED', 'FAILED']);
    const last = receiver.told('transactions.outbound').at(-1)?.notification;
    expect(last).toMatchObject({ id, errorReason: expect.stringMatching(/^[A-Z_]+$/) });
  });

  it('that screening denies is told as DENIED', async () => {
    await plan({ kind: 'denied', count: 1 });
    const { id } = await sandbox.client.createTransfer(transferOf(wallet, wallet.address));
    const { state } = await sandbox.settled(id);
    expect(state).toBe('DENIED');
    expect(await told(id, 'DENIED')).toEqual(['DENIED']);
  });

  it('that sticks is told as STUCK, and as CANCELLED once it is cancelled', async () => {
    const from = await sandbox.fundedWallet('EOA');
    await plan({ kind: 'stuck', count: 1 });
    const { id } = await sandbox.client.createTransfer(transferOf(from, wallet.address));
    expect(await told(id, 'STUCK')).toEqual(['QUEUED', 'SENT', 'STUCK']);
    await sandbox.client.cancelTransaction({ id, idempotencyKey: randomUUID() });
    expect(await told(id, 'CANCELLED')).toEqual(['QUEUED', 'SENT', 'STUCK', 'CANCELLED']);
  });

  it('is told when the control plane forces its state', async () => {
    const { id } = await sandbox.client.createTransfer(transferOf(wallet, wallet.address));
    await told(id, 'COMPLETE');
    const url = `/_sandbox/transactions/${id}/state`;
    await sandbox.request('POST', url, { body: { state: 'FAILED' } });
    expect((await told(id, 'FAILED')).at(-1)).toBe('FAILED');
  });
});

describe('a subscription', () => {
  it('gets the types alone that it names', async () => {
    const other = await startReceiver();
    const { id } = await sandbox.client.createSubscription({
      endpoint: other.endpoint,
      notificationTypes: ['transactions.inbound'],
    });
    const order = transferOf(wallet, wallet.address, { tokenAddress: usdc });
    const sent = await sandbox.client.createTransfer(order);
    await told(sent.id, 'COMPLETE');
    await other.waitFor(2, 'transactions.inbound');
    const types = new Set(other.told().map(({ notificationType }) => notificationType));
    expect(types).toEqual(new Set(['webhooks.test', 'transactions.inbound']));
    await sandbox.client.deleteSubscription({ id });
    await other.stop();
  });

  it('that is disabled gets nothing, and nothing later of what has happened meanwhile', async () => {
    const before = receiver.received.length;
    const change = { id: subscriptionId, name: 'Till' };
    await sandbox.client.updateSubscription({ ...change, enabled: false });
    const first = await sandbox.client.createTransfer(transferOf(wallet, wallet.address));
    await sandbox.settled(first.id);
    await sandbox.client.updateSubscription({ ...change, enabled: true });
    const second = await sandbox.client.createTransfer(transferOf(wallet, wallet.address));
    await told(second.id, 'COMPLETE');
    expect(statesOf(first.id)).toEqual([]);
    expect(receiver.received.length).toBeGreaterThan(before);
  });
});
