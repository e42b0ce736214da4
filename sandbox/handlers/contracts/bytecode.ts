import {
  type Abi,
  type AbiParameter,
  concat,
  encodeFunctionData,
  keccak256,
  parseAbiItem,
  toHex,
} from 'viem';
import { encodeParameters } from '../../../src/custody/abi/callData';
import type { Input } from '../../../src/custody/endpoints';
import type { Chain } from '../../chain/chain';
import { codeDeployerAbi, predictCode } from '../../chain/genesis/codeDeployer';
import { callsNativeMover } from '../../chain/genesis/nativeCalls';
import { fault } from '../../errors/errors';
import type { Hex, PlannedDeployment } from '../../store/records/records';
import { parseAbiJson } from './contractAbi';

/** The facts of a contract to deploy, as `POST /contracts/deploy` takes them. */
type Creation = Pick<
  Input<'estimateContractDeployment'>,
  'bytecode' | 'abiJson' | 'constructorSignature' | 'constructorParameters'
>;

const nativeWords = 'bytecode: calls 0xfd, which only USDC may call on this chain';

/**
 * The call that deploys bytecode, with the parameters of its constructor behind it, at an address
 * that follows from those and the contract's id. Refuses what the constructor does not take, as the
 * service does: 175003, 175007, 177008, 177015.
 */
export function deployCodeCall(
  { contracts }: Pick<Chain, 'contracts'>,
  creation: Creation,
  contractId: string,
): PlannedDeployment {
  const code = codeOf(creation);
  if (callsNativeMover(code)) throw fault('abiMismatch', 'contracts', nativeWords);
  const salt = keccak256(toHex(contractId));
  const args = [salt, code] as const;
  return {
    call: {
      to: contracts.codeDeployer,
      value: '0',
      data: encodeFunctionData({ abi: codeDeployerAbi, functionName: 'deploy', args }),
    },
    contractAddress: predictCode(contracts, { code, salt }),
    abiFunctionSignature: 'deploy(bytes32,bytes)',
  };
}

function codeOf(creation: Creation): Hex {
  const { bytecode, constructorParameters = [] } = creation;
  const types = constructorTypes(creation);
  if (bytecode === '0x') throw fault('noBytecode');
  if (types.length !== constructorParameters.length) {
    const counts = `${types.length} expected, ${constructorParameters.length} given`;
    throw fault('constructorLength', 'contracts', counts);
  }
  try {
    const parameters = encodeParameters(types, constructorParameters);
    return concat([`0x${bytecode.slice(2)}`, parameters]);
  } catch (error) {
    const [words] = error instanceof Error ? error.message.split('\n') : [];
    throw fault('abiMismatch', 'contracts', words);
  }
}

/** The constructor's types: from its signature, else from the interface, else none. */
function constructorTypes({ abiJson, constructorSignature }: Creation): readonly AbiParameter[] {
  const abi: Abi = abiJson === undefined ? [] : parseAbiJson(abiJson);
  if (constructorSignature !== undefined) return typesIn(constructorSignature);
  return abi.find((item) => item.type === 'constructor')?.inputs ?? [];
}

function typesIn(signature: string): readonly AbiParameter[] {
  try {
    const item = parseAbiItem(signature);
    if (item.type === 'constructor') return item.inputs;
  } catch {
    // Refused below, like the signature of anything else.
  }
  const words = `${signature} is not a constructor signature`;
  throw fault('abiMismatch', 'contracts', words);
}
