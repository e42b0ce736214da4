import { parseGwei } from 'viem';
import { type BatchedPayment, batchCall } from '../../src/custody/batch';
import type { CustodyApi } from '../../src/custody/endpoints';
import { RefusedError } from '../../src/custody/errors';
import type { FeeLevel } from '../../src/custody/objects/transaction';
import type { ResolvedWallet } from '../../src/orders/kind';
import { tryRead } from '../attempt';
import { stop } from '../failure';
import { feeFields } from '../guard/estimate';

/** The batch to be sized. */
export type Sizing = {
  wallet: ResolvedWallet;
  tokenAddress: string;
  payments: readonly BatchedPayment[];
  feeLevel: FeeLevel;
};

/** The gas of a batch. */
export type Sized = {
  gasLimit: string;
  /** Gas that a line costs more by itself. Left out where the service estimates none. */
  gasSavedPerLine?: number;
};

/** The most gas of a transaction (EIP-7825). */
const gasMax = 16_777_216n;
/** The most that the service lets the gas of a transaction cost: one of the native coin. */
const feeMax = 10n ** 18n;
/** A line costs more where its recipient is new by the time when the batch is mined. */
const marginPercent = 25n;

/**
 * Estimates the gas with which every line of a batch can succeed. Refuses a batch that is too large
 * for a transaction, or that holds a line which cannot be paid now. Its halves may do.
 */
export function sizeBatchActivity(custody: CustodyApi) {
  return async function sizeBatch(sizing: Sizing): Promise<Sized> {
    const { wallet, tokenAddress, payments, feeLevel } = sizing;
    const call = batchCall(wallet, { tokenAddress, payments }, { mayFail: false });
    const { walletId } = wallet;
    const estimate = (one: Call) =>
      tryRead((signal) =>
        custody.estimateExecution({ walletId, ...one }, { signal }).catch(stopped),
      );
    const [levels, alone] = await Promise.all([
      estimate(call),
      estimate(aloneCall({ tokenAddress, payments })).catch(() => undefined),
    ]);
    const { gasLimit: gas, maxFee = '0' } = levels[feeFields[feeLevel]];
    const gasLimit = (BigInt(gas) * (100n + marginPercent)) / 100n;
    if (gasLimit > gasMax) {
      throw stop('Refused', `It needs ${gasLimit} gas, and a transaction has at most ${gasMax}.`);
    }
    if (gasLimit * parseGwei(maxFee) > feeMax) {
      throw stop(
        'Refused',
        `Its ${gasLimit} gas at ${maxFee} gwei cost more than the service lets.`,
      );
    }
    const saved = Number(alone?.[feeFields[feeLevel]].gasLimit) - Number(gas) / payments.length;
    const isKnown = saved > 0;
    return {
      gasLimit: gasLimit.toString(),
      ...(isKnown ? { gasSavedPerLine: Math.round(saved) } : {}),
    };
  };
}

/** A call that the service refuses to estimate cannot be paid now. */
function stopped(error: unknown): never {
  if (!(error instanceof RefusedError) || error.status !== 400) throw error;
  throw stop('Refused', `The service estimates no fee for it: ${error.message}`);
}

type Call = Parameters<CustodyApi['estimateExecution']>[0];

/** The first of some payments as a transaction of its own. */
function aloneCall({ tokenAddress, payments }: Pick<Sizing, 'tokenAddress' | 'payments'>): Call {
  const [first] = payments;
  return {
    contractAddress: tokenAddress,
    abiFunctionSignature: 'transfer(address,uint256)',
    abiParameters: [first?.to ?? '', first?.baseUnits ?? ''],
  };
}
