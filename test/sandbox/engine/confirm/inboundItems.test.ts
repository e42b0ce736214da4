import { encodeAbiParameters, getAddress, type Hex, type Log, pad, zeroAddress } from 'viem';
import { readTransfers } from '../../../../sandbox/chain/transfers';
import { learnTokens } from '../../../../sandbox/engine/confirm/inbound';
import { conclude } from '../../../../sandbox/engine/confirm/outcome';
import { createTokens } from '../../../../sandbox/store/records/tokens';
import { openStore } from '../../../../sandbox/store/store';
import type { AbiParameter } from '../../../../src/custody/endpoints';
import type { TemplateFamily } from '../../../../src/custody/objects/template';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { deployTemplate } from '../../../support/chain/deployments';
import { setUp } from '../../../support/jest/setUp';
import { blockchain, createWallets, inSandbox, transferOf } from '../../../support/sandbox';

const newId = (2n ** 256n - 1n).toString();
const at = {} as Record<TemplateFamily, string>;

const sandbox = inSandbox();
const sender = setUp(() => sandbox.fundedWallet('EOA'));
beforeAll(async () => {
  for (const family of ['uniqueItem', 'multiToken', 'airdrop'] as const) {
    at[family] = (await deployTemplate(sandbox.client, sender, { family })).address;
  }
  // The ids 0 to 9 of each, of which an airdrop may take some.
  for (let id = 0; id < 10; id += 1) {
    await mintUnique(sender);
    await mintMany(sender, newId, '100');
  }
  for (const token of [at.uniqueItem, at.multiToken]) {
    await call(token, 'setApprovalForAll(address,bool)', [at.airdrop, true]);
  }
});

describe.each([
  ['EOA', 0],
  ['SCA', 5],
] as const)('an %s that receives items has a record', (accountType, firstId) => {
  const [first, second, third] = [0, 1, 2].map((one) => String(firstId + one)) as [
    string,
    string,
    string,
  ];
  let one: Wallet;
  let other: Wallet;
  beforeAll(async () => {
    [one, other] = (await createWallets(sandbox.client, { accountType, count: 2 })) as [
      Wallet,
      Wallet,
    ];
  });

  it('of a unique item that is minted to it', async () => {
    const sent = await mintUnique(one);
    const [received, ...others] = await arrivals(one, sent.txHash);
    expect(others).toEqual([]);
    expect(received).toMatchObject({
      walletId: one.id,
      transactionType: 'INBOUND',
      operation: 'TRANSFER',
      state: 'COMPLETE',
      sourceAddress: zeroAddress,
      destinationAddress: one.address,
      amounts: ['1'],
      nfts: [expect.stringMatching(/^{"nftTokenId":"\d+"}$/)],
      blockHash: sent.blockHash,
    });
    const { token } = await sandbox.client.getToken({ id: received?.tokenId ?? '' });
    expect(token).toMatchObject({ standard: 'ERC721', tokenAddress: at.uniqueItem });
  });

  it('of items that are minted to it by number', async () => {
    const { txHash } = await mintMany(one, first, '7');
    const [received, ...others] = await arrivals(one, txHash);
    expect(others).toEqual([]);
    expect(received).toMatchObject({ amounts: ['7'], nfts: [item(first)] });
    const { token } = await sandbox.client.getToken({ id: received?.tokenId ?? '' });
    expect(token).toMatchObject({ standard: 'ERC1155', tokenAddress: at.multiToken });
  });

  it.each<[string, TemplateFamily, { nftTokenIds: string[]; amounts: string[] }]>([
    ['of a unique item', 'uniqueItem', { nftTokenIds: [third], amounts: ['1'] }],
    ['of some of an id', 'multiToken', { nftTokenIds: [first], amounts: ['2'] }],
    [
      'of several ids at once, which is one',
      'multiToken',
      { nftTokenIds: [second, first], amounts: ['3', '4'] },
    ],
  ])('%s that a wallet sends, like the sender’s', async (_name, family, fields) => {
    const order = transferOf(sender, one.address, { tokenAddress: at[family], ...fields });
    const sent = await complete((await sandbox.client.createTransfer(order)).id);
    const [received, ...others] = await arrivals(one, sent.txHash);
    expect(others).toEqual([]);
    const { tokenId, amounts, nfts, txHash, blockHeight } = sent;
    expect(received).toMatchObject({ tokenId, amounts, nfts, txHash, blockHeight });
    expect(received).toMatchObject({ sourceAddress: sender.address, amounts: fields.amounts });
  });

  it('of its own part of an airdrop', async () => {
    const unique = await call(at.airdrop, 'airdropERC721(address,(address,uint256)[])', [
      at.uniqueItem,
      [
        [one.address, first],
        [other.address, second],
      ],
    ]);
    const many = await call(at.airdrop, 'airdropERC1155(address,(address,uint256,uint256)[])', [
      at.multiToken,
      [
        [one.address, first, '3'],
        [other.address, second, '4'],
        [other.address, first, '5'],
      ],
    ]);
    const received = async (wallet: Wallet, txHash: string | undefined) =>
      (await arrivals(wallet, txHash)).map(({ amounts, nfts }) => ({ amounts, nfts }));
    expect(await received(one, unique.txHash)).toEqual([{ amounts: ['1'], nfts: [item(first)] }]);
    expect(await received(other, unique.txHash)).toEqual([
      { amounts: ['1'], nfts: [item(second)] },
    ]);
    expect(await received(one, many.txHash)).toEqual([{ amounts: ['3'], nfts: [item(first)] }]);
    // The newest is the first of the list.
    expect(await received(other, many.txHash)).toEqual([
      { amounts: ['5'], nfts: [item(first)] },
      { amounts: ['4'], nfts: [item(second)] },
    ]);
  });

  it('and none of it in its balances', async () => {
    const { tokenBalances } = await sandbox.client.listBalances({ id: one.id });
    expect(tokenBalances).toEqual([]);
  });

  it('only once, however often a receipt is concluded', async () => {
    const order = { tokenAddress: at.multiToken, nftTokenIds: [first, second] };
    const { id } = await sandbox.client.createTransfer(
      transferOf(sender, one.address, { ...order, amounts: ['1', '2'] }),
    );
    const hash = (await complete(id)).txHash as Hex;
    const receipt = await sandbox.chain.client.getTransactionReceipt({ hash });
    const store = openStore(undefined);
    const { chain } = sandbox;
    const parts = { store, chain, tokens: createTokens({ chain, store, blockchain }) };
    store.wallets.insert({
      id: one.id,
      walletSetId: one.walletSetId,
      index: 0,
      accountType,
      blockchain,
      address: getAddress(one.address),
      name: undefined,
      refId: undefined,
      createdAtMs: 0,
    });
    for (const _time of [1, 2]) {
      const results = [{ hash, included: true, receipt } as const];
      await learnTokens(parts, results);
      store.atomically(() => conclude(parts, results));
    }
    expect(store.transactions.where('txHash', hash)).toMatchObject([{ amounts: ['1', '2'] }]);
    expect(store.tokens.list()).toMatchObject([{ standard: 'ERC1155' }]);
    store.close();
  });
});

