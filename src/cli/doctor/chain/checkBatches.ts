import { type SenderKept, senderKept } from '../../../chain/batching';
import { readChain } from '../../../chain/readChain';
import { networks } from '../../../custody/networks/networks';
import { broken, fine, firstLine, type HealthFinding, skipped } from '../../../health/finding';

/** Checks which tokens accounts with a key can pay in batches, and with memos. No answer is a fault. */
export async function checkBatches(rpcUrl: string, blockchain: string): Promise<HealthFinding> {
  const tokens = networks[blockchain]?.tokens.filter(({ address }) => address !== '') ?? [];
  try {
    const asked = tokens.map(async ({ symbol, address }) => {
      const kept = await readChain(rpcUrl, (chain) => senderKept(chain, address));
      return { symbol, ...kept };
    });
    const kept = await Promise.all(asked);
    const inBatches = namesOf(kept, 'inBatches');
    const withMemo = namesOf(kept, 'withMemo');
    if (inBatches === '') {
      return skipped(
        'Batches',
        'no Multicall3From that works here, so payouts from EOAs go line by line',
      );
    }
    const memos = withMemo === '' ? 'none can carry a memo' : `memos work for ${withMemo}`;
    return fine('Batches', `payouts from EOAs go in batches of ${inBatches}, and ${memos}`);
  } catch (error) {
    return broken(
      'Batches',
      `not known: ${firstLine(error)}`,
      'Until the node answers, payouts from EOAs wait or go line by line.',
    );
  }
}

function namesOf(
  tokens: readonly (SenderKept & { symbol: string })[],
  way: keyof SenderKept,
): string {
  return tokens
    .filter((token) => token[way])
    .map(({ symbol }) => symbol)
    .join(' and ');
}
