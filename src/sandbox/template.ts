import {
  type Address,
  encodeFunctionData,
  isAddress,
  keccak256,
  parseAbi,
  toHex,
  zeroAddress,
} from 'viem';
import { z } from 'zod';
import type { Chain } from './chain/chain';
import { predictClone, templateFactoryAbi } from './chain/template';
import { refusal } from './errors';
import type { Hex } from './records';

const address = z.custom<Address>((value) => typeof value === 'string' && isAddress(value));
/** A fraction, as a number or as text; 0.1 means 10 percent. */
const fraction = z.coerce.number().min(0).max(1);

/** The fungible token's parameters and their rules: the interface document's own table. */
const fungible = z.strictObject({
  name: z.string().min(1),
  symbol: z.string().optional(),
  defaultAdmin: address,
  primarySaleRecipient: address,
  platformFeeRecipient: address.optional(),
  platformFeePercent: fraction.optional(),
  contractUri: z.string().optional(),
  trustedForwarders: z.array(address).optional(),
});
export type FungibleParameters = z.output<typeof fungible>;

const basisPoints = 10_000;

/** TokenERC20's own, in its order (hosted-service facts §6). */
const initializeAbi = parseAbi([
  'function initialize(address defaultAdmin, string name, string symbol, string contractURI, address[] trustedForwarders, address primarySaleRecipient, address platformFeeRecipient, uint256 platformFeeBps)',
]);

/** Checks the parameters of a fungible token; refuses as the service does, naming the parameter. */
export function readFungible(given: Record<string, unknown>): FungibleParameters {
  for (const name of ['name', 'defaultAdmin', 'primarySaleRecipient']) {
    if (given[name] === undefined || given[name] === '') {
      throw refusal(175204, `template parameter missing: ${name}`);
    }
  }
  const parsed = fungible.safeParse(given);
  if (!parsed.success) {
    const names = parsed.error.issues.map((issue) =>
      issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : issue.path.join('.'),
    );
    throw refusal(175203, `template parameter invalid: ${names.join(', ')}`);
  }
  const { data } = parsed;
  if (data.platformFeePercent !== undefined && data.platformFeeRecipient === undefined) {
    throw refusal(
      175203,
      'template parameter invalid: platformFeePercent needs platformFeeRecipient',
    );
  }
  return data;
}

/** The call that deploys a clone and initialises it, and the address where it will be. */
export function deployCall(
  chain: Chain,
  deployment: { parameters: FungibleParameters; contractId: string },
) {
  const { parameters, contractId } = deployment;
  const implementation = chain.contracts.templates.TokenERC20;
  const salt = keccak256(toHex(contractId));
  const initializer = encodeFunctionData({
    abi: initializeAbi,
    functionName: 'initialize',
    args: [
      parameters.defaultAdmin,
      parameters.name,
      parameters.symbol ?? '',
      parameters.contractUri ?? '',
      parameters.trustedForwarders ?? [],
      parameters.primarySaleRecipient,
      parameters.platformFeeRecipient ?? zeroAddress,
      BigInt(Math.round((parameters.platformFeePercent ?? 0) * basisPoints)),
    ],
  });
  const call: { to: Hex; value: string; data: Hex } = {
    to: chain.contracts.templateFactory,
    value: '0',
    data: encodeFunctionData({
      abi: templateFactoryAbi,
      functionName: 'deploy',
      args: [implementation, initializer, salt],
    }),
  };
  return {
    call,
    contractAddress: predictClone(chain.contracts, { implementation, salt }),
    abiFunctionSignature: 'deploy(address,bytes,bytes32)',
    abiParameters: [implementation, initializer, salt],
  };
}
