import { randomUUID } from 'node:crypto';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { newFolder } from '../../../support/jest/setUp';
import { blockchain, inSandbox, transferOf } from '../../../support/sandbox';

const other = 'EVM-TESTNET';
const secrets = { apiKey: 'TEST_API_KEY:derive:secret', entitySecret: 'de41'.repeat(16) };

const sandbox = inSandbox({ dataDir: newFolder(), ...secrets });

const createSet = async () => {
  const { walletSet } = await sandbox.client.createWalletSet({ idempotencyKey: randomUUID() });
  return walletSet.id;
};

const create = async (walletSetId: string, blockchains: string[]): Promise<Wallet[]> => {
  const wanted = { walletSetId, blockchains, count: 1 };
  const sent = { ...wanted, idempotencyKey: randomUUID() };
  return (await sandbox.client.createWallets(sent)).wallets;
};

const derive = (id: string, chain: string, body: unknown = {}) =>
  sandbox.request('PUT', `developer/wallets/${id}/blockchains/${chain}`, { body });

describe('the addresses of a set', () => {
  it('follow their places, chain by chain, through a restart', async () => {
    const walletSetId = await createSet();
    const at: Record<string, string> = {};
    // As the service's own example has it: places 1 and 2 of one chain, 3 of both, and so on.
    const note = async (name: string, chains: string[]) => {
      const wallets = await create(walletSetId, chains);
      expect(new Set(wallets.map(({ address }) => address)).size).toBe(1);
      at[name] = wallets[0]?.address ?? '';
    };
    await note('1', [blockchain]);
    await note('2', [blockchain]);
    await note('first of the other', [other]);
    expect(at['first of the other']).toBe(at['1']);
    await note('3', [other, blockchain]);
    await sandbox.restart();
    await note('4 of the other', [other]);
    await note('4', [blockchain]);
    expect(at['4']).toBe(at['4 of the other']);
    expect(new Set(Object.values(at)).size).toBe(4);
    const { wallets } = await sandbox.client.listWallets({ walletSetId, blockchain: other });
    expect(wallets.map(({ address }) => address)).toEqual([at['4'], at['3'], at['1']]);
  });

  it('are new after those that were derived', async () => {
    const walletSetId = await createSet();
    await create(walletSetId, [blockchain]);
    const [second] = await create(walletSetId, [blockchain]);
    expect(await derive(second?.id ?? '', other)).toMatchObject({ status: 201 });
    const [third] = await create(walletSetId, [other]);
    const { wallets } = await sandbox.client.listWallets({ walletSetId });
    expect(wallets.filter(({ address }) => address === third?.address)).toEqual([third]);
  });
});

