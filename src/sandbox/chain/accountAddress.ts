import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  type Hex,
  slice,
  toHex,
} from 'viem';
import { remember } from '../remember';
import { accountAbi } from './abi';
import { precompiled } from './artifacts';
import { accountFactoryAddress, accountImplementationAddress } from './contracts';

/**
 * Where the factory creates the account of an owner, whether it has done so or not; the salt tells
 * apart several accounts of one owner.
 */
export function accountAddress(owner: Address, salt: bigint): Address {
  return computed(`${owner}/${salt}`);
}

const keptMax = 10_000;

const computed = remember(keptMax, (place): Address => {
  const [owner = '', salt = ''] = place.split('/');
  const initializer = encodeFunctionData({
    abi: accountAbi,
    functionName: 'initialize',
    args: [getAddress(owner)],
  });
  const constructorArguments = encodeAbiParameters(
    [{ type: 'address' }, { type: 'bytes' }],
    [accountImplementationAddress, initializer],
  );
  return getContractAddress({
    opcode: 'CREATE2',
    from: accountFactoryAddress,
    salt: toHex(BigInt(salt), { size: 32 }),
    bytecode: concat([proxyCode, constructorArguments]),
  });
});

/**
 * Creation code of the account's proxy. Its package does not ship it, but the factory carries it,
 * and copies it to memory with these instructions: PUSH2 size, DUP1, PUSH2 offset, DUP4, CODECOPY.
 */
const proxyCode = cutProxyCode(precompiled.SimpleAccountFactory.deployedBytecode);

function cutProxyCode(factoryCode: Hex): Hex {
  const [, size, offset] = factoryCode.match(/61([0-9a-f]{4})8061([0-9a-f]{4})8339/) ?? [];
  if (size === undefined || offset === undefined) {
    throw new Error('The account factory does not carry the code of the account.');
  }
  const start = Number.parseInt(offset, 16);
  return slice(factoryCode, start, start + Number.parseInt(size, 16));
}