describe('logs that look like movements of items', () => {
  const topics = [
    '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
    ...[1, 2, 3].map((one) => pad(`0x${one}`)),
  ] as const;
  const lists = [{ type: 'uint256[]' }, { type: 'uint256[]' }] as const;
  const log = (data: Hex, given: readonly Hex[] = topics) =>
    ({ address: zeroAddress, topics: given, data, logIndex: 0 }) as unknown as Log;

  it('are read when they are whole', () => {
    const data = encodeAbiParameters(lists, [
      [5n, 6n],
      [1n, 2n],
    ]);
    expect(readTransfers([log(data)])).toMatchObject([
      { standard: 'ERC1155', from: getAddress(pad('0x2', { size: 20 })), ids: [5n, 6n] },
    ]);
  });

  it.each<[string, Log]>([
    ['more ids than counts', log(encodeAbiParameters(lists, [[1n, 2n], [1n]]))],
    ['no data', log('0x')],
    ['a length that nothing has', log(`0x${'ff'.repeat(128)}`)],
    ['another event', log('0x', [pad('0x1'), ...topics.slice(1)])],
    ['a topic too few', log('0x', topics.slice(0, 3))],
  ])('are passed over when they have %s', (_name, malformed) => {
    expect(readTransfers([malformed])).toEqual([]);
  });
});

const item = (nftTokenId: string) => JSON.stringify({ nftTokenId });

const mintUnique = (to: Wallet) =>
  call(at.uniqueItem, 'mintTo(address,string)', [to.address, 'ipfs://unique']);

const mintMany = (to: Wallet, id: string, count: string) =>
  call(at.multiToken, 'mintTo(address,uint256,string,uint256)', [
    to.address,
    id,
    'ipfs://m',
    count,
  ]);

/** The records of what a transaction has brought to a wallet, once they are settled. */
async function arrivals(wallet: Wallet, txHash: string | undefined) {
  const asked = { txType: 'INBOUND', walletIds: wallet.id, pageSize: 50 };
  const { transactions } = await sandbox.client.listTransactions(asked);
  const own = transactions.filter((one) => one.txHash === txHash);
  return Promise.all(own.map(({ id }) => sandbox.settled(id)));
}

async function call(contract: string, signature: string, parameters: AbiParameter[]) {
  const record = await sandbox.call(sender, { to: contract, signature, parameters });
  expect(record).toMatchObject({ state: 'COMPLETE' });
  return record;
}

async function complete(id: string) {
  const record = await sandbox.settled(id);
  expect(record).toMatchObject({ state: 'COMPLETE' });
  return record;
}
