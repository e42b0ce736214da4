import { z } from 'zod';
import { templateIds } from '../../custody/objects/template';
import { address } from './fields';

const noFraction = 'is not a fraction from 0 to 1 in steps of 0.0001. 0.1 means 10 percent';

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

const tokenShape = {
  name: z.string().min(1).max(100),
  symbol: z.string().min(1).max(20).optional(),
  defaultAdmin: address.optional(),
  primarySaleRecipient: address.optional(),
  platformFeeRecipient: address.optional(),
  platformFeePercent: percent.optional(),
  contractUri: z.url().max(2_000).optional(),
  trustedForwarders: z.array(address).max(20).optional(),
};

type Fee = { platformFeePercent?: number | undefined; platformFeeRecipient?: string | undefined };

function checkFee({ platformFeePercent, platformFeeRecipient }: Fee, context: z.RefinementCtx) {
  if (platformFeePercent === undefined || platformFeeRecipient !== undefined) return;
  context.addIssue({
    code: 'custom',
    path: ['platformFeePercent'],
    message: 'needs platformFeeRecipient (--fee-recipient), the address that receives the fee',
  });
}

const fungible = z.strictObject(tokenShape).superRefine(checkFee);
const items = z
  .strictObject({
    ...tokenShape,
    royaltyRecipient: address.optional(),
    royaltyPercent: percent.optional(),
  })
  .superRefine(checkFee);
const airdrop = z.strictObject({
  defaultAdmin: address.optional(),
  contractURI: z.url().max(2_000).optional(),
});

/**
 * Parameters of the known templates, by their ids. An address that is not given is the wallet's.
 */
export const templateParameters: Readonly<Record<string, z.ZodType<Record<string, unknown>>>> = {
  [templateIds.fungible]: fungible,
  [templateIds.uniqueItem]: items,
  [templateIds.multiToken]: items,
  [templateIds.airdrop]: airdrop,
};
