import { formatUnits, parseUnits } from 'viem';
import type { Fees } from '../../chain/estimateCall';
import type { EngineParts } from '../parts';

/** The transaction offers more for gas than a transaction may. */
export class FeeAboveCapError extends Error {
  override readonly name = 'FeeAboveCapError';

  constructor({ offered, cap }: { offered: bigint; cap: string }) {
    const inCoins = formatUnits(offered, nativeDecimals);
    super(`The transaction offers ${inCoins} native coins for gas, but may offer ${cap} at most.`);
  }
}

const nativeDecimals = 18;

/** Throws if a transaction may not offer this much for gas. */
export function requireUnderCap(
  parts: Pick<EngineParts, 'settings'>,
  gas: bigint,
  fees: Fees,
): void {
  if (isUnderCap(parts, gas, fees)) return;
  const offered = gas * fees.maxFeePerGas;
  throw new FeeAboveCapError({ offered, cap: parts.settings.feeCap });
}

/** True if a transaction may offer this much for gas. */
export function isUnderCap(
  { settings }: Pick<EngineParts, 'settings'>,
  gas: bigint,
  { maxFeePerGas }: Fees,
): boolean {
  return gas * maxFeePerGas <= parseUnits(settings.feeCap, nativeDecimals);
}
