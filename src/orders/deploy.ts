import { z } from 'zod';
import { templateIds } from '../custody/template';
import { amount, amountFault, everyOrder, recipient, walletId } from './fields';
import { settlement } from './settlement';
import { templateParameters } from './templates';
import { inWords } from './words';

const families = ['fungible', 'uniqueItem', 'multiToken', 'airdrop'] as const;

const templateWords = `${families.join(', ')}, or a template by its id.`;

/** One of the four families by name, or a template by its id; comes out as the id. */
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

/** What is minted once a contract is there: which fields it takes depends on the template. */
const mint = z.strictObject({
  to: recipient.optional().describe('The wallet that deploys, unless it is said.'),
  amount: amount.optional().describe("In the token's own units; not for unique items."),
  uri: z.string().min(1).max(2_000).optional().describe('Metadata of the item; not for fungibles.'),
});
export type InitialMint = z.output<typeof mint>;

/** What to deploy, whoever deploys it. */
export const deployment = {
  template: template.default(templateIds.fungible),
  /** The name in the service's console; the name on chain is one of the parameters. */
  name: z.string().min(1).max(100),
  parameters: z.record(z.string(), z.unknown()),
  mint: mint.optional().describe('An initial supply, minted once the contract is there.'),
};

type Deployment = { template: string; parameters: object; mint?: InitialMint | undefined };

/** Checks what depends on the template, of those that are known. */
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
  const parsed = schema.safeParse(order.parameters, { error: inWords });
  if (parsed.success) return { ...order, parameters: parsed.data };
  for (const issue of parsed.error.issues) {
    context.addIssue({ ...issue, path: ['parameters', ...issue.path] });
  }
  return z.NEVER;
}

type MintField = 'amount' | 'uri';

/** Which fields a mint has, by template; a foreign one is taken for a token. */
const mintFields: Readonly<Record<string, readonly MintField[]>> = {
  [templateIds.uniqueItem]: ['uri'],
  [templateIds.multiToken]: ['amount', 'uri'],
  [templateIds.airdrop]: [],
};
const fungibleFields: readonly MintField[] = ['amount'];

/** Of what the templates mint that are known: items are whole. */
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
export const deployOrder = z
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
