import { canBatch } from '../../../activities/chain/batching';
import { readChain } from '../../../activities/chain/readChain';
import { blockchains } from '../../custody/objects/blockchain';
import { broken, type Finding, fine, reasonOf, skipped } from './finding';

/** Checks if payouts from accounts with a key can go in batches. Both answers are fine. */
export async function checkBatches(rpcUrl: string, blockchain: string): Promise<Finding> {
  const token = blockchains[blockchain]?.tokens.find(({ address }) => address !== '');
  if (token === undefined) {
    return skipped('Batches', `not checked: no token of ${blockchain} is known`);
  }
  try {
    const can = await readChain(rpcUrl, (chain) => canBatch(chain, token.address));
    return can
      ? fine('Batches', 'Multicall3From is there and works, so payouts from EOAs go in batches')
      : skipped(
          'Batches',
          'no Multicall3From that works here, so payouts from EOAs go line by line',
        );
  } catch (error) {
    return broken(
      'Batches',
      `not known: ${reasonOf(error)}`,
      'Until the node answers, payouts from EOAs wait or go line by line.',
    );
  }
}
