import { randomUUID } from 'node:crypto';
import { NoAnswerError, RefusedError, WithheldError } from '../../src/custody/errors';
import type { Balance } from '../../src/custody/objects/token';
import { refId } from '../../src/custody/reference';
import type { FundOrder } from '../../src/orders/fund';
import { createServe, type Orders } from '../support/orders';
import { createWallet, startTestSandbox } from '../support/sandbox';
import { blockchain, scriptedCustody, sender, treasury } from '../support/service/scriptedCustody';

const order: FundOrder = { wallet: { walletId: sender.id }, amount: '10', token: 'USDC' };
const newId = (): string => `fund:${randomUUID()}`;

const serve = createServe();

/** Ends a wait early, and lets the order poll. */
async function wake(orders: Orders, id: string): Promise<void> {
  await orders.client.workflow.getHandle(id).signal('wake');
  await new Promise((resolve) => setTimeout(resolve, 100));
}

function holding(amount: string): { tokenBalances: Balance[] } {
  const token = {
    id: 'f9d68076-9d6b-5f37-a226-0b49cfa631d5',
    blockchain,
    isNative: false,
    symbol: 'USDC',
    decimals: 6,
    tokenAddress: '0x3600000000000000000000000000000000000000',
    createDate: '',
    updateDate: '',
  };
  return { tokenBalances: amount === '0' ? [] : [{ amount, token, updateDate: '' }] };
}

const source = { walletId: treasury.id };
const fromTreasury = {
  id: 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb',
  blockchain,
  state: 'COMPLETE',
  transactionType: 'OUTBOUND',
  sourceAddress: treasury.address,
  destinationAddress: sender.address,
  amounts: ['10'],
  txHash: '0xdef',
  createDate: '',
  updateDate: '',
};

/** A service whose list shows the transfer of an order late. */
function lateList(workflowId: string, scriptOf: (show: () => void) => Script) {
  let isShown = false;
  const show = (): void => {
    isShown = true;
  };
  const parts = { workflowId, step: 'fund', item: '1', generation: 0 };
  const transaction = { ...fromTreasury, refId: refId(parts) };
  return scriptedCustody({
    listTransactions: ({ pageAfter }) => ({
      transactions: pageAfter || !isShown ? [] : [transaction],
    }),
    getTransaction: () => ({ transaction }),
    ...scriptOf(show),
  });
}
type Script = Parameters<typeof scriptedCustody>[0];

