import type { AbiParameter } from '../../../../src/custody/endpoints';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { deployTemplate } from '../../../support/chain/deployments';
import {
  blockchain,
  callOf,
  createFundedWallet,
  createWallets,
  eurc,
  settled,
} from '../../../support/sandbox';
import { everyPage } from '../everyPage';
import type { Given } from '../subject/subject';

export function describeHoldings(given: Given): void {
  describe('wallets with their balances', () => {
    it('go from page to page to the end, each wallet once', async () => {
      const { api } = given.subject();
      const created = await createWallets(api, { count: 3, accountType: 'SCA' });
      const walletSetId = created[0]?.walletSetId;
      const found = await everyPage(async (cursor) => {
        const asked = { blockchain, walletSetId, ...cursor };
        return (await api.listWalletsWithBalances(asked)).wallets;
      }, 2);
      const expected = created.map((wallet) => ({ ...wallet, tokenBalances: [] }));
      expect(found).toEqual(expected.toReversed());
    });
  });

  given.describeFunded('a wallet with money among others without', () => {
    it('is found by its balance of the native coin, and of a given token', async () => {
      const { api } = given.subject();
      const wallet = await createFundedWallet(api, 'EOA');
      const { address } = wallet;
      const held = async (fields: object) => {
        const { wallets } = await api.listWalletsWithBalances({ blockchain, address, ...fields });
        return wallets.flatMap(({ tokenBalances }) =>
          tokenBalances.map(({ amount, token }) => [amount, token.symbol, token.decimals]),
        );
      };
      const native = ['20', 'USDC', 18];
      expect(await held({ amount__gte: '20.0' })).toEqual([native]);
      expect(await held({ amount__gte: '20.000000000000000001' })).toEqual([]);
      const both = [native, ['20', 'EURC', 6]];
      expect(await held({ tokenAddress: eurc, amount__gte: '19.9999999' })).toEqual(both);
      expect(await held({ tokenAddress: eurc, amount__gte: '20.0000001' })).toEqual([]);
    });
  });

  given.describeFunded('the items of a wallet', () => {
    let wallet: Wallet;
    let items: string;
    const mint = async (signature: string, parameters: AbiParameter[], contractAddress: string) => {
      const { api } = given.subject();
      const { id } = await api.executeContract(
        callOf(wallet, { to: contractAddress, signature, parameters }),
      );
      expect(await settled(api, id)).toMatchObject({ state: 'COMPLETE' });
    };
    beforeAll(async () => {
      const { api } = given.subject();
      wallet = await createFundedWallet(api);
      items = (await deployTemplate(api, wallet, { family: 'uniqueItem' })).address;
      const many = (await deployTemplate(api, wallet, { family: 'multiToken' })).address;
      for (const uri of ['ipfs://first', 'ipfs://second']) {
        await mint('mintTo(address,string)', [wallet.address, uri], items);
      }
      const anyId = (2n ** 256n - 1n).toString();
      const parameters = [wallet.address, anyId, 'ipfs://many', '7'];
      await mint('mintTo(address,uint256,string,uint256)', parameters, many);
    });

    it('are listed one by one, with the metadata of their tokens', async () => {
      const { nfts } = await given.subject().api.listNfts({ id: wallet.id, includeAll: true });
      const facts = nfts.map(({ token, updateDate: _, ...fields }) => [token.standard, fields]);
      expect(facts).toEqual([
        ['ERC721', { amount: '1', nftTokenId: '0', metadata: 'ipfs://first' }],
        ['ERC721', { amount: '1', nftTokenId: '1', metadata: 'ipfs://second' }],
        ['ERC1155', { amount: '7', nftTokenId: '0', metadata: 'ipfs://many' }],
      ]);
    });

    it('are found by the address and by the standard of their token', async () => {
      const { api } = given.subject();
      const asked = { id: wallet.id, includeAll: true };
      const { nfts } = await api.listNfts({ ...asked, tokenAddress: items });
      expect(nfts.map(({ nftTokenId }) => nftTokenId)).toEqual(['0', '1']);
      const many = await api.listNfts({ ...asked, standard: 'ERC1155' });
      expect(many.nfts.map(({ amount }) => amount)).toEqual(['7']);
    });
  });
}
