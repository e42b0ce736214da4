import { randomUUID } from 'node:crypto';
import { readPublicKey } from '../../../../src/custody/entitySecret';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { blockchain, createFundedWallet, createWallet, eurc, usdc } from '../../../support/sandbox';
import { readChain } from '../chain';
import { type Given, rigOf } from '../subject/subject';

/** The fields of any wallet. */
const anyWallet = {
  id: expect.any(String),
  state: 'LIVE',
  custodyType: 'DEVELOPER',
  blockchain,
  address: expect.stringMatching(/^0x[0-9a-f]{40}$/),
  createDate: expect.any(String),
  updateDate: expect.any(String),
};

export function describeWallets(given: Given): void {
  describeKeyAndSets(given);
  describeCreation(given);
  describeUpdates(given);
  describeDerivation(given);
  describeHoldings(given);
}

function describeKeyAndSets(given: Given): void {
  const testPing = given.lacks.includes('ping') ? it.skip : it;

  describe('the public key and wallet sets', () => {
    testPing('answers a ping', async () => {
      expect(await given.subject().api.ping({})).toEqual({ message: 'pong' });
    });

    const testEntity = given.lacks.includes('getEntityConfig') ? it.skip : it;
    testEntity('always returns the same app id of the entity', async () => {
      const { api } = given.subject();
      const { appId } = await api.getEntityConfig({});
      expect(appId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(await api.getEntityConfig({})).toEqual({ appId });
    });

    it('returns the public key for the encryption of secrets', async () => {
      const { publicKey } = await given.subject().api.getPublicKey({});
      expect(readPublicKey(publicKey).asymmetricKeyType).toBe('rsa');
    });

    it('creates a wallet set, and shows it', async () => {
      const { api } = given.subject();
      const created = await api.createWalletSet({ idempotencyKey: randomUUID(), name: 'Ours' });
      expect(created.walletSet).toMatchObject({ custodyType: 'DEVELOPER' });
      const shown = await api.getWalletSet({ id: created.walletSet.id });
      expect(shown).toEqual(created);
    });

    it('renames a wallet set', async () => {
      const { api } = given.subject();
      const created = await api.createWalletSet({ idempotencyKey: randomUUID(), name: 'Ours' });
      const { id } = created.walletSet;
      const renamed = await api.updateWalletSet({ id, name: 'Theirs' });
      expect(renamed.walletSet).toMatchObject({ id, name: 'Theirs' });
      expect(await api.getWalletSet({ id })).toEqual(renamed);
    });

    it('shows a wallet set among all of them', async () => {
      const { api } = given.subject();
      const { walletSet } = await api.createWalletSet({
        idempotencyKey: randomUUID(),
        name: 'Listed',
      });
      const { walletSets } = await api.listWalletSets({ pageSize: 1, order: 'DESC' });
      expect(walletSets).toEqual([walletSet]);
    });

    it('answers a repeated key with the first wallet set', async () => {
      const { api } = given.subject();
      const input = { idempotencyKey: randomUUID(), name: 'Once' };
      const first = await api.createWalletSet(input);
      expect(await api.createWalletSet(input)).toEqual(first);
    });
  });
}

function describeCreation(given: Given): void {
  describe('the creation of wallets', () => {
    const create = async (fields: object): Promise<Wallet[]> => {
      const { api } = given.subject();
      const { walletSet } = await api.createWalletSet({
        idempotencyKey: randomUUID(),
        name: 'For wallets',
      });
      const { wallets } = await api.createWallets({
        idempotencyKey: randomUUID(),
        walletSetId: walletSet.id,
        blockchains: [blockchain],
        count: 1,
        ...fields,
      });
      return wallets;
    };

    it('creates EOA wallets, each with an address of its own', async () => {
      const wallets = await create({ accountType: 'EOA', count: 2 });
      expect(wallets).toMatchObject([
        { ...anyWallet, accountType: 'EOA' },
        { ...anyWallet, accountType: 'EOA' },
      ]);
      expect(new Set(wallets.map(({ address }) => address)).size).toBe(2);
      expect(wallets.filter(({ scaCore }) => scaCore !== undefined)).toEqual([]);
    });

    it('creates SCA wallets, which name their implementation', async () => {
      const wallets = await create({ accountType: 'SCA', count: 2 });
      const one = { ...anyWallet, accountType: 'SCA', scaCore: 'circle_6900_singleowner_v3' };
      expect(wallets).toMatchObject([one, one]);
    });

    it('creates EOA wallets when no kind is asked for', async () => {
      expect(await create({})).toMatchObject([{ accountType: 'EOA' }]);
    });

    it('gives wallets the names and references that are asked for', async () => {
      const metadata = [
        { name: 'one', refId: 'ref 1' },
        { name: 'two', refId: 'ref 2' },
      ];
      expect(await create({ count: 2, metadata })).toMatchObject(metadata);
    });

    it('shows a wallet as it was created', async () => {
      const [created] = await create({ accountType: 'SCA' });
      const { wallet } = await given.subject().api.getWallet({ id: created?.id ?? '' });
      expect(wallet).toEqual(created);
    });
  });
}

function describeUpdates(given: Given): void {
  describe('an existing wallet', () => {
    it('accepts another name and another reference', async () => {
      const { api } = given.subject();
      const created = await createWallet(api);
      const id = created?.id ?? '';
      const { wallet } = await api.updateWallet({ id, name: 'Treasury', refId: 'ref 3' });
      expect(wallet).toMatchObject({ id, name: 'Treasury', refId: 'ref 3' });
      expect(await api.getWallet({ id })).toEqual({ wallet });
    });
  });
}

function describeDerivation(given: Given): void {
  describe('a wallet on several chains', () => {
    const other = 'EVM-TESTNET';

    it('has one address when it is created on all of them at once', async () => {
      const { api } = given.subject();
      const { walletSet } = await api.createWalletSet({ idempotencyKey: randomUUID(), name: 'x' });
      const { wallets } = await api.createWallets({
        idempotencyKey: randomUUID(),
        walletSetId: walletSet.id,
        blockchains: [blockchain, other],
        count: 2,
      });
      const on = (chain: string) =>
        wallets.filter((one) => one.blockchain === chain).map(({ address }) => address);
      expect(wallets).toHaveLength(4);
      expect(on(other)).toEqual(on(blockchain));
      expect(new Set(on(other)).size).toBe(2);
      const found = await api.listWallets({ walletSetId: walletSet.id, blockchain: other });
      expect(found.wallets.map(({ address }) => address).toSorted()).toEqual(on(other).toSorted());
    });

    it('has the same address when it is derived, by its id or by its address', async () => {
      const { api } = given.subject();
      const created = await createWallet(api);
      const [id, address] = [created?.id ?? '', created?.address ?? ''];
      const derived = await api.deriveWallet({ id, blockchain: other, metadata: { name: 'two' } });
      expect(derived.wallet).toMatchObject({ address, blockchain: other, name: 'two' });
      expect(derived.wallet.walletSetId).toBe(created?.walletSetId);
      expect(await api.getWallet({ id: derived.wallet.id })).toEqual(derived);
      const again = await api.deriveWalletByAddress({
        sourceBlockchain: blockchain,
        walletAddress: address,
        targetBlockchain: other,
        metadata: { refId: 'ref 9' },
      });
      const { id: derivedId } = derived.wallet;
      expect(again.wallet).toMatchObject({ id: derivedId, name: 'two', refId: 'ref 9' });
    });
  });
}

function describeHoldings(given: Given): void {
  describe('an empty wallet', () => {
    it('has no balances', async () => {
      const { api } = given.subject();
      const wallet = await createWallet(api);
      expect(await api.listBalances({ id: wallet.id })).toEqual({ tokenBalances: [] });
    });
  });

  given.describeFunded('a wallet with money from the faucet', () => {
    it('holds on the chain what its balances say', async () => {
      const { api } = given.subject();
      const chain = readChain(rigOf(given).rpcUrl);
      const wallet = await createFundedWallet(api);
      expect(await chain.balance(usdc, wallet.address)).toBe(20_000_000n);
      expect(await chain.balance(eurc, wallet.address)).toBe(20_000_000n);
      const { tokenBalances } = await api.listBalances({ id: wallet.id });
      const held = tokenBalances.map(({ amount, token }) => [amount, token.symbol, token.decimals]);
      expect(held).toEqual(
        expect.arrayContaining([
          ['20', 'USDC', 18],
          ['20', 'USDC', 6],
          ['20', 'EURC', 6],
        ]),
      );
    });

    it('names its tokens by ids that can be looked up', async () => {
      const { api } = given.subject();
      const wallet = await createFundedWallet(api);
      const { tokenBalances } = await api.listBalances({ id: wallet.id, tokenAddress: eurc });
      const [balance] = tokenBalances;
      expect(tokenBalances).toHaveLength(1);
      expect(await api.getToken({ id: balance?.token.id ?? '' })).toEqual({
        token: balance?.token,
      });
    });
  });
}
