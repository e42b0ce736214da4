import { randomUUID } from 'node:crypto';
import { zeroAddress } from 'viem';
import { blockchain, createWallets, eurc, inSandbox, usdc } from '../../../support/sandbox';

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
const anAddress = expect.stringMatching(/^0x[0-9a-f]{40}$/);

const sandbox = inSandbox();

describe('a wallet set', () => {
  it('has the fields of the interface, and its name', async () => {
    const answer = await sandbox.client.createWalletSet({
      idempotencyKey: randomUUID(),
      name: 'Treasury',
    });
    expect(answer).toEqual({
      walletSet: {
        id: uuid,
        custodyType: 'DEVELOPER',
        name: 'Treasury',
        createDate: date,
        updateDate: date,
      },
    });
    const { id } = answer.walletSet;
    await expect(sandbox.client.getWalletSet({ id })).resolves.toEqual(answer);
  });
});

describe('a new wallet', () => {
  const fields = {
    id: uuid,
    state: 'LIVE',
    walletSetId: uuid,
    custodyType: 'DEVELOPER',
    refId: '',
    name: '',
    address: anAddress,
    blockchain,
    createDate: date,
    updateDate: date,
  };

  it('has exactly the fields of the interface when it is an SCA', async () => {
    const { body } = await raw({ accountType: 'SCA' });
    expect(body).toEqual({
      data: {
        wallets: [{ ...fields, accountType: 'SCA', scaCore: 'circle_6900_singleowner_v3' }],
      },
    });
  });

  it('has exactly the fields of the interface when it is an EOA, and so no scaCore', async () => {
    const { body } = await raw({ accountType: 'EOA' });
    expect(body).toEqual({ data: { wallets: [{ ...fields, accountType: 'EOA' }] } });
  });

  it('has an address of its own also when many requests for one set arrive together', async () => {
    const { walletSet } = await sandbox.client.createWalletSet({ idempotencyKey: randomUUID() });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        sandbox.client.createWallets({
          idempotencyKey: randomUUID(),
          walletSetId: walletSet.id,
          blockchains: [blockchain],
          count: 3,
          accountType: 'SCA',
        }),
      ),
    );
    const addresses = answers.flatMap(({ wallets }) => wallets.map(({ address }) => address));
    expect(new Set(addresses).size).toBe(30);
  });

  it('has an address of its own also when many sets are created together', async () => {
    const wallets = await Promise.all(
      Array.from({ length: 10 }, () => createWallets(sandbox.client)),
    );
    expect(new Set(wallets.flat().map(({ address }) => address)).size).toBe(10);
  });

  it.each([
    [
      'in a set that is not there',
      {},
      404,
      156005,
      "Cannot find target wallet set in the system. Either no such wallet set, or it's not accessible to the caller.",
    ],
    [
      'on another chain',
      { blockchains: ['ETH-SEPOLIA'] },
      400,
      156027,
      'The specified blockchain is either not supported or deprecated: ETH-SEPOLIA',
    ],
    [
      'with one chain twice',
      { blockchains: [blockchain, blockchain] },
      400,
      2,
      'API parameter invalid',
    ],
    [
      'with more names than wallets',
      { metadata: [{}, {}] },
      400,
      155503,
      'Metadata array length needs to match wallet count in create developer wallets request.',
    ],
  ])('is refused %s', async (_what, change, status, code, message) => {
    const inNoSet = Object.keys(change).length === 0;
    const answer = await raw({ ...change, ...(inNoSet ? { walletSetId: randomUUID() } : {}) });
    expect({ status: answer.status, body: answer.body }).toMatchObject({
      status,
      body: { code, message },
    });
  });
});

describe('a wallet that is updated', () => {
  it('has the new name and reference, and keeps what was not given', async () => {
    const wallet = await sandbox.wallet();
    const id = wallet.id;
    const named = await sandbox.client.updateWallet({ id, name: 'Payroll', refId: 'ref 7' });
    expect(named).toEqual({
      wallet: { ...wallet, name: 'Payroll', refId: 'ref 7', updateDate: date },
    });
    const again = await sandbox.client.updateWallet({ id, name: '' });
    expect(again.wallet).toMatchObject({ name: '', refId: 'ref 7' });
    await expect(sandbox.client.getWallet({ id })).resolves.toEqual(again);
    const found = await sandbox.client.listWallets({ refId: 'ref 7' });
    expect(found.wallets).toEqual([again.wallet]);
  });

  it('changes its date, and asks for neither a ciphertext nor a key', async () => {
    const wallet = await sandbox.wallet();
    const created = Date.parse(wallet.createDate ?? '');
    await new Promise((resolve) => setTimeout(resolve, created + 1_000 - Date.now()));
    const { status, body } = await sandbox.request('PUT', `wallets/${wallet.id}`, {
      body: { name: 'later' },
    });
    expect(status).toBe(200);
    const { updateDate } = (body as { data: { wallet: { updateDate: string } } }).data.wallet;
    expect(Date.parse(updateDate)).toBeGreaterThan(created);
  });

  it('must be there', async () => {
    await expect(sandbox.client.updateWallet({ id: randomUUID(), name: 'x' })).rejects.toThrow(
      '156001',
    );
  });
});

