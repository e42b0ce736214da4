import { randomUUID } from 'node:crypto';
import type { Order, OrderKind } from '../../src/client/client';
import { type Orders, runOrders } from './orders';
import { createFundedWallet, startTestSandbox, type TestSandbox } from './sandbox';
import { someone } from './stages';

/** A sandbox and workers, with a funded wallet and a token that the wallet may mint. */
export type Quay = {
  sandbox: TestSandbox;
  orders: Orders;
  wallet: { id: string; address: string };
  contractAddress: string;
  stop(): Promise<void>;
};

export async function startQuay(): Promise<Quay> {
  const sandbox = await startTestSandbox();
  const { client, baseUrl, rpcUrl: chainRpcUrl } = sandbox;
  const orders = await runOrders(client, { baseUrl, chainRpcUrl });
  const wallet = await createFundedWallet(client, 'SCA');
  const deployment = { walletId: wallet.id, name: 'Quay', parameters: { name: 'Quay' } };
  const id = `deploy:${randomUUID()}`;
  const { contractAddress } = await orders.steadfast.execute('deployContract', id, deployment);
  const stop = async () => {
    await orders.stop();
    await sandbox.stop();
  };
  return { sandbox, orders, wallet, contractAddress, stop };
}

/** An order of a kind, with enough new values that it can be run. */
export type Sample<Kind extends OrderKind = OrderKind> = {
  name: string;
  kind: Kind;
  order: (quay: Quay) => Promise<Order<Kind>> | Order<Kind>;
};

const mint = { to: someone(), amount: '25' };
/** Orders of every kind, some kinds in more than one variant. */
export const samples: readonly Sample[] = [
  { name: 'wallets', kind: 'provisionWallets', order: () => ({ name: 'Tills', count: 3 }) },
  {
    name: 'a transfer',
    kind: 'transferStablecoin',
    order: ({ wallet }) => ({
      from: { walletId: wallet.id },
      to: someone(),
      amount: '1.5',
      token: 'USDC',
    }),
  },
  {
    name: 'a deployment with its supply',
    kind: 'deployContract',
    order: ({ wallet }) => ({
      walletId: wallet.id,
      name: 'Pier',
      parameters: { name: 'Pier' },
      mint,
    }),
  },
  {
    name: 'a unique item',
    kind: 'deployContract',
    order: ({ wallet }) => ({
      walletId: wallet.id,
      name: 'Jetty',
      template: 'uniqueItem',
      parameters: { name: 'Jetty' },
      mint: { to: someone(), uri: 'ipfs://one' },
    }),
  },
  {
    name: 'a mint',
    kind: 'mintTokens',
    order: ({ wallet, contractAddress }) => ({ walletId: wallet.id, contractAddress, ...mint }),
  },
  {
    name: 'a call',
    kind: 'executeContract',
    order: ({ wallet, contractAddress }) => ({
      walletId: wallet.id,
      contractAddress,
      abiFunctionSignature: 'burn(uint256)',
      abiParameters: ['0'],
    }),
  },
  {
    name: 'funds from a treasury',
    kind: 'fundWallet',
    order: async ({ wallet, orders }) => ({
      wallet: { walletId: (await emptyWallet(orders)).id },
      source: { walletId: wallet.id },
      amount: '0.5',
      token: 'USDC',
    }),
  },
  {
    name: 'a sweep',
    kind: 'sweepWallets',
    order: async ({ wallet, sandbox }) => ({
      wallets: [(await sandbox.fundedWallet('SCA')).id],
      into: { walletId: wallet.id },
      token: 'USDC',
    }),
  },
  {
    name: 'a deployment sequence',
    kind: 'deploymentSequence',
    order: () => ({ name: 'Mole', parameters: { name: 'Mole' }, mint }),
  },
  {
    name: 'a transfer sequence',
    kind: 'transferSequence',
    order: () => ({ name: 'Ferry', amount: '2', token: 'USDC', accountType: 'EOA' }),
  },
  {
    name: 'a payout',
    kind: 'payout',
    order: ({ wallet }) => ({
      payoutId: randomUUID(),
      wallets: [wallet.id],
      lines: [{ lineId: 'a-1', to: someone(), amount: '0.5', token: 'USDC' }],
    }),
  },
];

async function emptyWallet(orders: Orders): Promise<{ id: string }> {
  const receipt = await orders.steadfast.execute('provisionWallets', `wallets:${randomUUID()}`, {
    name: 'Empty',
    count: 1,
  });
  return { id: receipt.wallets[0]?.walletId ?? '' };
}
