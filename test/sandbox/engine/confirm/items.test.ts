import { randomUUID } from 'node:crypto';
import { erc20Abi, erc721Abi, getAddress, type Hex, maxUint256, parseAbi, parseEther } from 'viem';
import type { AbiParameter } from '../../../../src/custody/endpoints';
import type { TemplateFamily } from '../../../../src/custody/objects/template';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { deployTemplate } from '../../../support/chain/deployments';
import { callOf, createWallets, inSandbox } from '../../../support/sandbox';

const erc1155Abi = parseAbi([
  'function balanceOf(address owner, uint256 id) view returns (uint256)',
  'function uri(uint256 id) view returns (string)',
]);
const [ada, ben] = [1, 2].map((one) => getAddress(`0x${`a${one}`.repeat(20)}`)) as [Hex, Hex];

const sandbox = inSandbox();

describe.each(['EOA', 'SCA'] as const)('an %s wallet', (accountType) => {
  let wallet: Wallet;
  let other: Wallet;
  const at = {} as Record<TemplateFamily, Hex>;

  beforeAll(async () => {
    wallet = await sandbox.fundedWallet(accountType);
    [other] = (await createWallets(sandbox.client, { accountType })) as [Wallet];
    for (const family of ['fungible', 'uniqueItem', 'multiToken', 'airdrop'] as const) {
      at[family] = (await deployTemplate(sandbox.client, wallet, { family })).address as Hex;
    }
  });

  it('mints coins and drops them on many at once', async () => {
    await call(at.fungible, 'mintTo(address,uint256)', [wallet.address, '0x64']);
    await call(at.fungible, 'approve(address,uint256)', [at.airdrop, 100]);
    await call(at.airdrop, 'airdropERC20(address,(address,uint256)[])', [
      at.fungible,
      [
        [ada, '30'],
        [ben, 20],
      ],
    ]);
    expect(await Promise.all([coins(ada), coins(ben), coins(wallet.address)])).toEqual([
      30n,
      20n,
      50n,
    ]);
  });

  it('mints unique items, drops some and transfers one', async () => {
    for (const uri of ['ipfs://0', 'ipfs://1', 'ipfs://2']) {
      await call(at.uniqueItem, 'mintTo(address,string)', [wallet.address, uri]);
    }
    await call(at.uniqueItem, 'setApprovalForAll(address,bool)', [at.airdrop, true]);
    await call(at.airdrop, 'airdropERC721(address,(address,uint256)[])', [
      at.uniqueItem,
      [
        [ada, '0'],
        [ben, '1'],
      ],
    ]);
    const record = await transfer(at.uniqueItem, { nftTokenIds: ['2'], amounts: ['1'] });
    expect(record).toMatchObject({
      operation: 'TRANSFER',
      amounts: ['1'],
      nfts: ['{"nftTokenId":"2"}'],
      tokenId: expect.any(String),
      destinationAddress: other.address,
    });
    const owners = await Promise.all([0n, 1n, 2n].map(ownerOf));
    expect(owners).toEqual([ada, ben, getAddress(other.address)]);
    const { token } = await sandbox.client.getToken({ id: record.tokenId ?? '' });
    expect(token).toMatchObject({
      standard: 'ERC721',
      tokenAddress: at.uniqueItem,
      name: 'First Token',
    });
    expect(token).not.toHaveProperty('decimals');
  });

  it('mints items by number, drops some and transfers others, one id or several', async () => {
    const newId = maxUint256.toString();
    const mint = 'mintTo(address,uint256,string,uint256)';
    await call(at.multiToken, mint, [wallet.address, newId, 'ipfs://0', '10']);
    await call(at.multiToken, mint, [wallet.address, newId, 'ipfs://1', '10']);
    await call(at.multiToken, mint, [wallet.address, '0', '', '5']);
    await call(at.multiToken, 'setApprovalForAll(address,bool)', [at.airdrop, 'true']);
    await call(at.airdrop, 'airdropERC1155(address,(address,uint256,uint256)[])', [
      at.multiToken,
      [
        [ada, '0', '3'],
        [ben, '1', '4'],
      ],
    ]);
    await transfer(at.multiToken, { nftTokenIds: ['0'], amounts: ['2'] });
    await transfer(at.multiToken, { nftTokenIds: ['0', '1'], amounts: ['1', '6'] });
    const held = [ada, ben, other.address, wallet.address].map((owner) =>
      Promise.all([pieces(owner, 0n), pieces(owner, 1n)]),
    );
    expect(await Promise.all(held)).toEqual([
      [3n, 0n],
      [0n, 4n],
      [3n, 6n],
      [9n, 0n],
    ]);
    const uri = { address: at.multiToken, abi: erc1155Abi, functionName: 'uri' } as const;
    expect(await sandbox.chain.client.readContract({ ...uri, args: [1n] })).toBe('ipfs://1');
  });

  it('has in its balances what is counted, a coin minted to it too, and no items', async () => {
    const { tokenBalances } = await sandbox.client.listBalances({ id: wallet.id });
    const addresses = tokenBalances.map(({ token }) => token.tokenAddress);
    expect(addresses).toContain(at.fungible);
    expect(addresses).not.toContain(at.uniqueItem);
    expect(addresses).not.toContain(at.multiToken);
  });

  it('drops the native coin, which the call carries', async () => {
    const before = await Promise.all([native(ada), native(ben)]);
    const record = await call(
      at.airdrop,
      'airdropNativeToken((address,uint256)[])',
      [
        [
          [ada, parseEther('0.25').toString()],
          [ben, parseEther('0.5').toString()],
        ],
      ],
      { amount: '0.75' },
    );
    expect(record).toMatchObject({ amounts: ['0.75'] });
    const after = await Promise.all([native(ada), native(ben)]);
    expect(after.map((held, index) => held - (before[index] ?? 0n))).toEqual([
      parseEther('0.25'),
      parseEther('0.5'),
    ]);
  });

  it('is told when it carries more of the native coin than it has', async () => {
    const { id } = await sandbox.client.executeContract({
      ...execution(at.airdrop, 'airdropNativeToken((address,uint256)[])', [[]]),
      amount: '1000',
    });
    expect(await sandbox.settled(id)).toMatchObject({
      state: 'FAILED',
      errorReason: 'INSUFFICIENT_NATIVE_TOKEN',
    });
  });

  it.each<[string, TemplateFamily, object, number, number]>([
    [
      'a unique item by halves',
      'uniqueItem',
      { nftTokenIds: ['2'], amounts: ['0.5'] },
      400,
      155218,
    ],
    ['two unique items', 'uniqueItem', { nftTokenIds: ['1', '2'], amounts: ['1'] }, 400, 155218],
    ['a unique item without its id', 'uniqueItem', { amounts: ['1'] }, 400, 155218],
    [
      'a unique item of somebody else',
      'uniqueItem',
      { nftTokenIds: ['0'], amounts: ['1'] },
      400,
      155206,
    ],
    [
      'a unique item that is not there',
      'uniqueItem',
      { nftTokenIds: ['9'], amounts: ['1'] },
      404,
      156011,
    ],
    [
      'an id that is no number',
      'uniqueItem',
      { nftTokenIds: ['two'], amounts: ['1'] },
      404,
      156011,
    ],
    [
      'two ids with one amount',
      'multiToken',
      { nftTokenIds: ['0', '1'], amounts: ['1'] },
      400,
      155242,
    ],
    ['half a piece', 'multiToken', { nftTokenIds: ['0'], amounts: ['0.5'] }, 400, 155221],
    [
      'an id that it has nothing of',
      'multiToken',
      { nftTokenIds: ['7'], amounts: ['1'] },
      400,
      155258,
    ],
    ['coins with an id', 'fungible', { nftTokenIds: ['0'], amounts: ['1'] }, 400, 155218],
  ])('is refused a transfer of %s', async (_what, family, fields, status, code) => {
    const answer = await sandbox.signed('developer/transactions/transfer', {
      ...transferOrder(at[family]),
      ...fields,
    });
    expect(answer).toMatchObject({ status, body: { code } });
  });

  it.each(['-1', 'much', '1e3', `0.${'0'.repeat(18)}1`, '9'.repeat(90)])(
    'is refused a call that carries "%s" of the native coin',
    async (amount) => {
      const answer = await sandbox.signed('developer/transactions/contractExecution', {
        ...execution(at.airdrop, 'airdropNativeToken((address,uint256)[])', [[]]),
        amount,
      });
      expect(answer).toMatchObject({ status: 400, body: { code: 155245 } });
    },
  );

  it('is refused at once when it drops on too many', async () => {
    const many = Array.from({ length: 5_000 }, () => [ada, '0']);
    const signature = 'airdropERC20(address,(address,uint256)[])';
    const answer = await sandbox.signed(
      'developer/transactions/contractExecution',
      execution(at.airdrop, signature, [at.fungible, many]),
    );
    expect(answer).toMatchObject({ status: 400, body: { code: 155207 } });
  });

  const execution = (to: Hex, signature: string, parameters: AbiParameter[]) =>
    callOf(wallet, { to, signature, parameters });
  const transferOrder = (tokenAddress: Hex) => ({
    idempotencyKey: randomUUID(),
    walletId: wallet.id,
    destinationAddress: other.address,
    tokenAddress,
    blockchain: wallet.blockchain,
    feeLevel: 'MEDIUM' as const,
  });

  async function call(
    ...[contract, signature, parameters, fields]: [Hex, string, AbiParameter[], object?]
  ) {
    const order = { ...execution(contract, signature, parameters), ...fields };
    const { id } = await sandbox.client.executeContract(order);
    return complete(id);
  }

  async function transfer(token: Hex, fields: { nftTokenIds: string[]; amounts: string[] }) {
    const { id } = await sandbox.client.createTransfer({ ...transferOrder(token), ...fields });
    return complete(id);
  }

  async function complete(id: string) {
    const record = await sandbox.settled(id);
    expect(record).toMatchObject({ state: 'COMPLETE' });
    return record;
  }

  const read = () => sandbox.chain.client;
  const native = (address: Hex) => read().getBalance({ address });
  const coins = (owner: string) =>
    read().readContract({
      address: at.fungible,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [getAddress(owner)],
    });
  const ownerOf = (id: bigint) =>
    read().readContract({
      address: at.uniqueItem,
      abi: erc721Abi,
      functionName: 'ownerOf',
      args: [id],
    });
  const pieces = (owner: string, id: bigint) =>
    read().readContract({
      address: at.multiToken,
      abi: erc1155Abi,
      functionName: 'balanceOf',
      args: [getAddress(owner), id],
    });
});
