import { randomUUID } from 'node:crypto';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { createPublicClient, http } from 'viem';
import type { CustodyApi } from '../../../src/custody/endpoints';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { type OrderKind, orderKinds } from '../../../src/orders/kinds';
import { refusal, wrongOrders } from '../../orders/input/refusals';
import { tooMuch } from '../../orders/input/shapes';
import { tables } from '../../orders/input/tables';
import { deployCode, foreignToken } from '../../support/chain/foreignToken';
import { stopLater } from '../../support/jest/setUp';
import { type Orders, runOrders } from '../../support/orders';
import {
  createFundedWallet,
  createWallets,
  eurc,
  holdings,
  inSandbox,
  usdc,
} from '../../support/sandbox';

type Case = [kind: OrderKind, order: unknown];
/** Wallets and token of the orders, by their words in the snapshots. */
type Names = Record<'wallet' | 'other' | 'elsewhere' | 'frozen', Wallet> & { token: string };

const nobody = '00000000-0000-4000-8000-000000000000';
const nowhere = `0x${'12'.repeat(20)}`;
const zero = `0x${'0'.repeat(40)}`;

const sandbox = inSandbox();
let orders: Orders;
let names: Names;
let before: unknown;
let lastBlock: bigint;

beforeAll(async () => {
  const { client } = sandbox;
  const wallet = await createFundedWallet(client);
  const [other, elsewhere, frozen] = await createWallets(client, { count: 3 });
  if (other === undefined || elsewhere === undefined || frozen === undefined) throw new Error();
  const token = await deployCode(client, wallet, foreignToken(2n));
  names = { wallet, other, elsewhere, frozen, token };
  orders = await runOrders(withStrangers(client), { baseUrl: sandbox.baseUrl });
  stopLater(() => orders.stop());
  before = await everything();
  lastBlock = await chain().getBlockNumber();
});

function chain() {
  return createPublicClient({ transport: http(sandbox.rpcUrl) });
}

/** The chain goes on by itself for a while, in blocks without transactions. */
async function transactionsSince(block: bigint): Promise<number> {
  const head = await chain().getBlockNumber();
  let count = 0;
  for (let blockNumber = block + 1n; blockNumber <= head; blockNumber += 1n) {
    count += (await chain().getBlock({ blockNumber })).transactions.length;
  }
  return count;
}

/** The sandbox has one chain and freezes nobody, so two of its wallets are told otherwise. */
function withStrangers(client: CustodyApi): CustodyApi {
  return {
    ...client,
    getWallet: async (input, options) => {
      const { wallet } = await client.getWallet(input, options);
      const { elsewhere, frozen } = names;
      if (wallet.id === elsewhere.id) return { wallet: { ...wallet, blockchain: 'ETH-SEPOLIA' } };
      return { wallet: wallet.id === frozen.id ? { ...wallet, state: 'FROZEN' } : wallet };
    },
  };
}

/** All that an order could have made at the service. */
async function everything(): Promise<unknown> {
  const { client } = sandbox;
  return [
    await client.listTransactions({}),
    await client.listWalletSets({}),
    await client.listWallets({}),
    await client.listContracts({}),
    await holdings(client, names.wallet.id),
  ];
}

/** Starts orders by name with plain JSON, as any language can. Returns their endings. */
async function endings(cases: readonly Case[]): Promise<string[]> {
  return Promise.all(
    cases.map(async ([kind, order]) => {
      const handle = await orders.client.workflow.start(kind, {
        workflowId: randomUUID(),
        taskQueue: orders.taskQueue,
        args: [order],
      });
      const error: unknown = await handle.result().catch((reason: unknown) => reason);
      const cause = error instanceof WorkflowFailedError ? error.cause : undefined;
      if (!(cause instanceof ApplicationFailure)) return `${kind} was carried out`;
      return `${kind} ${cause.type}: ${plain(cause.message)}`;
    }),
  );
}

/** Ids and addresses of this run as words. */
function plain(message: string): string {
  const { token, ...wallets } = names;
  let text = message.replaceAll(new RegExp(token, 'gi'), '<token>');
  for (const [name, { id, address }] of Object.entries(wallets)) {
    text = text
      .replaceAll(id, `<${name}>`)
      .replaceAll(new RegExp(address, 'gi'), `<${name}'s address>`);
  }
  return text;
}

