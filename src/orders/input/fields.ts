import { z } from 'zod';
import { checksummed } from '../../custody/abi/address';
import { networks } from '../../custody/networks/networks';
import { digitsMax, fromBaseUnits, isDecimal, toBaseUnits } from '../../custody/objects/amount';
import { sameText } from '../../custody/objects/sameText';
import { feeLevels } from '../../custody/objects/transaction';
import { signedStatement } from './signed';

/** More decimals than any token has in practice. The token's own limit is checked later. */
const decimalsMax = 36;

const addressForm = {
  description: 'An EVM address, in lower case or with its checksum (EIP-55).',
  pattern: '^0x[0-9a-fA-F]{40}$',
};

/** An EVM address, in lower case or with its checksum. Becomes the form with the checksum. */
export const address = z
  .string()
  .meta(addressForm)
  .transform((text, context) => {
    const found = checksummed(text);
    if (found !== undefined) return found;
    context.addIssue({ code: 'custom', message: addressFault(text) });
    return z.NEVER;
  });

/** True for an EVM address: in lower case or capitals alone, or with its right checksum. */
export function isAddressText(text: string): boolean {
  if (text === text.toLowerCase()) return hasAddressForm(text);
  return checksummed(text) !== undefined;
}

/** The fault of a text that is no address. */
export function addressFault(text: string): string {
  if (hasAddressForm(text.replace(/^0X/, '0x')) && text.startsWith('0X')) {
    return 'begins with "0X". An address begins with "0x": write it so';
  }
  return hasAddressForm(text)
    ? 'has a wrong checksum (EIP-55): a digit may be mistyped. Copy it again from its source'
    : 'is not an address: give 0x and 40 hexadecimal digits';
}

/** True for the text of an address, whatever its checksum is. */
export function hasAddressForm(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text);
}

/** A recipient of tokens: any address but the zero address, where tokens are lost. */
export const recipient = address.refine((to) => BigInt(to) !== 0n, {
  error: "is the zero address, where tokens are lost. Give the recipient's",
});

const amountForm = {
  description: "More than zero, in the token's own units. Plain digits, no sign, no exponent.",
  pattern: '^(0|[1-9][0-9]*)(\\.[0-9]+)?$',
  examples: ['12.50'],
};

/** A decimal amount in the token's own units, which may be zero. Becomes its shortest form. */
export const amountOrNothing = z
  .string()
  .meta({ ...amountForm, description: "In the token's own units. Plain digits, no sign." })
  .transform((text, context) => {
    const fail = (message: string): never => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    if (text.length > digitsMax) return fail('is longer than any amount of a token');
    if (!isDecimal(text)) {
      return fail('is not an amount: give plain digits such as "12.50", no sign and no exponent');
    }
    const decimals = (text.split('.')[1] ?? '').length;
    if (decimals > decimalsMax) {
      return fail(`has ${decimals} decimals, but no token has more than ${decimalsMax}`);
    }
    return fromBaseUnits(toBaseUnits(text, decimalsMax), decimalsMax);
  });

/** A positive decimal amount in the token's own units. Becomes its shortest form. */
export const amount = amountOrNothing
  .refine((text) => text !== '0', { error: 'must be more than zero' })
  .meta(amountForm);

const tokenSymbols = ['USDC', 'EURC', 'native'] as const;

const tokenForm = {
  description: 'USDC, EURC, native, or the address of an ERC-20 contract.',
  examples: [...tokenSymbols, '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a'],
};

/** USDC, EURC, native, or the address of an ERC-20 contract. */
export const token = z
  .string()
  .meta(tokenForm)
  .transform((text, context) => {
    const symbol = tokenSymbols.find((known) => known === text);
    const found = symbol ?? checksummed(text);
    if (found !== undefined) return found;
    context.addIssue({
      code: 'custom',
      message: hasAddressForm(text)
        ? addressFault(text)
        : 'is not a known token: give USDC, EURC, native or the address of an ERC-20 contract',
    });
    return z.NEVER;
  });

/** The id of a wallet. In lower case, since two spellings of one id are one wallet. */
export const walletId = z.uuid().toLowerCase();

/** A wallet of the service, by its id or by its address. */
export const walletReference = z.union(
  [z.strictObject({ walletId }), z.strictObject({ walletAddress: address })],
  { error: 'must be {"walletId": "<uuid>"} or {"walletAddress": "0x…"}' },
);
export type WalletReference = z.output<typeof walletReference>;

const writeName = z.string().regex(/^[^/]+\/[^/]+$/, {
  error: 'must be named "<step>/<item>", such as "transfer/1"',
});

/** Fields that every order may have besides its own. */
export const everyOrder = {
  feeLevel: z.enum(feeLevels).default('MEDIUM'),
  reference: z
    .string()
    .max(200)
    .optional()
    .describe("The caller's own word for it, shown to operators."),
  validUntil: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('After this moment, a write that was never sent is not sent.'),
  blockchain: z
    .enum(Object.keys(networks), { error: `must be one of ${Object.keys(networks).join(', ')}` })
    .optional()
    .describe('The network that it is for. Workers of another network refuse it.'),
  request: signedStatement
    .optional()
    .describe('The order as its owner has signed it, where the policy of the workers wants that.'),
  dryRun: z
    .boolean()
    .optional()
    .describe(
      'Tells what the order would do, and sends nothing. Its id is "dry:" and the id of the order.',
    ),
  generations: z
    .record(writeName, z.int().min(0).max(1_000))
    .default({})
    .describe(
      'Raised for one write by a decision to retry it under a new key. Keys are "<step>/<item>".',
    ),
};

/** Decimals of the tokens known by name, so that a wrong amount is refused before anything else. */
const knownDecimals: Readonly<Record<string, number>> = { USDC: 6, EURC: 6, native: 18 };

/** An EVM word, which no token can hold more than. */
const baseUnitsMax = 2n ** 256n - 1n;

/** The fault of an amount of a token. Undefined if it has none. */
export function amountFault(
  amount: string,
  token: { name: string; decimals: number },
): string | undefined {
  const given = (amount.split('.')[1] ?? '').length;
  if (given > token.decimals) {
    const has = token.decimals === 0 ? 'none' : token.decimals;
    return `has ${given} decimal${given === 1 ? '' : 's'}, but ${token.name} has ${has}`;
  }
  const isTooMuch = toBaseUnits(amount, token.decimals) > baseUnitsMax;
  return isTooMuch ? 'is more than any token can hold' : undefined;
}

/** Adds the fault of an amount that its known token cannot have. */
export function checkDecimals(
  order: { amount: string; token: string },
  context: z.RefinementCtx,
): void {
  const decimals = knownDecimals[order.token];
  if (decimals === undefined) return;
  const message = amountFault(order.amount, { name: order.token, decimals });
  if (message !== undefined) context.addIssue({ code: 'custom', path: ['amount'], message });
}

/** Adds the fault of a recipient that is the contract of a token, where tokens are lost. */
export function checkRecipient(
  { to, token: own }: { to: string; token: string },
  context: z.RefinementCtx,
): void {
  const isKnown = Object.values(networks).some(({ tokens }) =>
    tokens.some(({ symbol, address: known }) => symbol === own && sameText(known, to)),
  );
  if (!isKnown && own !== to) return;
  const message = "is the token's own contract. Give the recipient's address";
  context.addIssue({ code: 'custom', path: ['to'], message });
}
