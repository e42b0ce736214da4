import { randomUUID } from 'node:crypto';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { NoAnswerError, RefusedError } from '../../../src/custody/errors';
import type { FundOrder } from '../../../src/orders/fund';
import { type Orders, runOrders, startPermissively } from '../../support/orders';
import {
  nativeBalance,
  recipient,
  scriptedCustody,
  sender,
  transferOrder,
  transferRecord,
  treasury,
} from '../../support/service/scriptedCustody';

let custody = scriptedCustody();
let orders: Orders;
beforeAll(async () => {
  const get = (_: unknown, name: keyof CustodyApi) => (input: never, options: never) =>
    custody[name](input, options);
  orders = await runOrders(new Proxy({}, { get }) as CustodyApi);
});
afterAll(() => orders.stop());

const unauthorised = new RefusedError('key not found', { status: 401, code: 156007 });
const newId = (): string => `order:${randomUUID()}`;
const funding: FundOrder = { wallet: { walletId: sender.id }, amount: '50', token: 'native' };

/** Starts an order by name with any arguments, as a stranger can. */
function start(kind: string, workflowId: string, args: unknown[]) {
  const { client, taskQueue } = orders;
  return client.workflow.start(kind, { workflowId, taskQueue, args });
}

describe('an order that funds a wallet', () => {
  test('does not ask the faucet when it is paused and then cancelled before that', async () => {
    let answer = (): void => {};
    const paused = new Promise<void>((resolve) => {
      answer = resolve;
    });
    custody = scriptedCustody({
      listBalances: async () => {
        await paused;
        return { tokenBalances: [nativeBalance('1')] };
      },
      requestDrip: () => ({}),
    });
    const id = newId();
    const started = await orders.steadfast.start('fundWallet', id, funding);
    await orders.steadfast.pause(id, 'month end');
    answer();
    await orders.progress(id, ({ status }) => status === 'Paused');
    await orders.steadfast.cancel(id, 'not needed');
    await expect(started.receipt()).rejects.toMatchObject({ outcome: 'cancelled' });
    expect(custody.calls('requestDrip')).toHaveLength(0);
  });

  test('is done, not cancelled, when the treasury has paid and only a read is left', async () => {
    let isAway = false;
    custody = scriptedCustody({
      listBalances: () =>
        isAway ? new NoAnswerError('away') : { tokenBalances: [nativeBalance('1')] },
      getTransaction: () => {
        isAway = true;
        const way = { sourceAddress: treasury.address, destinationAddress: sender.address };
        const { tokenId: _, ...record } = transferRecord({ walletId: treasury.id, ...way });
        return { transaction: { ...record, amounts: ['50'] } };
      },
    });
    const id = newId();
    const source = { walletId: treasury.id };
    const started = await orders.steadfast.start('fundWallet', id, { ...funding, source });
    await orders.progress(id, ({ timeline }) => timeline.some(({ kind }) => kind === 'trouble'));
    await orders.steadfast.cancel(id, 'not needed');
    isAway = false;
    custody = scriptedCustody({ listBalances: () => ({ tokenBalances: [nativeBalance('51')] }) });
    expect(await started.receipt()).toMatchObject({ source: 'treasury', balance: '51' });
  });

  test('is done, too, where that read fails again and again', async () => {
    let isPaid = false;
    custody = scriptedCustody({
      listBalances: () => (isPaid ? unauthorised : { tokenBalances: [nativeBalance('1')] }),
      getTransaction: () => {
        isPaid = true;
        const way = { sourceAddress: treasury.address, destinationAddress: sender.address };
        const { tokenId: _, ...record } = transferRecord({ walletId: treasury.id, ...way });
        return { transaction: { ...record, amounts: ['50'] } };
      },
    });
    const source = { walletId: treasury.id };
    const done = orders.steadfast.execute('fundWallet', newId(), { ...funding, source });
    expect(await done).toMatchObject({ source: 'treasury', balance: '50', polls: 5 });
  });
});