const transfer = (fields: object = {}) => ({
  from: { walletId: names.wallet.id },
  to: names.other.address,
  amount: '1',
  token: 'USDC',
  ...fields,
});
const mint = (fields: object) => ({
  walletId: names.wallet.id,
  contractAddress: names.token,
  to: nowhere,
  amount: '1',
  ...fields,
});
const fund = (fields: object) => ({
  wallet: { walletId: names.other.id },
  amount: '1',
  token: 'USDC',
  ...fields,
});
const call = (fields: object) => ({
  ...tables.executeContract.order,
  walletId: names.wallet.id,
  contractAddress: usdc,
  ...fields,
});
const sequence = (fields: object) => ({ ...tables.transferSequence.order, ...fields });
const deploy = (fields: object) => ({ ...tables.deployContract.order, ...fields });

const fromEach = (walletIds: readonly string[]): Case[] =>
  walletIds.flatMap((walletId): Case[] => [
    ['transferStablecoin', transfer({ from: { walletId } })],
    ['deployContract', deploy({ walletId })],
    ['mintTokens', mint({ walletId })],
    ['executeContract', call({ walletId })],
    ['fundWallet', fund({ wallet: { walletId } })],
    ['fundWallet', fund({ source: { walletId } })],
    ['transferSequence', sequence({ source: { walletId } })],
  ]);

