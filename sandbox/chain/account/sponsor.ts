import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hexToNumber,
  keccak256,
  pad,
  slice,
  zeroAddress,
} from 'viem';
import type { Chain } from '../chain';
import { handleOps } from './bundle';
import type { UserOperation } from './operation';

const signedParameters = [
  { type: 'bytes', name: 'coveredFields' },
  { type: 'uint256', name: 'chainId' },
  { type: 'address', name: 'paymaster' },
  { type: 'uint256', name: 'paymasterNonce' },
  { type: 'uint48', name: 'validUntil' },
  { type: 'uint48', name: 'validAfter' },
] as const;

/** The paymaster's agreement to pay for the operation as it stands. Without any limit in time. */
export async function sponsor(
  chain: Pick<Chain, 'chainId' | 'contracts' | 'operators'>,
  options: { userOperation: UserOperation; paymasterNonce: bigint },
): Promise<Hex> {
  const { paymaster } = chain.contracts;
  const prefix = concat([paymaster, pad('0x', { size: 64 })]);
  const signed = encodeAbiParameters(signedParameters, [
    coveredFields(options.userOperation, prefix),
    BigInt(chain.chainId),
    paymaster,
    options.paymasterNonce,
    0,
    0,
  ]);
  const signature = await chain.operators.paymasterSigner.signMessage({
    message: { raw: keccak256(signed) },
  });
  return concat([prefix, signature]);
}

const wordBytes = 32;
const signatureBytes = 65;
/** Selector, two arguments, length of the list and place of its one operation. */
const bytesBeforeOperation = 4 + 4 * wordBytes;
/** The tenth field of the operation. */
const paymasterDataWord = 9;

/**
 * Returns the bytes that the paymaster signs: the operation in the entry point's call, up to the
 * paymaster's own field. They include the offset of the signature. So that field must already have
 * its final length.
 */
function coveredFields(userOperation: UserOperation, prefix: Hex): Hex {
  const paymasterAndData = concat([prefix, pad('0x', { size: signatureBytes })]);
  const call = encodeFunctionData({
    ...handleOps,
    args: [[{ ...userOperation, paymasterAndData }], zeroAddress],
  });
  const operation = slice(call, bytesBeforeOperation);
  const offsetStart = paymasterDataWord * wordBytes;
  return slice(operation, 0, hexToNumber(slice(operation, offsetStart, offsetStart + wordBytes)));
}
