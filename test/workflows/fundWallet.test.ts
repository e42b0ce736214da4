import { randomUUID } from 'node:crypto';
import { RefusedError } from '../../src/custody/errors';
import type { Balance } from '../../src/custody/token';
import type { FundOrder } from '../../src/orders/fund';
import { createServe } from '../support/orders';
import { blockchain, scriptedCustody, sender, treasury } from '../support/scriptedCustody';

const order: FundOrder = { wallet: { walletId: sender.id }, amount: '10', token: 'USDC' };
const newId = (): string => `fund:${randomUUID()}`;

const serve = createServe();

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

describe('fundWallet', () => {
  test.concurrent('asks nobody when the wallet holds enough already', async () => {
    const custody = scriptedCustody({ listBalances: () => holding('10') });
    const { steadfast } = await serve(custody);
    const receipt = await steadfast.execute('fundWallet', newId(), order);
    expect(receipt).toMatchObject({ balance: '10', source: 'none' });
    expect(custody.calls('requestDrip')).toHaveLength(0);
  });

  test.concurrent('asks the faucet once, and believes only the balance', async () => {
    const custody = scriptedCustody({
      listBalances: (_, call) => holding(call < 3 ? '0' : '20'),
      requestDrip: () => ({}),
    });
    const { steadfast } = await serve(custody);
    const receipt = await steadfast.execute('fundWallet', newId(), order);
    expect(receipt).toMatchObject({ balance: '20', source: 'faucet', looks: 2 });
    expect(custody.calls('requestDrip')).toHaveLength(1);
  });

  test.concurrent('waits for anyone to send the money when the faucet refuses', async () => {
    const forbidden = new RefusedError('Forbidden', { status: 403, code: 3 });
    let sent = false;
    const custody = scriptedCustody({
      listBalances: () => holding(sent ? '12' : '4'),
      requestDrip: () => forbidden,
    });
    const orders = await serve(custody);
    const id = newId();
    const started = await orders.steadfast.start('fundWallet', id, order);
    const progress = await orders.progress(id, ({ status }) => status === 'Waiting');
    expect(progress.waitingFor).toBe(`${sender.address} to hold 10 USDC. Send it to that address`);
    sent = true;
    await orders.client.workflow.getHandle(id).signal('wake');
    expect(await started.receipt()).toMatchObject({ balance: '12', source: 'external' });
    expect(custody.calls('requestDrip')).toHaveLength(1);
  });

  test.concurrent('takes it from a treasury wallet with one transfer', async () => {
    const custody = scriptedCustody({
      listBalances: (_, call) => holding(call === 1 ? '0' : '10'),
      getTransaction: () => ({
        transaction: {
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
        },
      }),
    });
    const { steadfast } = await serve(custody);
    const source = { walletId: treasury.id };
    const receipt = await steadfast.execute('fundWallet', newId(), { ...order, source });
    expect(receipt.source).toBe('treasury');
    expect(custody.calls('createTransfer')).toHaveLength(1);
    expect(custody.calls('createTransfer')[0]?.input).toMatchObject({ amounts: ['10'] });
  });

  test.concurrent('refuses a wallet that is to be funded from itself', async () => {
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