describe('an order that is started by its name with plain JSON is refused', () => {
  it('with the same sentence as by the client, whatever its kind and the field', async () => {
    const cases = orderKinds.flatMap((kind) =>
      Object.entries(tables[kind].fields).flatMap(([path, values]) =>
        wrongOrders({ ...tables[kind], fields: { [path]: values.slice(-1) } }).map(
          (order): Case => [kind, order],
        ),
      ),
    );
    expect(cases.length).toBeGreaterThan(40);
    expect(await endings(cases)).toEqual(
      cases.map(([kind, order]) => `${kind} Refused: ${refusal(kind, order)}`),
    );
  });

  it('when it is no order at all', async () => {
    const cases = orderKinds.map((kind): Case => [kind, null]);
    expect(await endings(cases)).toEqual(
      cases.map(([kind, order]) => `${kind} Refused: ${refusal(kind, order)}`),
    );
  });

  it('for a wallet that the service does not have', async () => {
    const byAddress: Case = ['transferStablecoin', transfer({ from: { walletAddress: nowhere } })];
    expect(await endings([...fromEach([nobody]), byAddress])).toMatchInlineSnapshot(`
[
  "transferStablecoin Refused: from: the service has no wallet 00000000-0000-4000-8000-000000000000 on ARC-TESTNET. Check the id, or create one: npx --no-install steadfast provision --name Wallets --id provision:wallets",
  "deployContract Refused: walletId: the service has no wallet 00000000-0000-4000-8000-000000000000 on ARC-TESTNET. Check the id, or create one: npx --no-install steadfast provision --name Wallets --id provision:wallets",
  "mintTokens Refused: walletId: the service has no wallet 00000000-0000-4000-8000-000000000000 on ARC-TESTNET. Check the id, or create one: npx --no-install steadfast provision --name Wallets --id provision:wallets",
  "executeContract Refused: walletId: the service has no wallet 00000000-0000-4000-8000-000000000000 on ARC-TESTNET. Check the id, or create one: npx --no-install steadfast provision --name Wallets --id provision:wallets",
  "fundWallet Refused: wallet: the service has no wallet 00000000-0000-4000-8000-000000000000 on ARC-TESTNET. Check the id, or create one: npx --no-install steadfast provision --name Wallets --id provision:wallets",
  "fundWallet Refused: source: the service has no wallet 00000000-0000-4000-8000-000000000000 on ARC-TESTNET. Check the id, or create one: npx --no-install steadfast provision --name Wallets --id provision:wallets",
  "transferSequence Refused: source: the service has no wallet 00000000-0000-4000-8000-000000000000 on ARC-TESTNET. Check the id, or create one: npx --no-install steadfast provision --name Wallets --id provision:wallets",
  "transferStablecoin Refused: from: the service has no wallet 0x1212121212121212121212121212121212121212 on ARC-TESTNET. Check the id, or create one: npx --no-install steadfast provision --name Wallets --id provision:wallets",
]
`);
  });

  it('for a wallet on another chain, or one that is frozen', async () => {
    const { elsewhere, frozen } = names;
    expect(await endings(fromEach([elsewhere.id, frozen.id]))).toMatchInlineSnapshot(`
[
  "transferStablecoin Refused: from: wallet <elsewhere> is on ETH-SEPOLIA, not on ARC-TESTNET. Name a wallet on ARC-TESTNET.",
  "deployContract Refused: walletId: wallet <elsewhere> is on ETH-SEPOLIA, not on ARC-TESTNET. Name a wallet on ARC-TESTNET.",
  "mintTokens Refused: walletId: wallet <elsewhere> is on ETH-SEPOLIA, not on ARC-TESTNET. Name a wallet on ARC-TESTNET.",
  "executeContract Refused: walletId: wallet <elsewhere> is on ETH-SEPOLIA, not on ARC-TESTNET. Name a wallet on ARC-TESTNET.",
  "fundWallet Refused: wallet: wallet <elsewhere> is on ETH-SEPOLIA, not on ARC-TESTNET. Name a wallet on ARC-TESTNET.",
  "fundWallet Refused: source: wallet <elsewhere> is on ETH-SEPOLIA, not on ARC-TESTNET. Name a wallet on ARC-TESTNET.",
  "transferSequence Refused: source: wallet <elsewhere> is on ETH-SEPOLIA, not on ARC-TESTNET. Name a wallet on ARC-TESTNET.",
  "transferStablecoin Refused: from: wallet <frozen> is FROZEN, so it cannot be used. Name another one.",
  "deployContract Refused: walletId: wallet <frozen> is FROZEN, so it cannot be used. Name another one.",
  "mintTokens Refused: walletId: wallet <frozen> is FROZEN, so it cannot be used. Name another one.",
  "executeContract Refused: walletId: wallet <frozen> is FROZEN, so it cannot be used. Name another one.",
  "fundWallet Refused: wallet: wallet <frozen> is FROZEN, so it cannot be used. Name another one.",
  "fundWallet Refused: source: wallet <frozen> is FROZEN, so it cannot be used. Name another one.",
  "transferSequence Refused: source: wallet <frozen> is FROZEN, so it cannot be used. Name another one.",
]
`);
  });

  it('for a token that is none', async () => {
    const tokens = [nowhere, names.other.address];
    const cases = tokens.flatMap((token): Case[] => [
      ['transferStablecoin', transfer({ token })],
      ['fundWallet', fund({ token })],
      ['transferSequence', sequence({ token })],
      ['mintTokens', mint({ contractAddress: token })],
    ]);
    expect(await endings(cases)).toMatchInlineSnapshot(`
[
  "transferStablecoin Refused: token: 0x1212121212121212121212121212121212121212 is not an ERC-20 contract on ARC-TESTNET. Check the address and the network.",
  "fundWallet Refused: token: 0x1212121212121212121212121212121212121212 is not an ERC-20 contract on ARC-TESTNET. Check the address and the network.",
  "transferSequence Refused: token: 0x1212121212121212121212121212121212121212 is not an ERC-20 contract on ARC-TESTNET. Check the address and the network.",
  "mintTokens Refused: contractAddress: 0x1212121212121212121212121212121212121212 is not an ERC-20 contract on ARC-TESTNET. Check the address and the network.",
  "transferStablecoin Refused: token: <other's address> is not an ERC-20 contract on ARC-TESTNET. Check the address and the network.",
  "fundWallet Refused: token: <other's address> is not an ERC-20 contract on ARC-TESTNET. Check the address and the network.",
  "transferSequence Refused: token: <other's address> is not an ERC-20 contract on ARC-TESTNET. Check the address and the network.",
  "mintTokens Refused: contractAddress: <other's address> is not an ERC-20 contract on ARC-TESTNET. Check the address and the network.",
]
`);
  });

  it('for an amount that the token cannot have', async () => {
    const { token } = names;
    const cases = ['1.234', tooMuch].flatMap((amount): Case[] => [
      ['transferStablecoin', transfer({ token, amount })],
      ['fundWallet', fund({ token, amount })],
      ['transferSequence', sequence({ token, amount })],
      ['mintTokens', mint({ amount })],
    ]);
    expect(await endings(cases)).toMatchInlineSnapshot(`
[
  "transferStablecoin Refused: amount: "1.234" has 3 decimals, but the token has 2.",
  "fundWallet Refused: amount: "1.234" has 3 decimals, but the token has 2.",
  "transferSequence Refused: amount: "1.234" has 3 decimals, but the token has 2.",
  "mintTokens Refused: amount: "1.234" has 3 decimals, but the token has 2.",
  "transferStablecoin Refused: amount: "9999999999999999999999999999999999999999999999999999999999999999999999999999999… is more than any token can hold.",
  "fundWallet Refused: amount: "9999999999999999999999999999999999999999999999999999999999999999999999999999999… is more than any token can hold.",
  "transferSequence Refused: amount: "9999999999999999999999999999999999999999999999999999999999999999999999999999999… is more than any token can hold.",
  "mintTokens Refused: amount: "9999999999999999999999999999999999999999999999999999999999999999999999999999999… is more than any token can hold.",
]
`);
  });

  it('for a destination from where nothing comes back', async () => {
    const { wallet } = names;
    const walletId = wallet.id;
    const cases: Case[] = [
      ['transferStablecoin', transfer({ to: zero })],
      ['transferStablecoin', transfer({ to: wallet.address })],
      ['transferStablecoin', transfer({ to: usdc })],
      ['transferStablecoin', transfer({ token: 'EURC', to: eurc })],
      ['transferStablecoin', transfer({ token: names.token, to: names.token.toLowerCase() })],
      ['transferStablecoin', transfer({ token: 'native', to: usdc })],
      ['transferStablecoin', transfer({ token: 'EURC', to: usdc })],
      ['mintTokens', mint({ to: zero })],
      ['mintTokens', mint({ to: names.token })],
      ['deployContract', deploy({ walletId, mint: { amount: '1', to: zero } })],
    ];
    expect(await endings(cases)).toMatchInlineSnapshot(`
[
  "transferStablecoin Refused: to: "0x0000000000000000000000000000000000000000" is the zero address, where tokens are lost. Give the recipient's.",
  "transferStablecoin Refused: to: <wallet's address> is the sending wallet itself. Give the recipient's address.",
  "transferStablecoin Refused: to: 0x3600000000000000000000000000000000000000 is the token's own contract. Give the recipient's address.",
  "transferStablecoin Refused: to: 0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a is the token's own contract. Give the recipient's address.",
  "transferStablecoin Refused: to: <token> is the token's own contract. Give the recipient's address.",
  "transferStablecoin Refused: to: 0x3600000000000000000000000000000000000000 is the contract of a token. Give the recipient's address.",
  "transferStablecoin Refused: to: 0x3600000000000000000000000000000000000000 is the contract of a token. Give the recipient's address.",
  "mintTokens Refused: to: "0x0000000000000000000000000000000000000000" is the zero address, where tokens are lost. Give the recipient's.",
  "mintTokens Refused: to: <token> is the token's own contract. Give the recipient's address.",
  "deployContract Refused: mint.to: "0x0000000000000000000000000000000000000000" is the zero address, where tokens are lost. Give the recipient's.",
]
`);
  });

  it('for a treasury that is the wallet itself', async () => {
    const { id, address } = names.other;
    const cases: Case[] = [
      ['fundWallet', fund({ source: { walletId: id } })],
      ['fundWallet', fund({ source: { walletAddress: address } })],
      ['fundWallet', fund({ wallet: { walletAddress: address }, source: { walletId: id } })],
    ];
    expect(await endings(cases)).toMatchInlineSnapshot(`
[
  "fundWallet Refused: source: <other> is the wallet itself. Name another one.",
  "fundWallet Refused: source: <other> is the wallet itself. Name another one.",
  "fundWallet Refused: source: <other> is the wallet itself. Name another one.",
]
`);
  });

  it('for another attempt of what it does not do', async () => {
    const generations = { 'burn/1': 1 };
    const cases: Case[] = [
      ['transferStablecoin', transfer({ generations })],
      ['deployContract', deploy({ walletId: names.wallet.id, generations })],
      ['provisionWallets', { name: 'Till', generations }],
    ];
    expect(await endings(cases)).toMatchInlineSnapshot(`
[
  "transferStablecoin Refused: generations.burn/1: is no transaction of this order, which has transfer/1. Leave it out.",
  "deployContract Refused: generations.burn/1: is no transaction of this order, which has deploy/1, mint/1. Leave it out.",
  "provisionWallets Refused: generations.burn/1: is no transaction of this order, which has none. Leave it out.",
]
`);
  });

  it('for a template that the service does not have', async () => {
    const order = deploy({ walletId: names.wallet.id, template: nobody });
    expect(await endings([['deployContract', order]])).toMatchInlineSnapshot(`
[
  "deployContract Refused: template: the service has no template 00000000-0000-4000-8000-000000000000. Give fungible, uniqueItem, multiToken, airdrop, or the id of one that it has.",
]
`);
  });

  it('and has made nothing, at the service or on the chain', async () => {
    expect(await everything()).toEqual(before);
    expect(await transactionsSince(lastBlock)).toBe(0);
    const one = transfer({ from: { walletId: names.wallet.id } });
    expect(await endings([['transferStablecoin', one]])).toEqual([
      'transferStablecoin was carried out',
    ]);
    expect(await everything()).not.toEqual(before);
    expect(await transactionsSince(lastBlock)).toBe(1);
  });
});
