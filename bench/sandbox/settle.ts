import { randomUUID } from 'node:crypto';
import { encodeFunctionData, erc20Abi, getAddress } from 'viem';
import { stablecoinAddresses } from '../../sandbox/chain/genesis/contracts';
import type { Hex, TransactionRow } from '../../sandbox/store/records/records';
import { openStore } from '../../sandbox/store/store';
import { networks } from '../../src/custody/networks/networks';
import type { Wallet } from '../../src/custody/objects/wallet';
import { freshAddress, requireTransfers } from './oracle';
import { blockchain, type Target } from './target';
import { transferRequest, untilSettled } from './transfers';

/**
 * Measures how many transfers the engine settles per second when it does nothing else. All but one
 * are stored as accepted while the engine rests. The last one is sent over HTTP, which wakes it.
 */
export async function settledPerS(
  target: Target,
  { wallets, count }: { wallets: readonly Wallet[]; count: number },
): Promise<number> {
  const to = freshAddress();
  const last = transferRequest(target, { walletId: wallets[0]?.id ?? '', to });
  storeAccepted(target.dataDir, { wallets, count: count - 1, to });
  const start = performance.now();
  await target.send(last);
  await untilSettled(target);
  const ms = performance.now() - start;
  await requireTransfers(target.rpcUrl, { to, count });
  return (count * 1_000) / ms;
}

function storeAccepted(
  dataDir: string,
  { wallets, count, to }: { wallets: readonly Wallet[]; count: number; to: Hex },
): void {
  const store = openStore(dataDir);
  store.atomically(() => {
    for (let index = 0; index < count; index += 1) {
      const wallet = wallets[index % wallets.length];
      if (wallet !== undefined) store.transactions.insert(acceptedTransfer(wallet, to));
    }
  });
  store.close();
}

/** The record of a transfer that has just been accepted. */
export function acceptedTransfer(wallet: Wallet, to: Hex): TransactionRow {
  const now = Date.now();
  const token = networks[blockchain]?.tokens.find(
    ({ address }) => address.toLowerCase() === stablecoinAddresses.usdc,
  );
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 1n] });
  return {
    id: randomUUID(),
    walletId: wallet.id,
    stage: 'INITIATED',
    createdAtMs: now,
    updatedAtMs: now,
    sourceAddress: getAddress(wallet.address),
    feeLevel: 'MEDIUM',
    refId: '',
    call: { to: stablecoinAddresses.usdc, value: '0', data },
    operation: 'TRANSFER',
    amounts: ['0.000001'],
    tokenId: token?.id ?? '',
    destinationAddress: to,
  };
}
