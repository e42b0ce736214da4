import type { Wallet } from '../../../../src/custody/objects/wallet';
import { callOf, createWallets, inSandbox } from '../../../support/sandbox';

const sandbox = inSandbox();

it('of the native coin arrive as one record for each wallet that they pay', async () => {
  const { client } = sandbox;
  const payer = await sandbox.usedWallet('SCA');
  const [first, second] = (await createWallets(client, { count: 2 })) as [Wallet, Wallet];
  const { id } = await client.executeContract(
    callOf(payer, {
      to: payer.address,
      signature: 'executeBatch((address,uint256,bytes)[])',
      parameters: [
        [
          [first.address, '1000000000000000', '0x'],
          [second.address, '2000000000000000', '0x'],
          [first.address, '3000000000000000', '0x'],
        ],
      ],
    }),
  );
  const { txHash } = await sandbox.settled(id);
  const arrived = async ({ id: walletIds }: Wallet) => {
    const { transactions } = await client.listTransactions({ walletIds, txType: 'INBOUND' });
    return transactions.map((one) => [one.amounts, one.txHash]).toSorted();
  };
  expect(await arrived(first)).toEqual([
    [['0.001'], txHash],
    [['0.003'], txHash],
  ]);
  expect(await arrived(second)).toEqual([[['0.002'], txHash]]);
  expect(await sandbox.holdings(first.id)).toEqual({ native: '0.004', USDC: '0.004' });
});
