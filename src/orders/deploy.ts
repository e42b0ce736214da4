import { z } from 'zod';
import { templateIds } from '../custody/template';
import { address, amount, everyOrder, walletId } from './fields';
import type { Settlement } from './settlement';
import { inWords } from './words';

const families = ['fungible', 'uniqueItem', 'multiToken', 'airdrop'] as const;

/** One of the four families by name, or a template by its id; comes out as the id. */
const template = z.string().transform((text, context) => {
  const family = families.find((known) => known === text);
  if (family !== undefined) return templateIds[family];
  if (z.uuid().safeParse(text).success) return text.toLowerCase();
  context.addIssue({
    code: 'custom',
    message: `is not a known template: give ${families.join(', ')} or the id of a template`,
  });
  return z.NEVER;
});

const noFraction = 'is not a fraction from 0 to 1 in steps of 0.0001; 0.1 means 10 percent';

/** A fraction such as 0.1 for 10 percent, down to one basis point. */
const percent = z
  .union([z.number(), z.string().regex(/^[01](\.\d+)?$/, { error: noFraction })], {
    error: noFraction,
  })
  .transform((given, context) => {
    const fraction = Number(given);
    const basisPoints = Math.round(fraction * 10_000);
    if (fraction >= 0 && fraction <= 1 && Math.abs(basisPoints - fraction * 10_000) < 1e-9) {
      return fraction;
    }
    context.addIssue({ code: 'custom', message: noFraction });
    return z.NEVER;
  });

/** The fungible token's own parameters; who is not named is the deploying wallet. */
const fungibleParameters = z
  .strictObject({
    name: z.string().min(1).max(100),
    symbol: z.string().min(1).max(20).optional(),
    defaultAdmin: address.optional(),
    primarySaleRecipient: address.optional(),
    platformFeeRecipient: address.optional(),
    platformFeePercent: percent.optional(),
    contractUri: z.url().max(2_000).optional(),
    trustedForwarders: z.array(address).max(20).optional(),
  })
  .superRefine((parameters, context) => {
    if (parameters.platformFeePercent === undefined || parameters.platformFeeRecipient) return;
    context.addIssue({
      code: 'custom',
      path: ['platformFeePercent'],
      message: 'needs platformFeeRecipient, the address that receives the fee',
    });
  });

/** What to deploy, whoever deploys it. */
export const deployment = {
  template: template.default(templateIds.fungible),
  /** The name in the service's console; the name on chain is one of the parameters. */
  name: z.string().min(1).max(100),
  parameters: z.record(z.string(), z.unknown()),
  /** An initial supply, minted once the contract is there. The recipient defaults to the wallet. */
  mint: z.strictObject({ to: address.optional(), amount }).optional(),
};

/** Checks the parameters of the templates whose parameters are known. */
export function checkParameters<Order extends { template: string; parameters: object }>(
  order: Order,
  context: z.RefinementCtx,
): Order {
  if (order.template !== templateIds.fungible) return order;
  const parsed = fungibleParameters.safeParse(order.parameters, { error: inWords });
  if (parsed.success) return { ...order, parameters: parsed.data };
  for (const issue of parsed.error.issues) {
    context.addIssue({ ...issue, path: ['parameters', ...issue.path] });
  }
  return z.NEVER;
}

/** Deploys a contract from a template with a wallet. */
export const deployOrder = z
  .strictObject({ walletId, ...deployment, ...everyOrder })
  .transform(checkParameters);
export type DeployOrder = z.input<typeof deployOrder>;

export type DeployReceipt = Settlement & {
  contractId: string;
  contractAddress: string;
  walletId: string;
  /** Total supply in the token's units, when an initial supply was asked for. */
  supply?: { before: string; after: string; mintTxHash: string };
};
