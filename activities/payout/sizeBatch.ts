import { parseGwei } from 'viem';
import { type BatchedPayment, batchCall } from '../../src/custody/batch';
import type { CustodyApi } from '../../src/custody/endpoints';
import { RefusedError } from '../../src/custody/errors';
import type { EstimatedFee, FeeLevel, LevelEstimates } from '../../src/custody/objects/transaction';
import { remembering } from '../../src/custody/sharing';
import type { ResolvedWallet } from '../../src/orders/kind';
import { tryRead } from '../attempt';
import { feeFields } from '../guard/estimate';
import { inSlices, withinLimits } from '../reading';

/** The batch to be sized. */
export type Sizing = {
  wallet: Pick<ResolvedWallet, 'walletId' | 'address' | 'accountType'>;
  tokenAddress: string;
  payments: readonly BatchedPayment[];
  feeLevel: FeeLevel;
};

/** The gas of a batch, or the reason why it cannot be paid as it is. Its halves may do. */
export type Sized = Gas | { refused: string };

type Gas = {
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
/** Number of estimates that are asked for at a time. */
const atOnceMax = 5;

/**
 * Estimates the gas with which every line of a batch can succeed, for several batches. Refuses one
 * that is too large for a transaction, or that holds a line which cannot be paid now.
 */
export function sizeBatchesActivity(custody: CustodyApi) {
  const estimate = (walletId: string, call: Call): Promise<Estimated> =>
    tryRead((signal) =>
      withinLimits(() => custody.estimateExecution({ walletId, ...call }, { signal })).catch(
        refusedBy,
      ),
    );

  // All parts of a payout share the estimate of a single transfer, by its token.
  const alone = remembering<Estimated>({ ms: aloneMs });

  const size = async ({ wallet, feeLevel, ...paid }: Sizing): Promise<Sized> => {
    const { walletId } = wallet;
    const levels = await estimate(walletId, batchCall(wallet, paid, { mayFail: false }));
    if ('refused' in levels) return levels;
    const field = feeFields[feeLevel];
    const single = await alone(paid.tokenAddress, () => estimate(walletId, aloneCall(paid)));
    const saved = gasIn(single, field) - gasIn(levels, field) / paid.payments.length;
    return sizedBy(levels[field], saved);
  };

  return function sizeBatches(sizings: readonly Sizing[]): Promise<Sized[]> {
    return inSlices(sizings, atOnceMax, size);
  };
}

type Estimated = LevelEstimates | { refused: string };
const aloneMs = 60_000;

/** The gas limit of a batch, with a margin. Refuses one that costs too much. */
function sizedBy({ gasLimit: gas, maxFee = '0' }: EstimatedFee, saved: number): Sized {
  const gasLimit = (BigInt(gas) * (100n + marginPercent)) / 100n;
  if (gasLimit > gasMax) {
    return { refused: `It needs ${gasLimit} gas, and a transaction has at most ${gasMax}.` };
  }
  if (gasLimit * parseGwei(maxFee) > feeMax) {
    return { refused: `Its ${gasLimit} gas at ${maxFee} gwei cost more than the service lets.` };
  }
  const isKnown = saved > 0;
  return {
    gasLimit: gasLimit.toString(),
    ...(isKnown ? { gasSavedPerLine: Math.round(saved) } : {}),
  };
}

/** NaN if the service estimates none. */
function gasIn(levels: Estimated, field: keyof LevelEstimates): number {
  return 'refused' in levels ? Number.NaN : Number(levels[field].gasLimit);
}

/** A call that the service refuses to estimate cannot be paid now. */
function refusedBy(error: unknown): { refused: string } {
  if (!(error instanceof RefusedError) || error.status !== 400) throw error;
  return { refused: `The service estimates no fee for it: ${error.message}` };
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
