import type { Wallet } from '../../src/custody/wallet';
import {
  createFundedWallet,
  createWallets,
  settled,
  startTestSandbox,
  type TestSandbox,
  tokenTransfers,
  transferOf,
} from '../support/sandbox';

let sandbox: TestSandbox;
let recipient: Wallet;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  const [wallet] = await createWallets(sandbox.client);
  if (wallet === undefined) throw new Error('No wallet was created.');
  recipient = wallet;
});
afterAll(() => sandbox.stop());

describe('many transfers of one wallet', () => {
  it.each(['SCA', 'EOA'] as const)(
    'of an %s settle in the order of their acceptance',
    async (type) => {
      const from = await createFundedWallet(sandbox.client, type);
      const ids: string[] = [];
      for (const amount of ['0.01', '0.02', '0.03', '0.04', '0.05']) {
        const order = transferOf(from, recipient.address, { amounts: [amount] });
        ids.push((await sandbox.client.createTransfer(order)).id);
      }
      const records = await Promise.all(ids.map((id) => settled(sandbox.client, id)));
      const transfers = await tokenTransfers(sandbox.rpcUrl, { from: from.address });
      expect(records.map(({ state }) => state)).toEqual(Array(5).fill('COMPLETE'));
      expect(transfers.map(({ value }) => value)).toEqual([
        10_000n,
        20_000n,
        30_000n,
        40_000n,
        50_000n,
      ]);
    },
  );

  it('of an SCA go one to a block, since it has one operation on its way at a time', async () => {
    const from = await createFundedWallet(sandbox.client, 'SCA');
    const orders = ['1', '1', '1'].map((amount) =>
      transferOf(from, recipient.address, { amounts: [amount] }),
    );
    const accepted = await Promise.all(orders.map((order) => sandbox.client.createTransfer(order)));
    const records = await Promise.all(accepted.map(({ id }) => settled(sandbox.client, id)));
    expect(new Set(records.map(({ blockHeight }) => blockHeight)).size).toBe(3);
  });

  it('of more than sixteen on their way from an EOA all settle, the rest waiting its turn', async () => {
    const from = await createFundedWallet(sandbox.client, 'EOA');
    const accepted = await Promise.all(
      Array.from({ length: 20 }, () =>
        sandbox.client.createTransfer(transferOf(from, recipient.address, { amounts: ['0.01'] })),
      ),
    );
    const records = await Promise.all(accepted.map(({ id }) => settled(sandbox.client, id)));
    expect(records.map(({ state }) => state)).toEqual(Array(20).fill('COMPLETE'));
    expect(await tokenTransfers(sandbox.rpcUrl, { from: from.address })).toHaveLength(20);
  });

  it('of many wallets settle side by side', async () => {
    const wallets = await Promise.all(
      Array.from({ length: 8 }, () => createFundedWallet(sandbox.client, 'SCA')),
    );
    const accepted = await Promise.all(
      wallets.map((from) => sandbox.client.createTransfer(transferOf(from, recipient.address))),
    );
    const records = await Promise.all(accepted.map(({ id }) => settled(sandbox.client, id)));
    expect(records.map(({ state }) => state)).toEqual(Array(8).fill('COMPLETE'));
  });
});