describe('the list of wallets', () => {
  it('finds a wallet by its address, in any case, and by its reference', async () => {
    const refId = `ref ${randomUUID()}`;
    const { body } = await raw({ metadata: [{ refId }] });
    const { wallets } = (body as { data: { wallets: { address: string }[] } }).data;
    const address = `0x${wallets[0]?.address.slice(2).toUpperCase()}`;
    await expect(sandbox.client.listWallets({ refId })).resolves.toEqual({ wallets });
    await expect(sandbox.client.listWallets({ address, blockchain })).resolves.toEqual({ wallets });
  });

  it('gives the newest first, page by page', async () => {
    const created = await createWallets(sandbox.client, { count: 5 });
    const walletSetId = created[0]?.walletSetId ?? '';
    const first = await sandbox.client.listWallets({ walletSetId, pageSize: 3 });
    const pageAfter = first.wallets.at(-1)?.id ?? '';
    const second = await sandbox.client.listWallets({ walletSetId, pageSize: 3, pageAfter });
    expect([...first.wallets, ...second.wallets]).toEqual([...created].reverse());
    expect(second.wallets).toHaveLength(2);
  });
});

describe('balances', () => {
  it.each(['SCA', 'EOA'] as const)(
    'of an %s that the faucet has served show native, USDC and EURC with their tokens',
    async (accountType) => {
      const wallet = await sandbox.fundedWallet(accountType);
      const { tokenBalances } = await sandbox.client.listBalances({ id: wallet.id });
      const common = { id: uuid, blockchain, createDate: date, updateDate: date };
      const erc20 = { ...common, isNative: false, decimals: 6, standard: 'ERC20' };
      expect(tokenBalances).toEqual([
        {
          amount: '20',
          updateDate: date,
          token: { ...common, isNative: true, name: 'USDC', symbol: 'USDC', decimals: 18 },
        },
        {
          amount: '20',
          updateDate: date,
          token: { ...erc20, name: 'USDC', symbol: 'USDC', tokenAddress: usdc },
        },
        {
          amount: '20',
          updateDate: date,
          token: { ...erc20, name: 'EURC', symbol: 'EURC', tokenAddress: eurc.toLowerCase() },
        },
      ]);
    },
  );
});

describe('the faucet', () => {
  it('answers 204 without a body, once the money is there', async () => {
    const wallet = await sandbox.wallet();
    const { status, body } = await sandbox.request('POST', '/v1/faucet/drips', {
      body: { address: wallet.address, blockchain, eurc: true },
    });
    expect({ status, body }).toEqual({ status: 204, body: undefined });
    expect(await sandbox.holdings(wallet.id)).toEqual({ EURC: '20' });
  });

  it('refuses a drip that does not come to the zero address, and serves the next', async () => {
    const drip = { address: zeroAddress, blockchain, native: true };
    await expect(sandbox.client.requestDrip(drip)).rejects.toThrow(/400, code 155219/);
    const wallet = await sandbox.wallet();
    await sandbox.client.requestDrip({ ...drip, address: wallet.address });
    expect(await sandbox.holdings(wallet.id)).toEqual({ native: '20', USDC: '20' });
  });

  it('gives nothing where one of the coins refuses, whatever the other says', async () => {
    const before = await sandbox.chain.client.getBalance({ address: eurc });
    const drip = { address: eurc, blockchain, usdc: true, eurc: true };
    await expect(sandbox.client.requestDrip(drip)).rejects.toThrow(/400, code 155219/);
    expect(await sandbox.chain.client.getBalance({ address: eurc })).toBe(before);
  });

  it('serves everyone when many ask while blocks are being mined', async () => {
    const wallets = await createWallets(sandbox.client, { count: 25 });
    await Promise.all(
      wallets.map(async ({ address }, index) => {
        await new Promise((resolve) => setTimeout(resolve, index * 7));
        await sandbox.client.requestDrip({ address, blockchain, usdc: true });
      }),
    );
    const held = await Promise.all(wallets.map(({ id }) => sandbox.holdings(id)));
    expect(held).toEqual(wallets.map(() => ({ native: '20', USDC: '20' })));
  });

  it('refuses an address that is none', async () => {
    await expect(
      sandbox.client.requestDrip({ address: '0x1', blockchain, usdc: true }),
    ).rejects.toThrow(
      'requestDrip was answered with 400, code 155219: Invalid destination address.',
    );
  });
});

/** Creates one wallet in a new set, or what the fields say. Returns the answer as it came. */
async function raw(fields: object) {
  const { walletSet } = await sandbox.client.createWalletSet({ idempotencyKey: randomUUID() });
  return sandbox.signed('developer/wallets', {
    idempotencyKey: randomUUID(),
    walletSetId: walletSet.id,
    blockchains: [blockchain],
    count: 1,
    ...fields,
  });
}
