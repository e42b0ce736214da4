import { type Address, concat, getContractAddress, type Hex, parseAbi } from 'viem';
import type { Contracts } from './contracts';

/** Deploys a template as a clone of its implementation and initialises it, in one call. */
export const templateFactoryAbi = parseAbi([
  'function deploy(address implementation, bytes initializer, bytes32 salt) returns (address)',
  'function predict(address implementation, bytes32 salt) view returns (address)',
  'event Deployed(address indexed clone, address implementation, bytes32 salt, address deployer)',
]);

/** The address at which the factory puts the clone, computed as the factory does. */
export function predictClone(
  contracts: Pick<Contracts, 'templateFactory'>,
  { implementation, salt }: { implementation: Address; salt: Hex },
): Address {
  return getContractAddress({
    opcode: 'CREATE2',
    from: contracts.templateFactory,
    salt,
    bytecode: concat([cloneCodeStart, implementation, cloneCodeEnd]),
  });
}

/** ERC-1167: code that delegates every call to the address in its middle. */
const cloneCodeStart = '0x3d602d80600a3d3981f3363d3d373d3d3d363d73';
const cloneCodeEnd = '0x5af43d82803e903d91602b57fd5bf3';
const clonePattern = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/;

/** The address that deployed code delegates every call to. Undefined if the code is no clone. */
export function implementationOf(code: Hex): Address | undefined {
  const [, address] = code.toLowerCase().match(clonePattern) ?? [];
  return address === undefined ? undefined : `0x${address}`;
}
