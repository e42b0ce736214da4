import { receiptActivities } from '../../activities/chain/receipt';
import type { UnpaidIn } from '../writer/failedAlone';

/**
 * Reads on the chain which payments of a settled batch have failed alone. None of a batch whose
 * receipt is not proven, or tells of something else.
 */
export function unpaidOn(chainRpcUrl: string): UnpaidIn {
  const { checkReceipt } = receiptActivities(chainRpcUrl);
  return async ({ txHash, from, tokenAddress, payments }) => {
    const effect = { kind: 'batch', from, tokenAddress, payments, isWhole: false } as const;
    const { found, faults, unpaid = [] } = await checkReceipt({ txHash, sender: from, effect });
    return found === 'success' && faults.length === 0 ? unpaid.map(({ at }) => at) : [];
  };
}
