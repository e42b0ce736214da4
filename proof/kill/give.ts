import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { stablecoinAddresses } from '../../sandbox/chain/genesis/contracts';
import type { CustodyApi } from '../../src/custody/endpoints';
import { finalState } from '../../src/custody/objects/state';

const pollMs = 50;

/** Sends USDC without Steadfast, and waits until it has settled. */
export async function give(
  custody: CustodyApi,
  walletAddress: string,
  { to, amount }: { to: string; amount: string },
): Promise<void> {
  const { id } = await custody.createTransfer({
    idempotencyKey: randomUUID(),
    walletAddress,
    blockchain: 'ARC-TESTNET',
    tokenAddress: stablecoinAddresses.usdc,
    destinationAddress: to,
    amounts: [amount],
    feeLevel: 'MEDIUM',
  });
  for (;;) {
    const { transaction } = await custody.getTransaction({ id });
    if (finalState(transaction.state) !== undefined) return;
    await sleep(pollMs);
  }
}
