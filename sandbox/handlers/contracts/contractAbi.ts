import {
  type Abi,
  type AbiParameter,
  type Address,
  isAddressEqual,
  toEventSignature,
  toFunctionSignature,
} from 'viem';
import { z } from 'zod';
import { isElementary } from '../../../src/custody/abi/elementary';
import { accountFactoryAbi, coinAbi, memoAbi, multicall3FromAbi } from '../../chain/genesis/abi';
import { precompiled, templates } from '../../chain/genesis/artifacts';
import type { Contracts } from '../../chain/genesis/contracts';
import { implementationOf } from '../../chain/genesis/template';
import { fault } from '../../errors/errors';
import type { ContractRow } from '../../store/records/contractRecord';
import type { Hex } from '../../store/records/records';
import { isDeeper } from '../json';
import type { Service } from '../service';
import { templateContract } from './template';

const parameters = z.array(z.looseObject({ type: z.string() }));
const named = { name: z.string(), inputs: parameters };
const itemSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('function'), ...named }),
  z.looseObject({ type: z.literal('event'), ...named }),
  z.looseObject({ type: z.literal('error'), ...named }),
  z.looseObject({ type: z.literal('constructor'), inputs: parameters.optional() }),
  z.looseObject({ type: z.enum(['fallback', 'receive']) }),
]);

/** An interface in JSON. Refused with 175007 where it is none. */
export function parseAbiJson(text: string): Abi {
  try {
    const abi: unknown = JSON.parse(text);
    if (Array.isArray(abi) && !isDeeper(abi) && z.array(itemSchema).safeParse(abi).success) {
      requireSignatures(abi);
      return abi;
    }
  } catch {
    // Refused below.
  }
  throw fault('invalidAbiJson');
}

/** Throws where a type is none: no signature could be made of it later. */
function requireSignatures(abi: Abi): void {
  for (const item of abi) {
    if (item.type === 'event') toEventSignature(item);
    if (item.type === 'function') toFunctionSignature(item);
    if (item.type === 'constructor') (item.inputs ?? []).forEach(requireType);
  }
}

/** Values are packed for these types. Functions of a library may have others. */
function requireType(parameter: AbiParameter): void {
  const [, base = ''] = /^([a-z]+\d*)(?:\[(?:0|[1-9]\d*)?\])*$/.exec(parameter.type) ?? [];
  if (base === 'tuple' && 'components' in parameter) parameter.components.forEach(requireType);
  else if (!isElementary(base)) throw new TypeError(`${parameter.type} is no type`);
}

/** The interface of a contract that has a record, if it is known. */
export function abiOf({ templateId, abiJson }: ContractRow): Abi | undefined {
  if (templateId !== undefined) return templates[templateContract(templateId)].abi;
  return abiJson === undefined ? undefined : parseAbiJson(abiJson);
}

/**
 * The interface of a contract without a record, if it is known. Known are the sandbox's own
 * contracts, code deployed here with its interface, and clones of these. Refuses an address without
 * a contract (175005) and a clone of a clone (175008).
 */
export async function findAbi(parts: Service, address: Address): Promise<Abi | undefined> {
  const code = await requireCode(parts, address);
  const implementation = implementationOf(code);
  if (implementation === undefined) return abiOfCode(parts, { address, code });
  const cloned = await requireCode(parts, implementation);
  if (implementationOf(cloned) !== undefined) throw fault('nestedProxy');
  return abiOfCode(parts, { address: implementation, code: cloned });
}

async function requireCode({ chain }: Service, address: Address): Promise<Hex> {
  const code = await chain.client.getCode({ address });
  if (code === undefined) throw fault('notAContract');
  return code;
}

async function abiOfCode(
  { store, chain }: Service,
  { address, code }: { address: Address; code: Hex },
): Promise<Abi | undefined> {
  const own = ownContracts(chain.contracts).find(([at]) => isAddressEqual(at, address));
  if (own !== undefined) return own[1];
  const deployed = store.contracts.where('inputType', 'BYTECODE').filter(({ mined }) => mined);
  const codes = await Promise.all(
    deployed.map(({ contractAddress }) => chain.client.getCode({ address: contractAddress })),
  );
  const twin = deployed.find((_, index) => codes[index] === code);
  return twin && abiOf(twin);
}

/** The contracts of the chain's first block. */
function ownContracts(contracts: Contracts): (readonly [Address, Abi])[] {
  const { EntryPoint, VerifyingPaymaster } = precompiled;
  return [
    [contracts.usdc, coinAbi],
    [contracts.eurc, coinAbi],
    [contracts.multicall3From, multicall3FromAbi],
    [contracts.memo, memoAbi],
    [contracts.entryPoint, EntryPoint.abi],
    [contracts.accountFactory, accountFactoryAbi],
    [contracts.paymaster, VerifyingPaymaster.abi],
    [contracts.templates.TokenERC20, templates.TokenERC20.abi],
    [contracts.templates.TokenERC721, templates.TokenERC721.abi],
    [contracts.templates.TokenERC1155, templates.TokenERC1155.abi],
    [contracts.templates.Airdrop, templates.Airdrop.abi],
  ];
}
