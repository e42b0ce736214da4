import { randomUUID } from 'node:crypto';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { type Orders, runOrders } from '../../../support/orders';
import { createWallets, settled, tokenTransfers, transferOf } from '../../../support/sandbox';
import { type StagedSandbox, someone, startStagedSandbox } from '../../../support/stages';

let sandbox: StagedSandbox;
let orders: Orders;
let wallet: Wallet;
beforeAll(async () => {
  sandbox = await startStagedSandbox();
  const { client, baseUrl, rpcUrl } = sandbox;
  orders = await runOrders(client, { baseUrl, chainRpcUrl: rpcUrl });
  wallet = await sandbox.usedWallet('EOA');
});
afterAll(async () => {
  await orders.stop();
  await sandbox.stop();
});

const newId = () => `transfer:${randomUUID()}`;
const orderTo = (to: string, from = wallet, amount = '0.5') => ({
  from: { walletId: from.id },
  to,
  amount,
  token: 'USDC',
});
const pay = (id: string, order: ReturnType<typeof orderTo>) =>
  orders.steadfast.execute('transferStablecoin', id, order);
const paidTo = (to: string) => tokenTransfers(sandbox.rpcUrl, { to });

// Source: circlefin/arc-fintech #50, and skills #50.
it('an order whose answer is lost three times pays once, and again nothing (field B 15)', async () => {
  const rule = { kind: 'loseAnswer', path: '/developer/transactions/transfer', count: 3 };
  await sandbox.control('POST', 'faults', { seed: 1, rules: [rule] });
  const [id, to] = [newId(), someone()];
  const before = await calls();
  const receipt = await pay(id, orderTo(to));
  const own = (await calls()).slice(before.length);
  expect(own.filter(({ fault }) => fault === 'loseAnswer')).toHaveLength(3);
  expect(new Set(own.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  expect(await pay(id, orderTo(to))).toEqual(receipt);
  expect(await paidTo(to)).toMatchObject([{ value: 500_000n, transactionHash: receipt.txHash }]);
});

type Logged = { path: string; idempotencyKey?: string; fault?: string };
async function calls(): Promise<Logged[]> {
  const { body } = await sandbox.control('GET', 'calls');
  return (body as { calls: Logged[] }).calls.filter(({ path }) => path.endsWith('/transfer'));
}

// Source: circlefin/arc-multichain-wallet #39 and #46.
it('payments behind a stuck one are paid once it is accelerated (field B 16)', async () => {
  await sandbox.plan('stuck');
  const [first, ...behind] = [newId(), newId(), newId()] as [string, string, string];
  const to = someone();
  const start = (id: string) => orders.steadfast.start('transferStablecoin', id, orderTo(to));
  await start(first);
  await orders.progress(first, ({ waitingFor = '' }) => waitingFor.includes('STUCK'));
  for (const id of behind) await start(id);
  await orders.progress(behind[1], ({ waitingFor = '' }) => waitingFor.includes('to settle'));
  expect(await paidTo(to)).toEqual([]);
  await orders.steadfast.accelerate(first);
  await Promise.all([first, ...behind].map((id) => pay(id, orderTo(to))));
  expect(await paidTo(to)).toHaveLength(3);
});

// Source: circle_signer.py of archimedes, whose key made from the content swallows the second.
it('the same payment meant twice, under two ids, is paid twice (field B 17)', async () => {
  const to = someone();
  await Promise.all([newId(), newId()].map((id) => pay(id, orderTo(to))));
  expect(await paidTo(to)).toHaveLength(2);
});

// Source: pull request #7 of defi-lend-borrow. On Arc such a wallet can pay.
it('a wallet that was paid in USDC alone pays on, gas too (field B 18)', async () => {
  const [poor] = (await createWallets(sandbox.client, { accountType: 'EOA' })) as [Wallet];
  const { id } = await sandbox.client.createTransfer(
    transferOf(wallet, poor.address, { amounts: ['4'] }),
  );
  await settled(sandbox.client, id);
  const to = someone();
  await expect(pay(newId(), orderTo(to, poor, '4'))).rejects.toThrow('INSUFFICIENT_NATIVE_TOKEN');
  await pay(newId(), orderTo(to, poor, '3.9'));
  expect(await paidTo(to)).toMatchObject([{ value: 3_900_000n }]);
});
