import { fromBaseUnits, toBaseUnits } from '../../../src/custody/objects/amount';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { sweepWallets } from '../../../src/orders/sweep';
import { give } from '../../kill/give';
import type { Lane } from '../lane';
import type { Hashes, Order, Play } from './flow';
import { amountOf, moved, usdc, usdcDecimals } from './money';
import { createWallet, fundedWallet, newAddress } from './wallets';

/** A wallet calls a function of the stablecoin's contract. */
export async function prepareExecution(lane: Lane, order: Order): Promise<Play> {
  const wallet = await fundedWallet(lane, 'SCA');
  const [to, amount] = [newAddress(), amountOf(order)];
  const body = {
    walletId: wallet.id,
    contractAddress: usdc,
    abiFunctionSignature: 'transfer(address,uint256)',
    abiParameters: [to, toBaseUnits(amount, usdcDecimals).toString()],
  };
  return {
    start: () => lane.steadfast.start('executeContract', order.name, body),
    effects: [moved({ from: wallet.address, to, amount })],
    hashes: ({ txHash }) => [txHash],
  };
}

/** Amounts of swept wallets begin above those of a payout's lines. */
const sweptFrom = 800_000;
const sweptEach = 2;
const kept = '1';

/** Two smart accounts are swept into one wallet. Each keeps a part, so that its amount is unique. */
export async function prepareCollection(lane: Lane, order: Order): Promise<Play> {
  const [into, ...wallets] = await Promise.all([
    fundedWallet(lane, 'EOA'),
    ...Array.from({ length: sweptEach }, () => createWallet(lane, 'SCA')),
  ]);
  const amounts = wallets.map((_, at) =>
    amountOf({ number: sweptFrom + order.number * sweptEach + at }),
  );
  for (const [at, { address }] of wallets.entries()) {
    const [amount = ''] = amounts.slice(at);
    const held = toBaseUnits(amount, usdcDecimals) + toBaseUnits(kept, usdcDecimals);
    await give(lane.custody, into.address, {
      to: address,
      amount: fromBaseUnits(held, usdcDecimals),
    });
  }
  const body = {
    wallets: wallets.map(({ id }) => id),
    into: { walletId: into.id },
    token: 'USDC',
    keep: kept,
  };
  return {
    start: () => lane.steadfast.start('sweepWallets', order.name, body),
    effects: wallets.map(({ address: from }, at) =>
      moved({ from, to: into.address, amount: amounts[at] ?? '' }),
    ),
    read: async (receipt) => readCollected(receipt, wallets),
    hashes: ({ lineHashes = [] }) => [...lineHashes],
  };
}

function readCollected(told: unknown, wallets: readonly Wallet[]): Hashes {
  const { collected } = sweepWallets.receipt.parse(told);
  const lineHashes = wallets.map(({ id }) => {
    const own = collected.filter(({ walletId }) => walletId === id);
    return own.length === 1 ? (own[0]?.txHash ?? 'no hash') : `collected ${own.length} times`;
  });
  return { lineHashes };
}
