import { parseGwei } from 'viem';
import type { Input } from '../../../src/custody/endpoints';
import { isDecimal } from '../../../src/custody/objects/amount';
import { fault, type Side } from '../../errors/errors';
import type { TransactionRow, WalletRow } from '../../store/records/records';

/** The gas fields of a request, as they came. Prices are decimals of gwei. */
export type GasInput = Pick<
  Input<'executeContract'>,
  'feeLevel' | 'gasLimit' | 'maxFee' | 'priorityFee' | 'gasPrice'
>;

type Offer = Pick<
  TransactionRow,
  'feeLevel' | 'gasLimit' | 'maxFeePerGas' | 'maxPriorityFeePerGas'
>;

const gweiDecimals = 9;

/**
 * The gas offer of a request: a level (an EOA may add a limit), or an EOA's own prices and limit.
 * Refuses any other offer with its code. That includes a gasPrice, since this chain has EIP-1559
 * fees.
 */
export function readGas(input: GasInput, accountType: WalletRow['accountType'], side: Side): Offer {
  const { feeLevel, gasLimit, maxFee, priorityFee, gasPrice } = input;
  const isSca = accountType === 'SCA';
  const prices = [maxFee, priorityFee, gasPrice].filter((price) => price !== undefined);
  if (feeLevel !== undefined) {
    if (prices.length > 0 || (isSca && gasLimit !== undefined)) throw fault('levelAndFees', side);
    return gasLimit === undefined ? { feeLevel } : { feeLevel, gasLimit: limitOf(gasLimit) };
  }
  if (isSca) throw fault('noFeeLevel', side);
  if (gasLimit === undefined) throw fault('noFee', side);
  if (maxFee === undefined || priorityFee === undefined) throw fault('noFees', side);
  if (gasPrice !== undefined) throw fault('feeInvalid', side);
  const [maxFeePerGas, maxPriorityFeePerGas] = [weiOf(maxFee), weiOf(priorityFee)];
  if (maxFeePerGas === 0n) throw fault('feeInvalid', side);
  if (maxPriorityFeePerGas > maxFeePerGas) throw fault('priorityAboveMax', side);
  return {
    gasLimit: limitOf(gasLimit),
    maxFeePerGas: maxFeePerGas.toString(),
    maxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
  };
}

function limitOf(text: string): string {
  if (!/^[1-9]\d{0,17}$/.test(text)) throw fault('feeInvalid');
  return text;
}

function weiOf(gwei: string): bigint {
  const [, fraction = ''] = gwei.split('.');
  if (!isDecimal(gwei) || fraction.length > gweiDecimals) throw fault('feeInvalid');
  return parseGwei(gwei);
}
