import { type Hex, hexToBytes } from 'viem';

/** The most that one transaction may ask for since Osaka (EIP-7825). */
export const transactionGasMax = 16_777_216n;
/** The gas that a block can hold. */
export const blockGasMax = 30_000_000n;
/** The most bytes that the creation of a contract may have (EIP-3860). */
export const initCodeMax = 49_152;

const transactionGas = 21_000n;

type Parts = { isCreation?: boolean; accounts?: number; slots?: number; delegations?: number };

/**
 * The least gas with which a transaction is valid (EIP-7623). It leaves its call next to none.
 * Accounts and slots are those of its access list.
 */
export function leastGas(data: Hex, parts: Parts = {}): bigint {
  const { isCreation = false, accounts = 0, slots = 0, delegations = 0 } = parts;
  const bytes = hexToBytes(data);
  const zeros = bytes.filter((byte) => byte === 0).length;
  const tokens = BigInt(zeros + 4 * (bytes.length - zeros));
  const creation = isCreation ? 32_000 + 2 * Math.ceil(bytes.length / 32) : 0;
  const parted = creation + 2_400 * accounts + 1_900 * slots + 25_000 * delegations;
  const [floor, whole] = [10n * tokens, 4n * tokens + BigInt(parted)];
  return transactionGas + (whole > floor ? whole : floor);
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
