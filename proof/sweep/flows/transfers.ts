import type { Wallet } from '../../../src/custody/objects/wallet';
import { progressOf } from '../judge/observe';
import type { Lane } from '../lane';
import type { Flow, Order, Play } from './flow';
import { amountOf, moved } from './money';
import { blockchain, createWallet, fundedWallet, newAddress } from './wallets';

/** A transfer from a wallet of this kind, with nothing in its way. */
export function transfer(accountType: 'EOA' | 'SCA'): Flow {
  return {
    name: `transfer, ${accountType}`,
    prepare: (lane, order) => prepareTransfer(lane, order, accountType),
  };
}

/** A transfer from a wallet that has just been funded. */
export async function prepareTransfer(
  lane: Lane,
  order: Order,
  accountType: 'EOA' | 'SCA',
): Promise<Play> {
  return transferFrom(await fundedWallet(lane, accountType), lane, order);
}

type Body = { from: { walletId: string }; to: string; amount: string; token: string };

/** A transfer from this wallet, with its JSON. */
export function transferFrom(wallet: Wallet, lane: Lane, order: Order): Play & { body: Body } {
  const [to, amount] = [newAddress(), amountOf(order)];
  const from = { walletId: wallet.id };
  const body = { from, to, amount, token: 'USDC' };
  return {
    body,
    start: () => lane.steadfast.start('transferStablecoin', order.name, body),
    effects: [moved({ from: wallet.address, to, amount })],
    hashes: ({ txHash }) => [txHash],
  };
}

/** A wallet is funded from another one of ours. */
export async function prepareFunding(lane: Lane, order: Order): Promise<Play> {
  const [treasury, wallet] = await Promise.all([
    fundedWallet(lane, 'EOA'),
    createWallet(lane, 'SCA'),
  ]);
  const amount = amountOf(order);
  const body = {
    wallet: { walletId: wallet.id },
    source: { walletId: treasury.id },
    amount,
    token: 'USDC',
  };
  return {
    start: () => lane.steadfast.start('fundWallet', order.name, body),
    effects: [moved({ from: treasury.address, to: wallet.address, amount })],
    hashes: () => [undefined],
  };
}

/** From nothing to a settled transfer. */
export async function prepareTransferSequence(lane: Lane, order: Order): Promise<Play> {
  const amount = amountOf(order);
  const body = { name: order.name, amount, token: 'USDC', source: 'faucet' as const };
  return {
    start: () => lane.steadfast.start('transferSequence', order.name, body),
    effects: [moved({ amount })],
    hashes: ({ txHash }) => [txHash],
    // The faucet takes no key, so it is asked once. When that is lost, the order asks for funds.
    mend: () => fundSender(lane, order),
  };
}

/** Does what the order asks of an operator: sends it the funds that it waits for. */
async function fundSender(lane: Lane, { name }: Order): Promise<void> {
  const { status, waitingFor } = await progressOf(lane, name);
  const [address] = waitingFor.match(/0x[0-9a-fA-F]{40}/) ?? [];
  if (status !== 'Waiting' || address === undefined) return;
  await lane.custody.requestDrip({ address, blockchain, usdc: true, native: true });
}
