import { findWallets } from '../../../src/cli/statement/books';
import { RefusedError } from '../../../src/custody/errors';
import { blockchain, scriptedCustody, sender } from '../../support/service/scriptedCustody';

const date = '2026-01-01T00:00:00Z';
const about = { walletSetId: 'set', custodyType: 'DEVELOPER', state: 'LIVE' };
const wallet = { ...sender, ...about, createDate: date, updateDate: date };

/** The wallet of an id, of an account that has it on one network. */
function found(of: string) {
  const custody = scriptedCustody({
    getWallet: ({ id }) =>
      id === sender.id
        ? { wallet: { ...wallet, blockchain: of } }
        : new RefusedError('There is none.', { code: 404, status: 404 }),
  });
  const account = { custody, blockchain, host: 'service' };
  return (id: string) => findWallets([id], account);
}

describe('the wallet of a statement, by its id', () => {
  it('is found on the network of the books', async () => {
    expect(await found(blockchain)(sender.id)).toEqual([sender]);
  });

  it('is refused if it is of another network, with the names of both', async () => {
    await expect(found('ETH-SEPOLIA')(sender.id)).rejects.toThrow(
      `"${sender.id}" is a wallet of ETH-SEPOLIA, and CUSTODY_BLOCKCHAIN names ${blockchain}.`,
    );
  });

  it('is refused if the account has none', async () => {
    await expect(found(blockchain)('other')).rejects.toThrow('is no wallet of this account');
  });
});