describe('a derived wallet', () => {
  it('is new once, and then only has its name and reference changed', async () => {
    const wallet = await sandbox.wallet();
    const id = wallet.id;
    const first = await derive(id, other, { metadata: { name: 'one', refId: 'ref' } });
    expect(first).toMatchObject({ status: 201, body: { data: { wallet: { name: 'one' } } } });
    const again = await derive(id, other, { metadata: { name: 'two' } });
    const { wallet: derived } = (again.body as { data: { wallet: Wallet } }).data;
    expect(again.status).toBe(200);
    expect(derived).toMatchObject({ name: 'two', refId: 'ref', address: wallet.address });
    // Back to where it came from, which is there already.
    expect(await derive(derived.id, blockchain)).toMatchObject({
      status: 200,
      body: { data: { wallet } },
    });
  });

  it('needs no body, also where one is announced, as the SDK for Python does', async () => {
    const wallet = await sandbox.wallet();
    expect(await derive(wallet.id, other, '')).toMatchObject({
      status: 201,
      body: { data: { wallet: { address: wallet.address, blockchain: other } } },
    });
  });

  it('neither holds nor sends what its twin on the chain does', async () => {
    const [twin] = await create(await createSet(), [other]);
    const { wallet } = await sandbox.client.deriveWallet({ id: twin?.id ?? '', blockchain });
    const { address } = wallet;
    await sandbox.client.requestDrip({ address, blockchain, usdc: true });
    const order = transferOf(wallet, address);
    const { walletId: _, ...unnamed } = order;
    const byAddress = { ...unnamed, walletAddress: address };
    const { id } = await sandbox.client.createTransfer(byAddress);
    const { networkFee } = await sandbox.settled(id);
    // A payment to itself costs its fee alone.
    const { native = '' } = await sandbox.holdings(wallet.id);
    expect(Number(native) + Number(networkFee)).toBeCloseTo(20, 12);
    const { transactions } = await sandbox.client.listTransactions({ walletIds: wallet.id });
    expect(transactions.map((one) => one.transactionType).toSorted()).toContain('INBOUND');
    const none = await sandbox.client.listTransactions({ walletIds: twin?.id ?? '' });
    expect(none.transactions).toEqual([]);

    const refused = { status: 400, body: { code: 155510 } };
    const url = `wallets/${twin?.id}`;
    expect(await sandbox.request('GET', `${url}/balances`)).toMatchObject(refused);
    expect(await sandbox.request('GET', `${url}/nfts`)).toMatchObject(refused);
    const { blockchain: chain, ...anywhere } = order;
    const send = (fields: object) => sandbox.signed('developer/transactions/transfer', fields);
    const fresh = () => ({ ...anywhere, idempotencyKey: randomUUID(), walletId: twin?.id });
    expect(await send(fresh())).toMatchObject(refused);
    expect(await send({ ...fresh(), blockchain: chain })).toMatchObject({ body: { code: 155225 } });
    const there = { ...byAddress, idempotencyKey: randomUUID(), blockchain: other };
    expect(await send(there)).toMatchObject(refused);
  });

  it.each<[string, (id: string) => string, string, number, number]>([
    ['of a wallet that is not there', () => randomUUID(), other, 404, 156001],
    ['on a chain that is not served', (id) => id, 'BASE-SEPOLIA', 400, 156027],
    ['on a main network', (id) => id, 'EVM', 400, 156006],
    ['on no chain', (id) => id, 'MOON', 400, 2],
  ])('is refused %s', async (_what, idOf, chain, status, code) => {
    const wallet = await sandbox.wallet();
    const answer = await derive(idOf(wallet.id), chain);
    expect(answer).toMatchObject({ status, body: { code } });
  });

  it.each([
    ['name', 255],
    ['refId', 1_000],
  ])('has no longer %s than an updated one may have, and nor has a new one', async (field, max) => {
    const { id, walletSetId, address: walletAddress } = await sandbox.wallet();
    const fresh = { walletSetId, blockchains: [blockchain], idempotencyKey: randomUUID() };
    const derived = { sourceBlockchain: blockchain, walletAddress, targetBlockchain: other };
    const statuses = async (length: number) => {
      const metadata = { [field]: 'x'.repeat(length) };
      const answers = [
        await sandbox.request('PUT', `wallets/${id}`, { body: metadata }),
        await derive(id, other, { metadata }),
        await sandbox.request('PUT', 'developer/wallets/derive', {
          body: { ...derived, metadata },
        }),
        await sandbox.signed('developer/wallets', { ...fresh, metadata: [metadata] }),
      ];
      return answers.map(({ status }) => status);
    };
    expect(await statuses(max + 1)).toEqual([400, 400, 400, 400]);
    expect(await statuses(max)).toEqual([200, 201, 200, 201]);
  });

  it('is no smart account', async () => {
    const wallet = await sandbox.wallet('SCA');
    const refused = { status: 400, body: { code: 155507 } };
    expect(await derive(wallet.id, other)).toMatchObject(refused);
    const created = await sandbox.signed('developer/wallets', {
      idempotencyKey: randomUUID(),
      walletSetId: wallet.walletSetId,
      blockchains: [other],
      count: 1,
      accountType: 'SCA',
    });
    expect(created).toMatchObject(refused);
  });

  it('is found by the address of a wallet, on the chain that is named', async () => {
    const wallet = await sandbox.wallet();
    const body = { sourceBlockchain: other, walletAddress: wallet.address };
    const ask = (fields: object) =>
      sandbox.request('PUT', 'developer/wallets/derive', { body: { ...body, ...fields } });
    const back = { targetBlockchain: blockchain };
    expect(await ask(back)).toMatchObject({ status: 404, body: { code: 156001 } });
    expect(await ask({ ...back, walletAddress: '0x1' })).toMatchObject({ body: { code: 155226 } });
    const there = { sourceBlockchain: blockchain, targetBlockchain: other };
    expect(await ask(there)).toMatchObject({ status: 201 });
    expect(await ask(back)).toMatchObject({ status: 200, body: { data: { wallet } } });
  });
});
