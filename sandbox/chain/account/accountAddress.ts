import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  toHex,
} from 'viem';
import { accountAbi } from '../genesis/abi';
import type { Artifacts } from '../genesis/artifacts';
import type { Contracts } from '../genesis/contracts';
import { memoize } from '../memoize';

/**
 * The address at which the factory creates an owner's account, before or after it exists. The salt
 * distinguishes several accounts of one owner.
 */
export type AccountAddress = (owner: Address, salt: bigint) => Address;

const keptMax = 10_000;

/** Computes addresses of accounts as the factory does, without asking it. */
export function createAccountAddress(
  { ERC1967Proxy }: Pick<Artifacts, 'ERC1967Proxy'>,
  contracts: Pick<Contracts, 'accountFactory' | 'accountImplementation'>,
): AccountAddress {
  const computed = memoize(keptMax, (place): Address => {
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
