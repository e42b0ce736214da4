import { createHash } from 'node:crypto';
import { canonicalJson } from '../custody/canonicalJson';
import type { CustodyApi } from '../custody/endpoints';
import { toBaseUnits } from '../custody/objects/amount';
import type { FeeLevel, LevelEstimates } from '../custody/objects/transaction';
import { remembering } from '../custody/sharing';
import type { PayingWallet } from './call/effects';
import { withGasLimit } from './call/ordered';
import type { JudgedCall } from './call/shapes';
import { policyDecimals } from './file/policy';

const keptMs = 60_000;
const keptMax = 1_000;
/** Gas can have a higher price when the call is sent than when it was estimated. */
const margin = 2n;

/** The gas of a call and its fee, as the service estimates them. */
type Estimate = { fee: bigint; gas: bigint };

/** A call as it is to be sent, and the largest fee that it can cost then. */
export type Bounded = { call: JudgedCall; fee: bigint };

/**
 * Bounds the fee of a call: twice the estimate of the service, which is kept for a minute. The
 * estimated gas is also the limit of a call that may run its recipient's code. A smart account
 * gives none, since the service does not allow it.
 */
export function boundingFees(custody: CustodyApi) {
  const remember = remembering<Estimate>({ ms: keptMs, most: keptMax });
  const estimateOf = (call: JudgedCall): Promise<Estimate> => {
    return remember(digestOf(nameOf(call)), () => estimated(custody, call));
  };
  return async (call: JudgedCall, wallet: PayingWallet | undefined): Promise<Bounded> => {
    const isOpen = runsCode(call);
    const isKey = wallet?.accountType === 'EOA';
    // Nothing bounds it until it is signed, so no older estimate counts.
    const isLoose = isOpen && !isKey;
    const { fee, gas } = await (isLoose ? estimated(custody, call) : estimateOf(call));
    const given = 'gasLimit' in call.input ? call.input.gasLimit : undefined;
    if (given !== undefined) return { call, fee: margin * ((fee * BigInt(given)) / gas + 1n) };
    const limit = isOpen && isKey ? `${gas}` : undefined;
    return { call: withGasLimit(call, limit), fee: margin * fee };
  };
}

/** True for a call that may run the code of its recipient. A token runs its own code alone. */
function runsCode({ method, input }: JudgedCall): boolean {
  return method === 'executeContract' || (method === 'createTransfer' && input.tokenAddress === '');
}

/**
 * Calls of one name cost about the same. The name of a transfer leaves out its amount, and its
 * recipient. Both are in it for native coins, since the recipient may be a contract that runs code.
 */
function nameOf({ method, input }: JudgedCall): string {
  switch (method) {
    case 'createTransfer': {
      const { walletAddress, tokenAddress, feeLevel, destinationAddress, amounts } = input;
      const to = tokenAddress === '' ? [destinationAddress, ...amounts] : [];
      return [method, walletAddress, tokenAddress, feeLevel, ...to].join(' ');
    }
    default:
      return `${method} ${canonicalJson(input)}`;
  }
}

/** The name of a call is as long as its caller makes it, and only its digest is kept. */
function digestOf(name: string): string {
  return createHash('sha256').update(name).digest('base64');
}

async function estimated(custody: CustodyApi, { method, input }: JudgedCall): Promise<Estimate> {
  switch (method) {
    case 'createTransfer': {
      const { walletAddress: sourceAddress, blockchain, tokenAddress, feeLevel } = input;
      const { destinationAddress, amounts } = input;
      const call = { sourceAddress, blockchain, tokenAddress, destinationAddress, amounts };
      return estimateAt(feeLevel, await custody.estimateTransfer(call));
    }
    case 'executeContract': {
      const { feeLevel, gasLimit: _, idempotencyKey: __, refId: ___, ...call } = input;
      return estimateAt(feeLevel, await custody.estimateExecution(call));
    }
    case 'deployTemplate': {
      const { id, walletId, blockchain, templateParameters, feeLevel } = input;
      const call = { id, walletId, blockchain, templateParameters };
      return estimateAt(feeLevel, await custody.estimateDeployment(call));
    }
    default:
      return { fee: 0n, gas: 0n };
  }
}

function estimateAt(level: FeeLevel, { low: LOW, medium: MEDIUM, high: HIGH }: LevelEstimates) {
  const { networkFee, gasLimit } = { LOW, MEDIUM, HIGH }[level];
  return { fee: toBaseUnits(networkFee, policyDecimals), gas: BigInt(gasLimit) };
}
