import { z } from 'zod';
import { templateIds } from '../custody/objects/template';
import { amount, amountFault, everyOrder, recipient, walletId } from './input/fields';
import { settlement } from './input/settlement';
import { templateParameters } from './input/templates';
import { issueInWords } from './input/words';
import { brief, defineKind, type OrderWrite, type ResolvedWallet } from './kind';
import { deploymentOf, itemMintOf, mintOf } from './progress/doing';

const families = ['fungible', 'uniqueItem', 'multiToken', 'airdrop'] as const;

const templateWords = `${families.join(', ')}, or a template by its id.`;

/** One of the four families by name, or a template by its id. Becomes the id. */
const template = z
  .string()
  .meta({ description: templateWords })
  .transform((text, context) => {
    const family = families.find((known) => known === text);
    if (family !== undefined) return templateIds[family];
    if (z.uuid().safeParse(text).success) return text.toLowerCase();
    context.addIssue({
      code: 'custom',
      message: `is not a known template: give ${families.join(', ')} or the id of a template`,
    });
    return z.NEVER;
  });

/** The initial supply of a contract. Its fields depend on the template. */
const mint = z.strictObject({
  to: recipient.optional().describe('The deploying wallet, unless given.'),
  amount: amount.optional().describe("In the token's own units. Not for unique items."),
  uri: z.string().min(1).max(2_000).optional().describe('Metadata of the item. Not for fungibles.'),
});
export type InitialMint = z.output<typeof mint>;

/** The fields of every order that deploys. */
export const deployment = {
  template: template.default(templateIds.fungible),
  /** Name in the service's console. The name on chain is one of the parameters. */
  name: z.string().min(1).max(100),
  parameters: z.record(z.string(), z.unknown()),
  mint: mint.optional().describe('An initial supply, minted once the contract is complete.'),
};

type Deployment = { template: string; parameters: object; mint?: InitialMint | undefined };

/** Checks the fields that depend on the template, for known templates. */
export function checkTemplate<Order extends Deployment>(
  order: Order,
  context: z.RefinementCtx,
): Order {
  for (const { field, message } of mintFaults(order)) {
    const path = field === undefined ? ['mint'] : ['mint', field];
    context.addIssue({ code: 'custom', path, message });
  }
  const schema = templateParameters[order.template];
  if (schema === undefined) return order;
  const parsed = schema.safeParse(order.parameters, { error: issueInWords });
  if (parsed.success) return { ...order, parameters: parsed.data };
  for (const issue of parsed.error.issues) {
    context.addIssue({ ...issue, path: ['parameters', ...issue.path] });
  }
  return z.NEVER;
}

type MintField = 'amount' | 'uri';

/** The fields of a mint, by template. An unknown template counts as a token. */
const mintFields: Readonly<Record<string, readonly MintField[]>> = {
  [templateIds.uniqueItem]: ['uri'],
  [templateIds.multiToken]: ['amount', 'uri'],
  [templateIds.airdrop]: [],
};
const fungibleFields: readonly MintField[] = ['amount'];

/** Decimals of the known templates' tokens. Items are whole. */
const mintDecimals: Readonly<Record<string, number>> = {
  [templateIds.fungible]: 18,
  [templateIds.multiToken]: 0,
};

type MintFault = { field?: MintField; message: string };

function mintFaults({ template, mint: given }: Deployment): MintFault[] {
  if (given === undefined) return [];
  const must = mintFields[template] ?? fungibleFields;
  if (must.length === 0) return [{ message: 'has no use: this template mints nothing' }];
  const extra = (['amount', 'uri'] as const).filter(
    (field) => given[field] !== undefined && !must.includes(field),
  );
  return [
    ...must
      .filter((field) => given[field] === undefined)
      .map((field) => ({ field, message: 'is what a mint of this template needs' })),
    ...amountFaults(template, given),
    ...extra.map((field) => ({ field, message: 'has no place in a mint of this template' })),
  ];
}

function amountFaults(template: string, { amount }: InitialMint): MintFault[] {
  const decimals = mintDecimals[template];
  if (decimals === undefined || amount === undefined) return [];
  const message = amountFault(amount, { name: 'a token of this template', decimals });
  return message === undefined ? [] : [{ field: 'amount', message }];
}

/** Deploys a contract from a template with a wallet. */
const deployOrder = z
  .strictObject({ walletId, ...deployment, ...everyOrder })
  .transform(checkTemplate);
export type DeployOrder = z.input<typeof deployOrder>;

export const deployReceipt = settlement.extend({
  contractId: z.string(),
  contractAddress: z.string(),
  walletId: z.string(),
  supply: z
    .object({
      before: z.string(),
      after: z.string(),
      mintTxHash: z.string(),
      tokenId: z.string().optional(),
    })
    .optional()
    .describe("Total supply in the token's units, when an initial supply was asked for."),
});
export type DeployReceipt = z.output<typeof deployReceipt>;

/**
 * The writes of every order that deploys. If the order makes the wallet itself, `from` is unknown.
 */
export function deployWrites(
  order: Deployment & { name: string },
  from?: ResolvedWallet,
): OrderWrite[] {
  const { name, template, parameters, mint: minted } = order;
  const doing = deploymentOf(name);
  const deploying = {
    path: 'deploy/1',
    doing,
    makes: 'deployment',
    from,
    name,
    template,
    parameters,
  } as const;
  if (minted === undefined) return [deploying];
  const { to = from?.address ?? 'its wallet', amount = '1' } = minted;
  return [deploying, { path: 'mint/1', doing: supplyOf(template, amount, to), makes: 'call' }];
}

function supplyOf(template: string, amount: string, to: string): string {
  if (template === templateIds.uniqueItem) return itemMintOf(undefined, to);
  return template === templateIds.multiToken ? itemMintOf(amount, to) : mintOf(amount, to);
}

export const deployContract = defineKind({
  order: deployOrder,
  receipt: deployReceipt,
  idWord: 'deploy',
  does:
    'deploys a template with a wallet, reads the contract until it is COMPLETE, asks its code for ' +
    'its name and its administrator, and mints an initial supply if requested',
  example: {
    walletId: '0c3f3d3e-1111-4222-8333-4444aaaa6666',
    name: 'Our token',
    parameters: { name: 'Token' },
    mint: { amount: '1000' },
  },
  sentence: ({ name, walletId }) => `Deploy "${name}" with ${brief({ walletId })}`,
  writes: (order, { wallet }) => deployWrites(order, wallet),
});
