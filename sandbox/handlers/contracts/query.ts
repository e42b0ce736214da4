import {
  type Abi,
  type AbiFunction,
  type AbiParameter,
  BaseError,
  decodeAbiParameters,
  getAddress,
  isAddressEqual,
  isHex,
  RpcRequestError,
  toFunctionSelector,
} from 'viem';
import { sharesBytes } from '../../../src/custody/abi/sharedBytes';
import type { Input, Output } from '../../../src/custody/endpoints';
import { coinAbi } from '../../chain/genesis/abi';
import { isReadFault } from '../../chain/node/nodeFault';
import { decodeRevertReason } from '../../chain/revert';
import { fault } from '../../errors/errors';
import type { Hex } from '../../store/records/records';
import type { Service } from '../service';
import { callData, readFunction } from './abiCall';
import { abiOf, parseAbiJson } from './contractAbi';
import { contractAddress, knownContract, requireAddress } from './knownContract';

type Query = Input<'queryContract'>;

/** Asks a contract something. What it returns is told in words where its interface is known. */
export async function query(service: Service, input: Query): Promise<Output<'queryContract'>> {
  const { client } = service.chain;
  const to = contractAddress(service, input);
  const from =
    input.fromAddress === undefined ? {} : { account: requireAddress(input.fromAddress) };
  const known = knownContract(service, to);
  const abi = input.abiJson === undefined ? known && abiOf(known) : parseAbiJson(input.abiJson);
  const data = callData(input, 'contracts');
  const item = functionIn(abi, data) ?? givenFunction(service, input, abi);
  if ((await client.getCode({ address: to })) === undefined) throw fault('notAContract');
  const answer = await client.call({ to, data, ...from }).catch((error: unknown) => {
    // Only the contract's own refusal is final. What is wrong with the node may pass.
    throw isReadFault(error) ? error : fault('queryFailed', 'contracts', revertReason(error));
  });
  const outputData = answer.data ?? '0x';
  return { outputValues: item === undefined ? [] : decode(item, outputData), outputData };
}

function functionIn(abi: Abi | undefined, data: Hex): AbiFunction | undefined {
  const selector = data.slice(0, 10);
  return abi
    ?.filter((item) => item.type === 'function')
    .find((item) => toFunctionSelector(item) === selector);
}

/** The function of the given signature. A known interface must have that function. */
function givenFunction(
  { chain }: Service,
  { address, abiFunctionSignature }: Query,
  abi: Abi | undefined,
): AbiFunction | undefined {
  if (abiFunctionSignature === undefined) return undefined;
  if (abi !== undefined) throw fault('noFunction', 'contracts', abiFunctionSignature);
  const given = readFunction(abiFunctionSignature, 'contracts');
  if (given.outputs.length > 0) return given;
  const isCoin = [chain.contracts.usdc, chain.contracts.eurc].some((coin) =>
    isAddressEqual(coin, getAddress(address)),
  );
  return isCoin ? functionIn(coinAbi, toFunctionSelector(given)) : undefined;
}

/**
 * The values: whole numbers as decimal strings whatever their size, structs as lists. The caller
 * chooses the types, and by them two thousand parts could be the same large one.
 */
function decode({ outputs }: AbiFunction, data: Hex): unknown[] {
  try {
    if (sharesBytes(outputs, data)) throw new RangeError('Parts of the answer share bytes.');
    return inWords(decodeAbiParameters(outputs.map(unnamed), data));
  } catch {
    throw fault('queryFailed', 'contracts', 'the answer does not fit the outputs of the function');
  }
}

/** Without the names of its fields, a struct is decoded into a list. */
function unnamed(parameter: AbiParameter): AbiParameter {
  const { type } = parameter;
  return 'components' in parameter
    ? { type, components: parameter.components.map(unnamed) }
    : { type };
}

function inWords(values: readonly unknown[]): unknown[] {
  return values.map((value) => {
    if (Array.isArray(value)) return inWords(value);
    return typeof value === 'bigint' || typeof value === 'number' ? value.toString() : value;
  });
}

function revertReason(error: unknown): string {
  const answer =
    error instanceof BaseError ? error.walk((one) => one instanceof RpcRequestError) : undefined;
  if (!(answer instanceof RpcRequestError)) return 'the call reverted';
  const data = answer.data;
  return isHex(data) ? decodeRevertReason(data) : answer.details;
}
