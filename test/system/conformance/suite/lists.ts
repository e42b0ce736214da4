import { randomUUID } from 'node:crypto';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { deployToken } from '../../../support/chain/deployments';
import {
  createFundedWallet,
  createWallet,
  createWallets,
  settled,
  transferOf,
} from '../../../support/sandbox';
import { everyPage } from '../everyPage';
import type { Given } from '../subject/subject';

export function describeLists(given: Given): void {
  describeWalletLists(given);
  given.describeFunded('the lists of transactions and contracts', () => {
    let sender: Wallet;
    let receiver: Wallet | undefined;
    const sent: string[] = [];
    beforeAll(async () => {
      const { api } = given.subject();
      sender = await createFundedWallet(api, 'EOA');
      [receiver] = await createWallets(api);
      for (let count = 0; count < 5; count += 1) {
        const { id } = await api.createTransfer(transferOf(sender, receiver?.address ?? ''));
        sent.push(id);
      }
      for (const id of sent) await settled(api, id);
    });

    it('has every transaction of a wallet, page by page, newest first', async () => {
      const { api } = given.subject();
      const found = await everyPage(async (cursor) => {
        const filter = { walletIds: sender.id, txType: 'OUTBOUND', includeAll: true };
        return (await api.listTransactions({ ...filter, ...cursor })).transactions;
      }, 2);
      expect(found.map(({ id }) => id)).toEqual(sent.toReversed());
    });

    it('has separate records for received transfers', async () => {
      const { api } = given.subject();
      const { transactions } = await api.listTransactions({
        walletIds: receiver?.id,
        txType: 'INBOUND',
        includeAll: true,
      });
      expect(transactions).toHaveLength(5);
      // The recipient's record settles a little after the sender's.
      expect(await settled(api, transactions[0]?.id ?? '')).toMatchObject({
        transactionType: 'INBOUND',
        state: 'COMPLETE',
        walletId: receiver?.id,
        sourceAddress: sender.address,
        destinationAddress: receiver?.address,
        amounts: ['1'],
      });
    });

    it('finds a transaction by its hash', async () => {
      const { api } = given.subject();
      const { transaction } = await api.getTransaction({ id: sent[0] ?? '' });
      const { transactions } = await api.listTransactions({
        txHash: transaction.txHash,
        txType: 'OUTBOUND',
        includeAll: true,
      });
      expect(transactions.map(({ id }) => id)).toEqual([sent[0]]);
    });

    it('has every contract, page by page', async () => {
      const { api } = given.subject();
      const deployer = await createFundedWallet(api);
      const deployed = [await deployToken(api, deployer), await deployToken(api, deployer)];
      const found = await everyPage(async (cursor) => {
        const filter = { deployerAddress: deployer.address, status: 'COMPLETE' as const };
        return (await api.listContracts({ ...filter, ...cursor })).contracts;
      }, 1);
      const ids = deployed.map(({ contractId }) => contractId);
      expect(found.map(({ id }) => id)).toEqual(ids.toReversed());
    });
  });
}

function describeWalletLists(given: Given): void {
  describe('the list of wallets', () => {
    it('goes from page to page to the end, each wallet once', async () => {
      const { api } = given.subject();
      const created = await createWallets(api, { count: 5 });
      const walletSetId = created[0]?.walletSetId;
      const found = await everyPage(
        async (cursor) => (await api.listWallets({ walletSetId, ...cursor })).wallets,
        2,
      );
      const ids = created.map(({ id }) => id);
      expect(found.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    });

    it('finds a wallet by its address', async () => {
      const { api } = given.subject();
      const wallet = await createWallet(api);
      const { wallets } = await api.listWallets({ address: wallet.address });
      expect(wallets.map(({ id }) => id)).toEqual([wallet.id]);
    });

    it('is empty for a reference that no wallet has', async () => {
      const { wallets } = await given.subject().api.listWallets({ refId: randomUUID() });
      expect(wallets).toEqual([]);
    });
  });
}
