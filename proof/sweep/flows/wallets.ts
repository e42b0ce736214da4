import { randomBytes, randomUUID } from 'node:crypto';
import type { Wallet } from '../../../src/custody/objects/wallet';
import type { Lane } from '../lane';

export const blockchain = 'ARC-TESTNET';

/** An address that nobody else has. */
export function newAddress(): string {
  return `0x${randomBytes(20).toString('hex')}`;
}

/** One wallet set for all of a lane, since the service keeps a thousand at most. */
const walletSets = new WeakMap<Lane, string>();

/** A wallet that holds nothing. */
export async function createWallet(lane: Lane, accountType: 'EOA' | 'SCA'): Promise<Wallet> {
  const { custody } = lane;
  const walletSetId = walletSets.get(lane) ?? (await createWalletSet(lane));
  const { wallets } = await custody.createWallets({
    idempotencyKey: randomUUID(),
    walletSetId,
    blockchains: [blockchain],
    count: 1,
    accountType,
  });
  const [wallet] = wallets;
  if (wallet === undefined) throw new Error('The sandbox created no wallet.');
  return wallet;
}

async function createWalletSet(lane: Lane): Promise<string> {
  const { walletSet } = await lane.custody.createWalletSet({ idempotencyKey: randomUUID() });
  walletSets.set(lane, walletSet.id);
  return walletSet.id;
}

/** A wallet that the faucet has given some of everything. */
export async function fundedWallet(lane: Lane, accountType: 'EOA' | 'SCA'): Promise<Wallet> {
  const wallet = await createWallet(lane, accountType);
  await lane.custody.requestDrip({ address: wallet.address, blockchain, usdc: true, native: true });
  return wallet;
}
