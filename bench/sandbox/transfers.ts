import { setTimeout as sleep } from 'node:timers/promises';
import { stablecoinAddresses } from '../../sandbox/chain/genesis/contracts';
import type { Wallet } from '../../src/custody/objects/wallet';
import { freshAddress, requireTransfers } from './oracle';
import type { PreparedRequest, Target } from './target';

const atOnce = 32;
const lookMs = 10;
const settleMsMax = 120_000;

/** Measures the pace of accepting and of settling, both counted from the first HTTP call. */
export async function timeTransfers(
  target: Target,
  { wallets, count }: { wallets: readonly Wallet[]; count: number },
): Promise<{ acceptedPerS: number; settledPerS: number }> {
  const to = freshAddress();
  const requests = Array.from({ length: count }, (_, index) => {
    const wallet = wallets[index % wallets.length];
    return transferRequest(target, { walletId: wallet?.id ?? '', to });
  });
  const start = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = requests.pop(); next !== undefined; next = requests.pop()) {
        await target.send(next);
      }
    }),
  );
  const acceptedMs = performance.now() - start;
  await untilSettled(target);
  const settledMs = performance.now() - start;
  await requireTransfers(target.rpcUrl, { to, count });
  return { acceptedPerS: (count * 1_000) / acceptedMs, settledPerS: (count * 1_000) / settledMs };
}

/** A transfer of the smallest amount there is. */
export function transferRequest(
  target: Target,
  { walletId, to }: { walletId: string; to: string },
): PreparedRequest {
  return target.prepare('/developer/transactions/transfer', {
    walletId,
    destinationAddress: to,
    tokenAddress: stablecoinAddresses.usdc,
    amounts: ['0.000001'],
    feeLevel: 'MEDIUM',
  });
}

/** Resolves once every transaction is final. */
export async function untilSettled(target: Target): Promise<void> {
  const deadline = Date.now() + settleMsMax;
  while (target.unsettled() > 0) {
    if (Date.now() > deadline) throw new Error(`${target.unsettled()} are not settled.`);
    await sleep(lookMs);
  }
}