describe('fundWallet', () => {
  test.concurrent('asks nobody for money when the wallet holds enough', async () => {
    const custody = scriptedCustody({ listBalances: () => holding('10') });
    const { steadfast } = await serve(custody);
    const receipt = await steadfast.execute('fundWallet', newId(), order);
    expect(receipt).toMatchObject({ balance: '10', source: 'none' });
    expect(custody.calls('requestDrip')).toHaveLength(0);
  });

  test.concurrent('asks the faucet once, and then trusts only the balance', async () => {
    const custody = scriptedCustody({
      listBalances: (_, call) => holding(call < 3 ? '0' : '20'),
      requestDrip: () => ({}),
    });
    const { steadfast } = await serve(custody);
    const receipt = await steadfast.execute('fundWallet', newId(), order);
    expect(receipt).toMatchObject({ balance: '20', source: 'faucet', polls: 2 });
    expect(custody.calls('requestDrip')).toHaveLength(1);
  });

  test.concurrent('does not ask the faucet again when its drip brought nothing', async () => {
    let held = '0';
    const custody = scriptedCustody({
      listBalances: () => holding(held),
      requestDrip: (_, call) => {
        if (call === 1) held = '4';
        return {};
      },
    });
    const orders = await serve(custody);
    const id = newId();
    const started = await orders.steadfast.start('fundWallet', id, order);
    const progress = await orders.progress(id, ({ waitingFor }) => waitingFor.includes('holds 4'));
    expect(progress.waitingFor).toBe(
      `${sender.address} to hold 10 USDC. It holds 4, so 6 is missing. The faucet was asked. ` +
        'If it gives too little, send 6 USDC to that address',
    );
    const reads = custody.calls('listBalances').length;
    while (custody.calls('listBalances').length < reads + 2) await wake(orders, id);
    expect(custody.calls('requestDrip')).toHaveLength(2);
    held = '10';
    await wake(orders, id);
    expect(await started.receipt()).toMatchObject({ balance: '10', source: 'faucet' });
  });

  test.concurrent.each([
    // A faucet may refuse a key that is good for all else, so that the words of 403 would mislead.
    ['refuses', '', new RefusedError('Forbidden', { status: 403, code: 3 })],
    ['is closed', ': It is closed.', new WithheldError('It is closed.', { next: 'stop' })],
  ])('waits for money from anyone when the faucet %s', async (_, why, refusal) => {
    let sent = false;
    const custody = scriptedCustody({
      listBalances: () => holding(sent ? '12' : '4'),
      requestDrip: () => refusal,
    });
    const orders = await serve(custody);
    const id = newId();
    const started = await orders.steadfast.start('fundWallet', id, order);
    const progress = await orders.progress(id, ({ status }) => status === 'Waiting');
    expect(progress.waitingFor).toBe(
      `${sender.address} to hold 10 USDC. It holds 4, so 6 is missing. Send 6 USDC to that address`,
    );
    const reason = `the faucet gives nothing, so the order waits for funds${why}`;
    expect(progress.timeline).toContainEqual(expect.objectContaining({ words: reason }));
    sent = true;
    await orders.client.workflow.getHandle(id).signal('wake');
    expect(await started.receipt()).toMatchObject({ balance: '12', source: 'external' });
    expect(custody.calls('requestDrip')).toHaveLength(1);
  });

  test.concurrent('moves the money from a treasury wallet with one transfer', async () => {
    const custody = scriptedCustody({
      listBalances: (_, call) => holding(call === 1 ? '0' : '10'),
      getTransaction: ({ id }) => ({ transaction: { ...fromTreasury, id } }),
    });
    const { steadfast } = await serve(custody);
    const receipt = await steadfast.execute('fundWallet', newId(), { ...order, source });
    expect(receipt.source).toBe('treasury');
    expect(custody.calls('createTransfer')).toHaveLength(1);
    expect(custody.calls('createTransfer')[0]?.input).toMatchObject({ amounts: ['10'] });
  });

  test.concurrent('tells its own transfer that the list shows once the balance does', async () => {
    const id = newId();
    const custody = lateList(id, (show) => ({
      listBalances: () => {
        show();
        return holding('10');
      },
    }));
    const { steadfast } = await serve(custody);
    const receipt = await steadfast.execute('fundWallet', id, { ...order, source });
    expect(receipt).toMatchObject({ source: 'treasury', balance: '10' });
    expect(custody.calls('createTransfer')).toEqual([]);
  });

  test.concurrent('looks for a transfer that may have been sent over the grace period', async () => {
    const id = newId();
    let held = '0';
    const custody = lateList(id, (show) => ({
      createTransfer: () => new NoAnswerError('lost'),
      listBalances: () => {
        if (held === '10') setTimeout(show, 1_500);
        return holding(held);
      },
    }));
    const orders = await serve(custody, { lookupGraceMs: 60_000 });
    await orders.steadfast.start('fundWallet', id, { ...order, source });
    await orders.progress(id, () => custody.calls('createTransfer').length > 0);
    await orders.client.workflow.getHandle(id).terminate();
    held = '10';
    const again = await orders.steadfast.start('fundWallet', id, { ...order, source });
    expect(await again.receipt()).toMatchObject({ source: 'treasury', balance: '10' });
  });

  test.concurrent('refuses a wallet that is its own source', async () => {
    const { steadfast } = await serve(scriptedCustody());
    const source = { walletId: sender.id };
    await expect(
      steadfast.execute('fundWallet', newId(), { ...order, source }),
    ).rejects.toMatchObject({
      outcome: 'refused',
      message: `source: ${sender.id} is the wallet itself. Name another one.`,
    });
  });

  test.concurrent('can be cancelled while it waits', async () => {
    const custody = scriptedCustody({ listBalances: () => holding('0') });
    const orders = await serve(custody);
    const id = newId();
    const started = await orders.steadfast.start('fundWallet', id, {
      ...order,
      source: 'external',
    });
    await orders.progress(id, ({ status }) => status === 'Waiting');
    await orders.client.workflow.getHandle(id).cancel();
    await expect(started.receipt()).rejects.toMatchObject({ outcome: 'cancelled' });
  });
});

test('on a real chain, asks the faucet until the wallet holds more than one drip', async () => {
  const sandbox = await startTestSandbox();
  const { client, baseUrl } = sandbox;
  const { steadfast } = await serve(client, { baseUrl });
  const wallet = await createWallet(client);
  const whole = { wallet: { walletId: wallet.id }, amount: '45', token: 'USDC' };
  const receipt = await steadfast.execute('fundWallet', newId(), whole);
  expect(receipt).toMatchObject({ balance: '60', source: 'faucet' });
  await sandbox.stop();
});
