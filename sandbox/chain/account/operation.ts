import type { Address, Hex } from 'viem';

/** A user operation as the entry point of version 0.6 takes it. */
export type UserOperation = {
  sender: Address;
  nonce: bigint;
  initCode: Hex;
  callData: Hex;
  callGasLimit: bigint;
  verificationGasLimit: bigint;
  preVerificationGas: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
  paymasterAndData: Hex;
  signature: Hex;
};

/** A signed operation as JSON. */
export type StoredOperation = {
  [Field in keyof UserOperation]: UserOperation[Field] extends bigint
    ? string
    : UserOperation[Field];
};

/** For the store. */
export function toStoredOperation(operation: UserOperation): StoredOperation {
  const { nonce, callGasLimit, verificationGasLimit, preVerificationGas, ...rest } = operation;
  return {
    ...rest,
    nonce: nonce.toString(),
    callGasLimit: callGasLimit.toString(),
    verificationGasLimit: verificationGasLimit.toString(),
    preVerificationGas: preVerificationGas.toString(),
    maxFeePerGas: rest.maxFeePerGas.toString(),
    maxPriorityFeePerGas: rest.maxPriorityFeePerGas.toString(),
  };
}

/** From the store. */
export function fromStoredOperation(operation: StoredOperation): UserOperation {
  const { nonce, callGasLimit, verificationGasLimit, preVerificationGas, ...rest } = operation;
  return {
    ...rest,
    nonce: BigInt(nonce),
    callGasLimit: BigInt(callGasLimit),
    verificationGasLimit: BigInt(verificationGasLimit),
    preVerificationGas: BigInt(preVerificationGas),
    maxFeePerGas: BigInt(rest.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(rest.maxPriorityFeePerGas),
  };
}