test('an acceleration is answered at once when the record differs from the order', async () => {
  custody = scriptedCustody({
    getTransaction: () => ({ transaction: transferRecord({ amounts: ['6'] }) }),
  });
  const id = newId();
  const started = await orders.steadfast.start('transferStablecoin', id, transferOrder);
  await orders.progress(id, ({ status }) => status === 'NeedsOperator');
  await expect(orders.steadfast.accelerate(id)).rejects.toThrow('is not what was ordered');
  custody = scriptedCustody();
  await orders.client.workflow.getHandle(id).signal('wake');
  expect((await started.receipt()).state).toBe('COMPLETE');
});

test('a reason that is too long is refused', async () => {
  custody = scriptedCustody({
    getTransaction: () => ({ transaction: transferRecord({ state: 'PENDING' }) }),
  });
  const { steadfast } = orders;
  const id = newId();
  const started = await steadfast.start('transferStablecoin', id, transferOrder);
  const reason = 'x'.repeat(1_001);
  const sentence = 'reason: has 1001 characters, and may have 1000. Say it in fewer words.';
  await expect(steadfast.pause(id, reason)).rejects.toThrow(sentence);
  await expect(steadfast.cancel(id, reason)).rejects.toThrow(sentence);
  custody = scriptedCustody();
  expect((await started.receipt()).state).toBe('COMPLETE');
});

test('a starter cannot pass the guard with the input of a later run', async () => {
  custody = scriptedCustody();
  const empty = { done: {}, writes: {}, made: {}, progress: [] };
  const opened = { completed: { txHash: '0xfa1se' }, order: {}, searchAttributes: false };
  const handedOn = { ...empty, cancelAsked: false, doubtful: false, opened };
  const run = await start('transferStablecoin', newId(), [transferOrder, handedOn]);
  expect(await run.result()).toMatchObject({ txHash: transferRecord().txHash });
  expect(custody.calls('createTransfer')).toHaveLength(1);
});

test.each([
  ['quotes and spaces', 'invoice 47 \'ü"%'],
  ['a slash', 'a/b'],
  ['two lines', 'x\ny'],
  ['more than there is room for', 'y'.repeat(400)],
])('an id with %s is refused, and nothing is sent', async (_, id) => {
  custody = scriptedCustody();
  const run = await start('transferStablecoin', id, [transferOrder]);
  await expect(run.result()).rejects.toMatchObject({
    cause: { type: 'Refused', message: expect.stringContaining('cannot be used') },
  });
  expect(custody.calls('createTransfer')).toHaveLength(0);
});

test('a completed order tells what it has paid also when its wallet is frozen by now', async () => {
  custody = scriptedCustody();
  const id = newId();
  await orders.steadfast.execute('transferStablecoin', id, transferOrder);
  const { wallet } = await custody.getWallet({ id: sender.id });
  custody = scriptedCustody({ getWallet: () => ({ wallet: { ...wallet, state: 'FROZEN' } }) });
  const again = await startPermissively(orders, id, transferOrder);
  await expect(again.result()).rejects.toMatchObject({
    cause: { message: expect.stringContaining('An earlier run of this id paid 5 USDC') },
  });
});

test('a call matches its order when the service returns numbers as text', async () => {
  const call = { contractAddress: recipient, abiFunctionSignature: 'f(uint256,bool,uint8[])' };
  custody = scriptedCustody({
    executeContract: () => ({ id: transferRecord().id, state: 'INITIATED' }),
    getTransaction: () => {
      const { tokenId, amounts, destinationAddress, ...record } = transferRecord();
      return { transaction: { ...record, ...call, abiParameters: ['5', 'true', ['1', '2']] } };
    },
  });
  const order = { walletId: sender.id, ...call, abiParameters: [5, true, [1, 2]] };
  const receipt = await orders.steadfast.execute('executeContract', newId(), order);
  expect(receipt.state).toBe('COMPLETE');
});
