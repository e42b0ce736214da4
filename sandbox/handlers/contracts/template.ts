import { type Address, encodeFunctionData, getAddress, keccak256, toHex, zeroAddress } from 'viem';
import { z } from 'zod';
import type { Input } from '../../../src/custody/endpoints';
import { toBaseUnits } from '../../../src/custody/objects/amount';
import { templateIds } from '../../../src/custody/objects/template';
import type { Chain } from '../../chain/chain';
import { type TemplateName, templates } from '../../chain/genesis/artifacts';
import { predictClone, templateFactoryAbi } from '../../chain/genesis/template';
import { fault } from '../../errors/errors';
import type { Hex, PlannedDeployment } from '../../store/records/records';
import { isValidAddress } from '../address';

const address = z
  .custom<Address>((value) => typeof value === 'string' && isValidAddress(value))
  .transform((text) => getAddress(text));

/** A basis point is a ten-thousandth. */
const basisPointDecimals = 4;

/** A fraction, as a number or as text (0.1 means 10 percent). What has no basis points is refused. */
const basisPoints = z.union([z.string(), z.number()]).transform((fraction, context) => {
  try {
    const points = toBaseUnits(String(fraction), basisPointDecimals);
    if (points <= toBaseUnits('1', basisPointDecimals)) return points;
  } catch {
    // Not a decimal, or too fine for basis points: refused like a fraction above 1.
  }
  context.addIssue({ code: 'custom', message: 'Not a fraction in basis points.' });
  return z.NEVER;
});

const tokenShape = {
  name: z.string().min(1),
  symbol: z.string().optional(),
  defaultAdmin: address,
  primarySaleRecipient: address,
  platformFeeRecipient: address.optional(),
  platformFeePercent: basisPoints.optional(),
  contractUri: z.string().optional(),
  trustedForwarders: z.array(address).optional(),
};
const tokenSchema = z.strictObject(tokenShape);
const itemSchema = z.strictObject({
  ...tokenShape,
  royaltyRecipient: address,
  royaltyPercent: basisPoints,
});
const airdropSchema = z.strictObject({ defaultAdmin: address, contractURI: z.string().optional() });

/** Arguments that the tokens' `initialize` begins with, in its order. */
function tokenArguments(given: z.output<typeof tokenSchema>): unknown[] {
  return [
    given.defaultAdmin,
    given.name,
    given.symbol ?? '',
    given.contractUri ?? '',
    given.trustedForwarders ?? [],
    given.primarySaleRecipient,
  ];
}

/** Unlike the fungible token's, theirs takes the fee before its recipient. */
function itemArguments(given: z.output<typeof itemSchema>): unknown[] {
  return [
    ...tokenArguments(given),
    given.royaltyRecipient,
    given.royaltyPercent,
    given.platformFeePercent ?? 0n,
    given.platformFeeRecipient ?? zeroAddress,
  ];
}

type Given = Record<string, unknown>;

/** The contract a family's clones delegate to, and the call that initialises one. */
type Template = { contract: TemplateName; initializer: (given: Given) => Hex };

/** The families of templates by their ids, with their parameters. */
const families: Readonly<Record<string, Template>> = {
  [templateIds.fungible]: template('TokenERC20', tokenSchema, (given) => [
    ...tokenArguments(given),
    given.platformFeeRecipient ?? zeroAddress,
    given.platformFeePercent ?? 0n,
  ]),
  [templateIds.uniqueItem]: template('TokenERC721', itemSchema, itemArguments),
  [templateIds.multiToken]: template('TokenERC1155', itemSchema, itemArguments),
  [templateIds.airdrop]: template(
    'Airdrop',
    airdropSchema,
    ({ defaultAdmin, contractURI = '' }) => [defaultAdmin, contractURI],
  ),
};

function template<Schema extends z.ZodObject>(
  contract: TemplateName,
  schema: Schema,
  toArguments: (parameters: z.output<Schema>) => unknown[],
): Template {
  const { abi } = templates[contract];
  return {
    contract,
    initializer: (given) =>
      encodeFunctionData({
        abi,
        functionName: 'initialize',
        args: toArguments(readParameters(schema, given)),
      }),
  };
}

/** The contract that a template deploys clones of. Refuses an id that is no template's. */
export function templateContract(templateId: string): TemplateName {
  return templateOf(templateId).contract;
}

function templateOf(templateId: string): Template {
  const found = Object.hasOwn(families, templateId) ? families[templateId] : undefined;
  if (found === undefined) throw fault('noTemplate');
  return found;
}

/** Checks the parameters of a template. Refuses as the service does, naming them. */
function readParameters<Schema extends z.ZodObject>(
  schema: Schema,
  given: Given,
): z.output<Schema> {
  const missing = Object.entries(schema.shape)
    .filter(([name, type]) => isEmpty(given[name]) && !z.safeParse(type, undefined).success)
    .map(([name]) => name);
  if (missing.length > 0) throw fault('parameterMissing', 'contracts', missing.join(', '));
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const names = parsed.error.issues.map((issue) =>
      issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : issue.path.join('.'),
    );
    throw fault('parameterInvalid', 'contracts', names.join(', '));
  }
  if (given.platformFeePercent !== undefined && given.platformFeeRecipient === undefined) {
    const detail = 'platformFeePercent needs platformFeeRecipient';
    throw fault('parameterInvalid', 'contracts', detail);
  }
  return parsed.data;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/**
 * The call that deploys a template: a clone, initialised with the parameters, at an address that
 * follows from the contract's id. Refuses parameters that are not the template's.
 */
export function deployCall(
  chain: Pick<Chain, 'contracts'>,
  { id, templateParameters = {} }: Pick<Input<'deployTemplate'>, 'id' | 'templateParameters'>,
  contractId: string,
): PlannedDeployment {
  const { contract, initializer } = templateOf(id);
  const implementation = chain.contracts.templates[contract];
  const salt = keccak256(toHex(contractId));
  const args = [implementation, initializer(templateParameters), salt] as const;
  return {
    call: {
      to: chain.contracts.templateFactory,
      value: '0',
      data: encodeFunctionData({ abi: templateFactoryAbi, functionName: 'deploy', args }),
    },
    contractAddress: predictClone(chain.contracts, { implementation, salt }),
    abiFunctionSignature: 'deploy(address,bytes,bytes32)',
  };
}
