import { formatUnits, parseGwei } from 'viem';
import type {
  EstimatedFee,
  FeeLevel,
  FeeParameters,
  LevelEstimates,
} from '../../../src/custody/objects/transaction';
import type { UserOperationEstimate } from '../../chain/account/userOperation';
import type { Fees } from '../../chain/estimateCall';
import type { TransactionRow } from '../../store/records/records';

/** Tips by fee level, as hosted estimates on Arc give them. */
const priorityFees: Readonly<Record<FeeLevel, bigint>> = {
  LOW: parseGwei('2.74'),
  MEDIUM: parseGwei('3.39'),
  HIGH: parseGwei('4.45'),
};

const nativeDecimals = 18;
const gweiDecimals = 9;

/** The offer of a transaction: twice the base fee, and the level's tip. */
export function feesOf(level: FeeLevel, baseFeePerGas: bigint): Fees {
  const maxPriorityFeePerGas = priorityFees[level];
  return { maxFeePerGas: 2n * baseFeePerGas + maxPriorityFeePerGas, maxPriorityFeePerGas };
}

/** The offer of the transaction's own request. */
export function offeredFees(row: TransactionRow, baseFeePerGas: bigint): Fees {
  const { feeLevel = 'MEDIUM', maxFeePerGas, maxPriorityFeePerGas } = row;
  return maxFeePerGas === undefined || maxPriorityFeePerGas === undefined
    ? feesOf(feeLevel, baseFeePerGas)
    : {
        maxFeePerGas: BigInt(maxFeePerGas),
        maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
      };
}

/** The estimate on a record: prices in gwei, the fee in the native coin. */
export function toEstimatedFee(gasLimit: bigint, fees: Fees, baseFeePerGas: bigint): EstimatedFee {
  return {
    gasLimit: gasLimit.toString(),
    networkFee: formatUnits(gasLimit * fees.maxFeePerGas, nativeDecimals),
    baseFee: formatUnits(baseFeePerGas, gweiDecimals),
    priorityFee: formatUnits(fees.maxPriorityFeePerGas, gweiDecimals),
    maxFee: formatUnits(fees.maxFeePerGas, gweiDecimals),
  };
}

/** The cost of a call with this much gas, at each level. */
export function estimatesOf(gasLimit: bigint, baseFeePerGas: bigint): LevelEstimates {
  return byLevel(baseFeePerGas, (fees) => {
    const raw = gasLimit * (baseFeePerGas + fees.maxPriorityFeePerGas);
    return {
      ...toEstimatedFee(gasLimit, fees, baseFeePerGas),
      networkFeeRaw: formatUnits(raw, nativeDecimals),
    };
  });
}

/** The price of gas at each level. */
export function feeParametersOf(baseFeePerGas: bigint): FeeParameters {
  return byLevel(baseFeePerGas, (fees) => {
    const { baseFee, priorityFee, maxFee } = toEstimatedFee(0n, fees, baseFeePerGas);
    return { baseFee, priorityFee, maxFee };
  });
}

function byLevel<Value>(baseFeePerGas: bigint, toValue: (fees: Fees) => Value) {
  const of = (level: FeeLevel) => toValue(feesOf(level, baseFeePerGas));
  return { low: of('LOW'), medium: of('MEDIUM'), high: of('HIGH') };
}

/** An operation's gas as the entry point prefunds it with a paymaster. */
export function operationGas(estimate: UserOperationEstimate): bigint {
  return estimate.callGasLimit + 3n * estimate.verificationGasLimit + estimate.preVerificationGas;
}

/** The price paid, as the record shows it. */
export function toNetworkFee(paid: bigint): string {
  return formatUnits(paid, nativeDecimals);
}

/** An offer that no block accepts: less than its base fee. */
export function underpricedFees(baseFeePerGas: bigint): Fees {
  return { maxFeePerGas: baseFeePerGas / 2n, maxPriorityFeePerGas: 0n };
}

/** True of fees that no block takes. */
export function isUnderpriced(fees: Fees, baseFeePerGas: bigint): boolean {
  return fees.maxFeePerGas < baseFeePerGas;
}

/** True of fees that are no less than those of the level HIGH. */
export function isHigh(fees: Fees, baseFeePerGas: bigint): boolean {
  const high = feesOf('HIGH', baseFeePerGas);
  return (
    fees.maxFeePerGas >= high.maxFeePerGas && fees.maxPriorityFeePerGas >= high.maxPriorityFeePerGas
  );
}

/** The offer of a replacement: at least HIGH, and an eighth more than the replaced one. */
export function replacementFees(replaced: Fees, baseFeePerGas: bigint): Fees {
  const high = feesOf('HIGH', baseFeePerGas);
  return {
    maxFeePerGas: higher(high.maxFeePerGas, raised(replaced.maxFeePerGas)),
    maxPriorityFeePerGas: higher(high.maxPriorityFeePerGas, raised(replaced.maxPriorityFeePerGas)),
  };
}

/** Nodes want a tenth at least. */
function raised(fee: bigint): bigint {
  return fee + fee / 8n;
}

function higher(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
