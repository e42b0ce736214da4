import { type Hex, hexToBytes } from 'viem';

/** The most that one transaction may ask for since Osaka (EIP-7825). */
export const transactionGasMax = 16_777_216n;
/** The gas that a block can hold. */
export const blockGasMax = 30_000_000n;

const transactionGas = 21_000n;

/** The least gas with which a transaction is valid (EIP-7623). It leaves its call next to none. */
export function leastGas(data: Hex): bigint {
  const bytes = hexToBytes(data);
  const zeros = bytes.filter((byte) => byte === 0).length;
  const tokens = BigInt(zeros + 4 * (bytes.length - zeros));
  return transactionGas + 10n * tokens;
}

/** The gas that the first block can hold. Every contract of the chain begins in it. */
export const genesisGasMax = 60_000_000n;

/**
 * The call needs more gas than any transaction can hold. It would wait for ever, and block
 * everything behind it.
 */
export class GasLimitExceededError extends Error {
  override readonly name = 'GasLimitExceededError';

  constructor(gas: bigint) {
    super(
      `The call needs a transaction of at least ${gas} gas, ` +
        `but one may have ${transactionGasMax} at most.`,
    );
  }
}

/** The call needs more gas than its request allows it. */
export class GasLimitTooLowError extends Error {
  override readonly name = 'GasLimitTooLowError';

  constructor(facts: { gasLimit: bigint; needed: bigint }) {
    super(`The call needs ${facts.needed} gas, but its gasLimit is ${facts.gasLimit}.`);
  }
}

/** Throws unless a transaction may ask for this much gas. */
export function requireFit(gas: bigint): void {
  if (gas > transactionGasMax) throw new GasLimitExceededError(gas);
}
