import { type Address, getContractAddress, type Hex, parseAbi } from 'viem';
import type { Contracts } from './contracts';

/** Puts any creation code on the chain with CREATE2. */
export const codeDeployerAbi = parseAbi([
  'function deploy(bytes32 salt, bytes code) returns (address)',
  'event Deployed(address indexed deployed, bytes32 salt, address deployer)',
]);

/** The address at which the deployer puts the code, computed as the deployer does. */
export function predictCode(
  { codeDeployer: from }: Pick<Contracts, 'codeDeployer'>,
  { code: bytecode, salt }: { code: Hex; salt: Hex },
): Address {
  return getContractAddress({ opcode: 'CREATE2', from, salt, bytecode });
}
