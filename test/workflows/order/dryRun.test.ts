import { randomUUID } from 'node:crypto';
import { getAddress } from 'viem';
import type { Plan } from '../../../src/client/client';
import { samples, startQuay } from '../../support/everyKind';
import { setUp } from '../../support/jest/setUp';
import { someone } from '../../support/stages';

const quay = setUp(() => startQuay());

type Call = { path: string; key?: string; status: number };

/** Every accepted call that changed something, with its key. */
async function written(): Promise<Call[]> {
  const { sandbox } = quay;
  const { body } = await sandbox.request('GET', `${sandbox.origin}/_sandbox/calls`, {
    headers: {},
  });
  const { calls } = body as { calls: (Call & { method: string })[] };
  return calls.filter(({ method, key }) => method === 'POST' && key);
}

describe('a dry run', () => {
  test.each(samples)(
    'of $name shows what the order then does, with the same keys',
    async (given) => {
      const { orders } = quay;
      const order = await given.order(quay);
      const id = 'payoutId' in order ? `payout:${order.payoutId}` : `order:${randomUUID()}`;
      const before = (await written()).length;
      const plan = await orders.steadfast.plan(given.kind, id, order);
      expect((await written()).length).toBe(before);
      await orders.steadfast.execute(given.kind, id, order);
      const keys = (await written()).slice(before).flatMap(({ key }) => key ?? []);
      expect(plan.writes.map(({ key }) => key)).toEqual(keys);
      const { timeline } = await orders.progress(id, ({ status }) => status === 'Done');
      const done = timeline.map(({ words }) => words).join('\n');
      // A payout shows only the number of its lines.
      const doings = given.kind === 'payout' ? ['1 line'] : plan.writes.map(({ doing }) => doing);
      for (const doing of doings) expect(done).toContain(doing.replace(/its .*/, ''));
    },
  );

  test('shows the cost of the first write, and its payer', async () => {
    const { orders, wallet } = quay;
    const order = { from: { walletId: wallet.id }, to: someone(), amount: '1', token: 'USDC' };
    const { fee } = await orders.steadfast.plan('transferStablecoin', newId(), order);
    expect(fee).toMatchObject({ paidBy: 'paymaster' });
    expect(Number(fee?.networkFee)).toBeGreaterThan(0);
  });

  test('is refused like the order itself, before anything is sent', async () => {
    const { orders, wallet } = quay;
    const address = getAddress(wallet.address);
    const order = { from: { walletId: wallet.id }, to: someone(), amount: '9000', token: 'EURC' };
    const sentence = new RegExp(`^amount: ${address} holds [\\d.]+ EURC, and the order sends 9000`);
    const before = (await written()).length;
    const id = newId();
    const { steadfast } = orders;
    const refused = { outcome: 'refused', message: expect.stringMatching(sentence) };
    await expect(steadfast.plan('transferStablecoin', id, order)).rejects.toMatchObject(refused);
    await expect(steadfast.execute('transferStablecoin', id, order)).rejects.toMatchObject(refused);
    expect((await written()).length).toBe(before);
  });

  test('of a wallet that holds nothing is refused with a way to fund it', async () => {
    const { steadfast } = quay.orders;
    const { wallets } = await steadfast.execute('provisionWallets', newId(), { name: 'Empty' });
    const from = { walletId: wallets[0]?.walletId ?? '' };
    const order = { from, to: someone(), amount: '1', token: 'USDC' };
    const words = /^amount: 0x\w{40} holds 0 USDC, and the order sends 1\. Fund it first: npx /;
    const refused = { outcome: 'refused', message: expect.stringMatching(words) };
    const id = newId();
    await expect(steadfast.plan('transferStablecoin', id, order)).rejects.toMatchObject(refused);
    await expect(steadfast.execute('transferStablecoin', id, order)).rejects.toMatchObject(refused);
  });

  test('of a call that the contract would revert is refused with its reason', async () => {
    const { sandbox, orders, contractAddress } = quay;
    const stranger = await sandbox.fundedWallet('SCA');
    const order = { walletId: stranger.id, contractAddress, to: someone(), amount: '25' };
    await expect(orders.steadfast.plan('mintTokens', newId(), order)).rejects.toMatchObject({
      message: expect.stringMatching(/^The chain would revert this: .*Nothing was sent\./),
    });
  });

  test('of a sender that cannot pay the fees is refused with the missing amount', async () => {
    const { orders, contractAddress } = quay;
    const { wallets } = await orders.steadfast.execute('provisionWallets', newId(), {
      name: 'Dry',
      accountType: 'EOA',
    });
    const from = { walletId: wallets[0]?.walletId ?? '' };
    const order = { walletId: from.walletId, contractAddress: contractAddress, ...burn };
    await expect(orders.steadfast.plan('executeContract', newId(), order)).rejects.toMatchObject({
      message: expect.stringMatching(
        /pays its own fees, here 0\.\d+ of the native coin, and holds 0/,
      ),
    });
  });

  test('of a completed order says so', async () => {
    const { orders, wallet } = quay;
    const id = newId();
    const order = { from: { walletId: wallet.id }, to: someone(), amount: '1', token: 'USDC' };
    await orders.steadfast.execute('transferStablecoin', id, order);
    const plan = await orders.steadfast.plan('transferStablecoin', id, order);
    expect(plan.notes).toEqual([
      'This order is completed already. It would return its receipt and send nothing.',
    ]);
    const other = { ...order, amount: '2' };
    await expect(orders.steadfast.plan('transferStablecoin', id, other)).rejects.toThrow(
      'This id was used for another order: amount was "1", is "2".',
    );
  });

  test("never has an order's id, and an order never has a dry run's id", async () => {
    const { orders, wallet } = quay;
    const order = { from: { walletId: wallet.id }, to: someone(), amount: '1', token: 'USDC' };
    const start = (workflowId: string, args: object) =>
      orders.client.workflow.execute<(order: object) => Promise<Plan>>('transferStablecoin', {
        workflowId,
        taskQueue: orders.taskQueue,
        args: [args],
      });
    const id = newId();
    await expect(start(id, { ...order, dryRun: true })).rejects.toMatchObject({
      cause: { message: `dryRun: a dry run of ${id} has the id dry:${id}.` },
    });
    await expect(start(`dry:${id}`, order)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('is that of a dry run. Use another id.') },
    });
    const dry = await start(`dry:${id}`, { ...order, dryRun: true });
    expect(dry).toMatchObject({ dryRun: true, workflowId: id });
  });
});

const burn = { abiFunctionSignature: 'burn(uint256)', abiParameters: ['0'] };
const newId = (): string => `order:${randomUUID()}`;
