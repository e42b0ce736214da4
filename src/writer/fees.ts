import { canonicalJson } from '../custody/canonicalJson';
import type { CustodyApi } from '../custody/endpoints';
import { toBaseUnits } from '../custody/objects/amount';
import type { FeeLevel, LevelEstimates } from '../custody/objects/transaction';
import type { JudgedCall } from './call/shapes';
import { policyDecimals } from './file/policy';

const keptMs = 60_000;
const keptMax = 1_000;
/** Gas can cost more when the call is sent than when it was estimated. */
const margin = 2n;

/** The largest fee of a call: twice the estimate of the service, which is kept for a minute. */
export function largestFee(custody: CustodyApi): (call: JudgedCall) => Promise<bigint> {
  const kept = new Map<string, { fee: bigint; atMs: number }>();
  return async (call) => {
    const name = nameOf(call);
    const found = kept.get(name);
    if (found !== undefined && Date.now() < found.atMs + keptMs) return found.fee;
    const fee = margin * (await estimated(custody, call));
    if (kept.size >= keptMax) kept.clear();
    kept.set(name, { fee, atMs: Date.now() });
    return fee;
  };
}

/**
 * Calls of one name cost about the same. The name of a transfer leaves out its amount. The
 * recipient of native coins is in it, since it may be a contract that runs code. A token runs its
 * own code alone.
 */
function nameOf({ method, input }: JudgedCall): string {
  switch (method) {
    case 'createTransfer': {
      const { walletAddress, tokenAddress, feeLevel, destinationAddress } = input;
      const to = tokenAddress === '' ? destinationAddress : '';
      return [method, walletAddress, tokenAddress, to, feeLevel].join(' ');
    }
    default:
      return `${method} ${canonicalJson(input)}`;
  }
}

async function estimated(custody: CustodyApi, { method, input }: JudgedCall): Promise<bigint> {
  switch (method) {
    case 'createTransfer': {
      const { walletAddress: sourceAddress, blockchain, tokenAddress, feeLevel } = input;
      const { destinationAddress, amounts } = input;
      const call = { sourceAddress, blockchain, tokenAddress, destinationAddress, amounts };
      return feeAt(feeLevel, await custody.estimateTransfer(call));
    }
    case 'executeContract': {
      const { feeLevel, gasLimit, idempotencyKey: _, refId: __, ...call } = input;
      const levels = await custody.estimateExecution(call);
      const fee = feeAt(feeLevel, levels);
      if (gasLimit === undefined) return fee;
      const { gasLimit: estimate } = levelOf(feeLevel, levels);
      return (fee * BigInt(gasLimit)) / BigInt(estimate) + 1n;
    }
    case 'deployTemplate': {
      const { id, walletId, blockchain, templateParameters, feeLevel } = input;
      const call = { id, walletId, blockchain, templateParameters };
      return feeAt(feeLevel, await custody.estimateDeployment(call));
    }
    default:
      return 0n;
  }
}

function feeAt(level: FeeLevel, estimates: LevelEstimates): bigint {
  return toBaseUnits(levelOf(level, estimates).networkFee, policyDecimals);
}

function levelOf(level: FeeLevel, { low: LOW, medium: MEDIUM, high: HIGH }: LevelEstimates) {
  return { LOW, MEDIUM, HIGH }[level];
}
