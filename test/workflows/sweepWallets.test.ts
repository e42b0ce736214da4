import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CustodyApi } from '../../src/custody/endpoints';
import { refId } from '../../src/custody/reference';
import type { Progress } from '../../src/orders/progress/status';
import type { SweepOrder, SweepReceipt } from '../../src/orders/sweep';
import { setUp } from '../support/jest/setUp';
import { runOrders } from '../support/orders';
import {
  createFundedWallet,
  eurc,
  settled,
  tokenTransfers,
  transferOf,
  usdc,
} from '../support/sandbox';
import { startScene } from '../support/traps/scene';

const scene = setUp(() => startScene());
const into = setUp(() => scene.sandbox.fundedWallet('SCA'));

const newId = (): string => `sweep:${randomUUID()}`;

/** The amount that each wallet sent to the collecting wallet, from the chain's logs. */
async function collectedFrom(...wallets: { address: string }[]): Promise<bigint[]> {
  const { rpcUrl } = scene.sandbox;
  const sent = wallets.map(({ address: from }) =>
    tokenTransfers(rpcUrl, { from, to: into.address }),
  );
  return (await Promise.all(sent)).flat().map(({ value }) => value);
}

async function holdsUsdc({ id }: { id: string }): Promise<string> {
  const { tokenBalances } = await scene.sandbox.client.listBalances({ id, includeAll: true });
  return tokenBalances.find(({ token }) => token.tokenAddress === usdc)?.amount ?? '0';
}

function orderOf(wallets: { id: string }[], fields: Partial<SweepOrder> = {}): SweepOrder {
  const ids = wallets.map(({ id }) => id);
  return { wallets: ids, into: { walletId: into.id }, token: 'USDC', ...fields };
}

/** Starts an order by name with plain JSON, with any earlier use of its id allowed. */
function start(workflowId: string, order: SweepOrder) {
  const { client, taskQueue } = scene.orders;
  const workflowIdReusePolicy = 'ALLOW_DUPLICATE';
  const options = { workflowId, taskQueue, args: [order], workflowIdReusePolicy } as const;
  return client.workflow.start('sweepWallets', options);
}

