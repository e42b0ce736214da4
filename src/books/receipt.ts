import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../custody/canonicalJson';
import { unitsOfText } from '../custody/objects/amount';
import { exchangeKept } from '../orders/exchange/exchange';
import { grounds } from '../orders/input/settlement';

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, { error: 'must be an address' });
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, { error: 'must be a SHA-256 in hex' });
const units = z.string().regex(/^\d{1,78}$/, { error: 'must be a whole number of base units' });
const place = z.int().min(0);
const time = z.iso.datetime();

/** The place of a transaction on the chain, as far as it was read there. */
const onChain = z.strictObject({
  blockchain: z.string().describe("The service's name of the chain."),
  chainId: z.int(),
  txHash: z.string().optional(),
  userOpHash: z.string().optional().describe('The operation of a smart account in the bundle.'),
  blockNumber: place.optional(),
  blockTime: time.optional(),
  logIndex: place
    .optional()
    .describe('The one Transfer log that moved it. The native coin may have none.'),
});

/** The money that a write has moved. */
const moved = z.strictObject({
  from: address,
  to: address,
  token: z.strictObject({
    name: z.string().describe('As the order names it.'),
    address: z.union([address, z.literal('')]).describe('Empty for the native coin.'),
    decimals: place,
  }),
  amount: z.string(),
  baseUnits: units,
});

/** The receipt of one write, before it has its place in the archive. */
const receiptSchema = z.strictObject({
  version: z.literal(1),
  order: z.strictObject({
    id: z.string().describe('The workflow id. A line has the id of its whole payout.'),
    kind: z.string(),
    digest: sha256
      .optional()
      .describe('The digest of its money fields, in canonical JSON. Absent if they are unknown.'),
    linesDigest: z
      .string()
      .optional()
      .describe('The digest of all lines of its payout, as a person can compute it alone.'),
    reference: z.string().optional().describe("The caller's own reference."),
    payee: z.string().optional().describe("The payee's name, as the line of a payout has it."),
    exchange: exchangeKept.optional(),
  }),
  service: z.url().describe('The base URL of the service.'),
  step: z.string(),
  item: z.string().describe('The lineId of a payout line, whose step is "line".'),
  generation: place,
  batch: z.string().optional().describe('The batch that has paid this line with others.'),
  key: z.string().describe('The idempotency key of the write, or of its batch.'),
  refId: z.string().describe("Its reference in the service's list, or that of its batch."),
  transactionId: z.string(),
  outcome: z.enum(['completed', 'failed']),
  kind: z.enum(['transfer', 'mint', 'deployment', 'call']),
  sender: address.describe('The account whose transaction it is.'),
  money: moved.optional().describe('The money of a transfer or a mint.'),
  chain: onChain,
  fee: z
    .strictObject({
      baseUnits: units.describe('In base units of the native coin.'),
      lines: z.int().min(1).describe('Number of lines that share the fee: the lines of a batch.'),
    })
    .optional()
    .describe('What the whole transaction has cost, as the chain shows it.'),
  networkFee: z.string().optional().describe("The same in the service's record, decimal."),
  grounds: grounds.optional().describe('With a policy: why it was let out, and who approved.'),
  time: time.describe("The block's time. Where the chain is not read, the record's last change."),
});
export type WriteReceipt = z.output<typeof receiptSchema>;

/** The reason why a value is no receipt, as a sentence. Undefined for a receipt. */
export function receiptFault(value: unknown): string | undefined {
  const read = receiptSchema.safeParse(value);
  const [fault] = read.error?.issues ?? [];
  if (fault !== undefined) {
    return `${[fault.path.join('.'), fault.message].filter(Boolean).join(': ')}.`;
  }
  const { money } = read.data ?? {};
  const amount = money && unitsFault(money);
  return amount && `money.${amount}.`;
}

/** The reason why an amount is not its base units. Undefined if it is. */
export function unitsFault(money: NonNullable<WriteReceipt['money']>): string | undefined {
  const { amount, baseUnits, token } = money;
  if (unitsOfText(amount, token.decimals) === BigInt(baseUnits)) return undefined;
  return `amount: ${amount} is not ${baseUnits} base units of ${token.decimals} decimals`;
}

/**
 * A receipt as the archive keeps it. All receipts of an order form a chain: each one has the hash
 * of the one before it.
 */
export const archivedReceipt = receiptSchema.extend({
  place: z.int().min(1).describe("Its number among the order's receipts."),
  previous: z.union([sha256, z.literal('')]).describe('The hash of the receipt before it.'),
  contradicts: sha256
    .optional()
    .describe('The hash of an earlier receipt of the same write, which says something else.'),
  hash: sha256.describe('The hash of all other fields, in canonical JSON (RFC 8785).'),
});
export type ArchivedReceipt = z.output<typeof archivedReceipt>;

/** The end of the chain of an order's receipts. */
export type ChainEnd = Pick<ArchivedReceipt, 'place' | 'hash'>;

/** Puts a receipt behind the last one of its order. */
export function chained(own: WriteReceipt, last: ChainEnd | undefined): ArchivedReceipt {
  const linked = { ...own, place: (last?.place ?? 0) + 1, previous: last?.hash ?? '' };
  return { ...linked, hash: hashOfReceipt(linked) };
}

/** The hash that a receipt must have. */
export function hashOfReceipt({
  hash: _,
  ...rest
}: WriteReceipt & Partial<Pick<ArchivedReceipt, 'place' | 'previous' | 'contradicts' | 'hash'>>) {
  return createHash('sha256').update(canonicalJson(rest)).digest('hex');
}

/** The write of a receipt. An archive has one receipt of it, and those that contradict that one. */
export function writeOf({ key, step, item, generation }: WriteReceipt): string {
  return `${key} ${step}/${item}#${generation}`;
}

/**
 * True if two receipts of one write cannot both be true. What only one of them tells, such as a
 * block that its worker has not read, is no contradiction.
 */
export function contradict(one: WriteReceipt, other: WriteReceipt): boolean {
  const [first, second] = [claimsOf(one), claimsOf(other)];
  return Object.entries(first).some(([name, claim]) => {
    const its = second[name];
    return claim !== undefined && its !== undefined && canonicalJson(claim) !== canonicalJson(its);
  });
}

/** All that a receipt says of its write. Addresses and hashes may be in any letters. */
function claimsOf(receipt: WriteReceipt): Record<string, unknown> {
  const { transactionId, outcome, sender, money, chain, fee, order, grounds } = receipt;
  const { from, to, token, baseUnits } = money ?? {};
  // Receipts of an earlier version have no seal.
  const { seal: _, ...why } = grounds ?? {};
  const lower = (text: string | undefined) => text?.toLowerCase();
  return {
    transactionId,
    outcome,
    baseUnits,
    grounds: grounds && why,
    sender: lower(sender),
    from: lower(from),
    to: lower(to),
    token: lower(token?.address),
    chainId: chain.chainId,
    txHash: lower(chain.txHash),
    userOpHash: lower(chain.userOpHash),
    blockNumber: chain.blockNumber,
    logIndex: chain.logIndex,
    fee: fee?.baseUnits,
    digest: order.digest,
  };
}
