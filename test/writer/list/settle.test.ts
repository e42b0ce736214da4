import type { CustodyApi } from '../../../src/custody/endpoints';
import { settleOpen } from '../../../src/writer/list/settle';
import { inSandbox, settled, transferOf } from '../../support/sandbox';
import { limitOf, stranger, transferFrom, writerOf } from '../writer';

const sandbox = inSandbox();

test('a payment that one answer of the list has left out is counted by a later one', async () => {
  const wallet = await sandbox.usedWallet('EOA');
  const order = transferOf(wallet, stranger, { amounts: ['5'] });
  const { id } = await sandbox.settled((await sandbox.client.createTransfer(order)).id);
  const list = { isWhole: false };
  const custody: CustodyApi = {
    ...sandbox.client,
    listTransactions: async (input, how) => {
      const { transactions } = await sandbox.client.listTransactions(input, how);
      return { transactions: transactions.filter((one) => list.isWhole || one.id !== id) };
    },
  };
  const { api, ledger } = writerOf(custody, [limitOf(wallet)]);
  const { input, how } = transferFrom(wallet, '1');
  await settled(api, (await api.createTransfer(input, how)).id);
  const counted = async () => {
    const window = { scope: { wallet: wallet.id }, money: 'native', hours: 24 };
    return (await ledger.usage(window)).counted / 10n ** 18n;
  };
  expect(await counted()).toBe(1n);
  list.isWhole = true;
  await settleOpen(api, ledger, { graceMs: 0 });
  expect(await counted()).toBe(1n);
  await settleOpen(api, ledger, { graceMs: 0, withFound: true });
  expect(await counted()).toBe(6n);
});