describe('sweepWallets, on a real chain', () => {
  test('collects what each wallet holds, less the fees of a wallet that pays its own', async () => {
    const { client } = scene.sandbox;
    const [sca, eoa] = [
      await createFundedWallet(client, 'SCA'),
      await createFundedWallet(client, 'EOA'),
    ];
    const held = [await holdsUsdc(sca), await holdsUsdc(eoa)];
    const id = newId();
    const { steadfast } = scene.orders;
    const receipt = await steadfast.execute('sweepWallets', id, orderOf([sca, eoa]));
    const units = held.map((amount) => BigInt(Number(amount) * 1_000_000));
    expect(await collectedFrom(sca, eoa)).toEqual([units[0], (units[1] ?? 0n) - 100_000n]);
    expect(receipt).toMatchObject({
      token: 'USDC',
      collected: [{ walletId: sca.id }, { walletId: eoa.id }],
      left: [],
    });
    expect(await holdsUsdc(sca)).toBe('0');
    expect(await steadfast.execute('sweepWallets', id, orderOf([sca, eoa]))).toEqual(receipt);
    expect(await collectedFrom(sca, eoa)).toHaveLength(2);
  });

  test('finds its own transfer where a wallet is empty, though Temporal was restored since', async () => {
    const { client, baseUrl, rpcUrl } = scene.sandbox;
    const wallet = await createFundedWallet(client, 'SCA');
    const { address } = wallet;
    await client.requestDrip({ address, blockchain: 'ARC-TESTNET', eurc: true });
    const holds = async (): Promise<string> => {
      const { tokenBalances } = await client.listBalances({ id: wallet.id, includeAll: true });
      return tokenBalances.find(({ token }) => token.symbol === 'EURC')?.amount ?? '0';
    };
    while ((await holds()) === '0') await sleep(50);
    const amount = await holds();
    const id = newId();
    const parts = { workflowId: id, step: 'sweep', item: '1', generation: 0 };
    let sent: string | undefined;
    // The order has looked itself up, and found nothing. The forgotten run has sent since.
    const restored: CustodyApi = {
      ...client,
      listBalances: async (input, options) => {
        if (sent === undefined) {
          const fields = { refId: refId(parts), amounts: [amount], tokenAddress: eurc };
          ({ id: sent } = await client.createTransfer(transferOf(wallet, into.address, fields)));
          await settled(client, sent);
          while ((await holds()) !== '0') await sleep(50);
        }
        return client.listBalances(input, options);
      },
    };
    const orders = await runOrders(restored, { baseUrl, chainRpcUrl: rpcUrl });
    const order = orderOf([wallet], { token: 'EURC' });
    const receipt = await orders.steadfast.execute('sweepWallets', id, order);
    await orders.stop();
    expect(receipt).toMatchObject({ collected: [{ transactionId: sent, amount }], left: [] });
  });

  test('skips a wallet that holds no more than it keeps', async () => {
    const wallet = await scene.sandbox.fundedWallet('SCA');
    const held = await holdsUsdc(wallet);
    const order = orderOf([wallet], { keep: held });
    const receipt = await scene.orders.steadfast.execute('sweepWallets', newId(), order);
    expect(receipt).toMatchObject({ total: '0', collected: [] });
    expect(receipt.left).toEqual([
      expect.objectContaining({ amount: held, why: 'it holds no more than it keeps' }),
    ]);
    expect(await collectedFrom(wallet)).toEqual([]);
  });

  test('collects the same amounts once when it is terminated and started again', async () => {
    const wallets = await Promise.all([1, 2].map(() => scene.sandbox.fundedWallet('SCA')));
    const [first, second] = wallets;
    if (first === undefined || second === undefined) throw new Error('There are two.');
    const held = await holdsUsdc(first);
    await scene.change({ settleMs: 600_000 });
    const id = newId();
    await scene.orders.steadfast.start('sweepWallets', id, orderOf(wallets));
    await scene.orders.progress(id, ({ status }) => status === 'Settling');
    await scene.orders.client.workflow.getHandle(id).terminate();
    await scene.change({ settleMs: 50 });
    // Money that arrives later does not belong to this order.
    await scene.orders.steadfast.execute('fundWallet', `fund:${id}`, {
      wallet: { walletId: first.id },
      source: { walletId: into.id },
      amount: '0.25',
      token: 'USDC',
    });
    const again = await start(id, orderOf(wallets));
    expect(await again.result()).toMatchObject({ collected: [{ amount: held }, { amount: held }] });
    expect(await collectedFrom(first)).toHaveLength(1);
    expect(await collectedFrom(second)).toHaveLength(1);
  });

  test('finishes all other transfers when one fails, and then retries only that one', async () => {
    const wallets = await Promise.all([1, 2].map(() => scene.sandbox.fundedWallet('SCA')));
    const [denied, fine] = wallets;
    if (denied === undefined || fine === undefined) throw new Error('There are two.');
    await scene.decide(denied.id, 'denied');
    const id = newId();
    const { steadfast } = scene.orders;
    await expect(steadfast.execute('sweepWallets', id, orderOf(wallets))).rejects.toMatchObject({
      outcome: 'failed',
      made: { collected: [{ walletId: fine.id }] },
    });
    await scene.decide(denied.id, 'settled');
    const resubmitted = await steadfast.resubmit(id);
    expect(await resubmitted.receipt()).toMatchObject({
      collected: [{ walletId: denied.id }, { walletId: fine.id }],
    });
    expect(await collectedFrom(denied, fine)).toHaveLength(2);
  });

  test('waits while a wallet has two records, and settles the others when it is given up', async () => {
    const { client } = scene.sandbox;
    const wallets = await Promise.all([1, 2].map(() => createFundedWallet(client, 'SCA')));
    const [twice, fine] = wallets;
    if (twice === undefined || fine === undefined) throw new Error('There are two.');
    const id = newId();
    const parts = { workflowId: id, step: 'sweep', item: '1', generation: 0 };
    // The faucet has given 20, so that nothing is left.
    for (const amounts of [['10'], ['10']]) {
      const fields = { refId: refId(parts), amounts, tokenAddress: eurc };
      const order = transferOf(twice, into.address, fields);
      await settled(client, (await client.createTransfer(order)).id);
    }
    const { steadfast, progress } = scene.orders;
    const order = orderOf(wallets, { token: 'EURC' });
    const started = await steadfast.start('sweepWallets', id, order);
    const isAsking = ({ status }: Progress): boolean => status === 'NeedsOperator';
    const { target = '', waitingFor } = await progress(id, isAsking);
    expect(waitingFor).toContain('2 records of this write');
    await steadfast.resolve(id, { target, finding: 'skip', evidence: 'both have paid' });
    await expect(started.receipt()).rejects.toMatchObject({
      outcome: 'failed',
      made: { collected: [{ walletId: fine.id }] },
    });
    expect(await collectedFrom(fine)).toHaveLength(1);
  });

  test('reports each wallet when it is cancelled half-way', async () => {
    const wallets = await Promise.all([1, 2].map(() => scene.sandbox.fundedWallet('SCA')));
    const [fine, stuck] = wallets;
    if (fine === undefined || stuck === undefined) throw new Error('There are two.');
    await scene.decide(stuck.id, 'stuck');
    const id = newId();
    const { steadfast, progress } = scene.orders;
    const started = await steadfast.start('sweepWallets', id, orderOf(wallets));
    await progress(id, ({ timeline }) =>
      timeline.some(({ words }) => words.includes('settled in')),
    );
    await steadfast.cancel(id, 'that is enough');
    expect(await started.receipt()).toMatchObject({
      collected: [{ walletId: fine.id }],
      left: [{ walletId: stuck.id, why: 'the order was cancelled' }],
    });
    expect(await collectedFrom(fine, stuck)).toHaveLength(1);
  });

  test('retries two failed transfers, one after the other', async () => {
    const wallets = await Promise.all([1, 2, 3].map(() => scene.sandbox.fundedWallet('SCA')));
    const denied = wallets.slice(1);
    for (const { id } of denied) await scene.decide(id, 'denied');
    const id = newId();
    const { steadfast } = scene.orders;
    await expect(steadfast.execute('sweepWallets', id, orderOf(wallets))).rejects.toThrow();
    for (const wallet of denied) await scene.decide(wallet.id, 'settled');
    const first = await steadfast.resubmit(id);
    await expect(first.receipt()).rejects.toMatchObject({ outcome: 'failed' });
    const { collected, left } = (await (await steadfast.resubmit(id)).receipt()) as SweepReceipt;
    expect(collected.map(({ walletId }) => walletId)).toEqual(wallets.map((one) => one.id));
    expect(left).toEqual([]);
    expect(await collectedFrom(...wallets)).toHaveLength(3);
  });

  test.each<[string, (wallet: { id: string }) => Partial<SweepOrder>, string]>([
    [
      'the one that collects among them',
      () => ({ wallets: [into.id] }),
      'is the wallet that collects',
    ],
    ['one of them twice', ({ id }) => ({ wallets: [id, id] }), 'is in the list twice'],
    ['more kept than the token has decimals', () => ({ keep: '0.0000001' }), 'decimals'],
  ])('refuses %s', async (_, change, words) => {
    const wallet = await scene.sandbox.wallet('SCA');
    if (wallet === undefined) throw new Error('There is one.');
    const order = orderOf([wallet], change(wallet));
    const run = await start(newId(), order);
    await expect(run.result()).rejects.toMatchObject({
      cause: { type: 'Refused', message: expect.stringContaining(words) },
    });
  });
});
