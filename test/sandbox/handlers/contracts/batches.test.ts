import { randomUUID } from 'node:crypto';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import {
  createUsedWallet,
  createWallets,
  holdings,
  settled,
  startTestSandbox,
  type TestSandbox,
} from '../../../support/sandbox';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.stop());

it('of the native coin arrive as one record for each wallet that they pay', async () => {
  const { client } = sandbox;
  const payer = await createUsedWallet(client, 'SCA');
  const [first, second] = (await createWallets(client, { count: 2 })) as [Wallet, Wallet];
  const { id } = await client.executeContract({
    idempotencyKey: randomUUID(),
    walletId: payer.id,
    contractAddress: payer.address,
    abiFunctionSignature: 'executeBatch((address,uint256,bytes)[])',
    abiParameters: [
      [
        [first.address, '1000000000000000', '0x'],
        [second.address, '2000000000000000', '0x'],
        [first.address, '3000000000000000', '0x'],
      ],
    ],
    feeLevel: 'MEDIUM',
  });
  const { txHash } = await settled(client, id);
  const arrived = async ({ id: walletIds }: Wallet) => {
    const { transactions } = await client.listTransactions({ walletIds, txType: 'INBOUND' });
    return transactions.map((one) => [one.amounts, one.txHash]).toSorted();
  };
  expect(await arrived(first)).toEqual([
    [['0.001'], txHash],
    [['0.003'], txHash],
  ]);
  expect(await arrived(second)).toEqual([[['0.002'], txHash]]);
  expect(await holdings(client, first.id)).toEqual({ native: '0.004', USDC: '0.004' });
});
