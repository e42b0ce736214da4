import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  toHex,
} from 'viem';
import { remember } from '../remember';
import { accountAbi } from './abi';
import type { Artifacts } from './artifacts';
import type { Contracts } from './contracts';

/**
 * Where the factory creates the account of an owner, whether it has done so or not; the salt tells
 * apart several accounts of one owner.
 */
export type AccountAddress = (owner: Address, salt: bigint) => Address;

const keptMax = 10_000;

/** Computes addresses of accounts as the factory does, without asking it. */
export function createAccountAddress(
  { ERC1967Proxy }: Pick<Artifacts, 'ERC1967Proxy'>,
  contracts: Pick<Contracts, 'accountFactory' | 'accountImplementation'>,
): AccountAddress {
  const computed = remember(keptMax, (place): Address => {
    const [owner = '', salt = ''] = place.split('/');
    const initializer = encodeFunctionData({
      abi: accountAbi,
      functionName: 'initialize',
      args: [getAddress(owner)],
    });
    const constructorArguments = encodeAbiParameters(
      [{ type: 'address' }, { type: 'bytes' }],
      [contracts.accountImplementation, initializer],
    );
    return getContractAddress({
      opcode: 'CREATE2',
      from: contracts.accountFactory,
      salt: toHex(BigInt(salt), { size: 32 }),
      bytecode: concat([ERC1967Proxy.bytecode, constructorArguments]),
    });
  });
  return (owner, salt) => computed(`${owner}/${salt}`);
}
