import { z } from 'zod';
import { toBaseUnits } from '../../custody/objects/amount';
import { address, amount as orderAmount } from '../../orders/input/fields';
import { isKind, orderKinds } from '../../orders/kinds';
import { isPasskeyLine, readPasskey } from '../signing/passkey';

/** One word for a person, a group or a rule. */
const name = z.string().regex(/^[A-Za-z0-9][\w.-]{0,62}$/, {
  error: 'is not a plain name: give letters, digits and . _ -',
});

/** More than any treasury has, and as little as the sums of many such amounts can hold. */
const amountMax = 1_000_000_000_000n;
const decimalsMax = 18;

const amount = orderAmount
  .refine((text) => (text.split('.')[1] ?? '').length <= decimalsMax, {
    error: `has more than ${decimalsMax} decimals`,
    abort: true,
  })
  .refine((text) => toBaseUnits(text, decimalsMax) <= amountMax * 10n ** BigInt(decimalsMax), {
    error: `is more than a window can count. Give at most ${amountMax}`,
  });

const hours = z.int().min(1).max(8_784);

/** A passkey as the console prints it: its key, the console's address and its id. */
const passkey = z.string().refine((line) => readPasskey(line) !== undefined, {
  error: 'is no passkey: give the line that "steadfast console invite" prints',
});

/** A public key as OpenSSH writes it: its type, its base64 and perhaps a comment. */
const sshKey = z.string().regex(/^(ssh|sk-ssh)-ed25519\S* [A-Za-z0-9+/]+={0,2}( .*)?$/, {
  error: 'is not an Ed25519 public key: give the line of a file such as ~/.ssh/id_ed25519.pub',
});

const publicKey = z.string().check(({ value, issues }) => {
  const read = (isPasskeyLine(value) ? passkey : sshKey).safeParse(value);
  const faults = read.error?.issues ?? [];
  for (const { message } of faults) issues.push({ code: 'custom', input: value, message });
});

const person = z
  .strictObject({
    keys: z
      .array(publicKey)
      .max(20)
      .default([])
      .describe('The public keys of one person or machine: of SSH, or of passkeys that decide.'),
    signIn: z
      .array(passkey)
      .max(20)
      .default([])
      .describe('The passkeys that sign in to the console. They decide nothing.'),
  })
  .refine(({ keys, signIn }) => keys.length + signIn.length > 0, {
    error: 'has no keys. Give a public key',
  });

/** The members are people, or addresses that money may go to. */
const group = z.union(
  [
    z.array(z.string().min(1)).min(1).max(10_000),
    z.strictObject({
      file: z.string().min(1).describe('A CSV file with the columns address and name.'),
    }),
  ],
  { error: 'must be a list of names or addresses, or {file: "suppliers.csv"}' },
);

const orderKind = z.string().refine(isKind, {
  error: `is no kind of order: give one of ${orderKinds.join(', ')}`,
});
const wallet = z.union([z.uuid().toLowerCase(), address], {
  error: 'is neither the id of a wallet nor an address',
});
const groupName = /^@([A-Za-z0-9][\w.-]{0,62})$/;
const recipient = z.string().refine((to) => groupName.test(to) || /^0x[0-9a-fA-F]{40}$/.test(to), {
  error: 'is neither an address nor a group such as "@suppliers"',
});

/** Recipients of a `limit`: addresses and groups, or anyone at all. */
const recipients = z.union(
  [z.literal('anyone'), recipient, z.array(recipient).min(1).max(10_000)],
  {
    error: 'must be an address, a group such as "@suppliers", a list of those, or anyone',
  },
);

const call = z.strictObject({
  contract: address,
  function: z.string().regex(/^\w+\(.*\)$/, {
    error: 'is not the signature of a function: give one such as "mintTo(address,uint256)"',
  }),
});

const ofOrders = z.array(orderKind).min(1);
const ofWallets = z.array(wallet).min(1).max(1_000);
const ofTokens = z.array(z.string().min(1)).min(1).max(100);

const limit = z
  .strictObject({
    id: name,
    kind: z.literal('limit'),
    orders: ofOrders.describe('The kinds of orders that it lets out.'),
    wallets: ofWallets.describe('The paying wallets. A new wallet is in no rule.'),
    tokens: ofTokens.optional().describe('USDC, EURC, native, or addresses of ERC-20 contracts.'),
    to: recipients.optional().describe('Addresses, "@group", or anyone.'),
    calls: z
      .array(call)
      .min(1)
      .max(100)
      .optional()
      .describe('Calls of contracts that are no money.'),
    perTransfer: amount.optional().describe('The largest amount of one transfer.'),
    perWindow: z
      .strictObject({ amount, hours, over: z.enum(['wallet', 'rule']) })
      .optional()
      .describe(
        'The largest sum in a rolling window, for each token. Fees count in the sum of the token ' +
          'that they are paid in.',
      ),
    maxFeePerWindow: amount
      .optional()
      .describe(
        'The largest sum of fees in the window of perWindow, or in 24 hours. Where no perWindow ' +
          'counts fees, it is 10 unless given.',
      ),
    signedBy: name.optional().describe('The order must carry a signature of that group.'),
    beyond: name.optional().describe('An approval rule that decides amounts above the limit.'),
  })
  .check(({ value, issues }) => {
    const lack = (field: string, message: string): void => {
      issues.push({ code: 'custom', input: undefined, path: [field], message });
    };
    if (value.tokens === undefined) return;
    if (value.to === undefined) lack('to', 'must say who may be paid. Write anyone if you mean it');
    if (value.perTransfer === undefined && value.perWindow === undefined) {
      lack('perTransfer', 'must be there, or perWindow: a limit needs an amount');
    }
  });

const approval = z.strictObject({
  id: name,
  kind: z.literal('approval'),
  above: amount.describe('It applies above this amount.'),
  hours: hours.optional().describe('The amount is summed over so many hours.'),
  need: z.int().min(1).max(100).describe('The number of persons who must approve.'),
  of: name.describe('The group of those persons.'),
  within: hours.describe('Hours until the request expires.'),
  with: z
    .enum(['ssh', 'passkey', 'any'])
    .optional()
    .describe('The keys that count: of SSH, of passkeys, or any, which is the default.'),
});

const deny = z
  .strictObject({
    id: name,
    kind: z.literal('deny'),
    orders: ofOrders.optional(),
    wallets: ofWallets.optional(),
    tokens: ofTokens.optional(),
    to: recipients.optional(),
  })
  .check(({ value, issues }) => {
    if (value.orders ?? value.wallets ?? value.tokens ?? value.to) return;
    const message = 'must be there, or orders, wallets or tokens: it would deny everything';
    issues.push({ code: 'custom', input: undefined, path: ['to'], message });
  });

/** A URL that answers over TLS, or on this machine. */
const screenUrl = z.url({ protocol: /^https?$/, error: 'is no URL' }).refine(isSafe, {
  error: 'is not https: what it answers could be changed on the way',
});

function isSafe(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
}

const listed = z.strictObject({
  list: z.string().min(1).describe('A text or JSON file with addresses in it.'),
  hours: hours.describe('It counts for so many hours after its last change.'),
});

const screen = z.strictObject({
  id: name,
  kind: z.literal('screen'),
  by: z
    .union([z.enum(['token', 'service']), listed, z.strictObject({ url: screenUrl })], {
      error: 'must be token, service, {list: "sanctioned.txt", hours: 48} or {url: "https://…"}',
    })
    .describe('Who says whether an address may be paid.'),
  beyond: name.optional().describe('An approval rule that decides what has to be reviewed.'),
});

const check = z.strictObject({
  id: name,
  kind: z.literal('check'),
  orders: ofOrders.optional(),
  wallets: ofWallets.optional(),
  checks: z
    .record(z.string(), z.enum(['refuse', 'approve'], { error: 'must be refuse or approve' }))
    .describe('The checks of each payment, and what follows from what they find.'),
  beyond: name.optional().describe('The approval rule that decides where a check says approve.'),
});

/** Ordinary numbers. An account has room for some 1,000 wallet sets, and none can be deleted. */
const creates = z.strictObject({
  walletSets: z.int().min(0).max(1_000).default(50),
  wallets: z.int().min(0).max(1_000_000).default(2_000),
  hours: hours.default(24),
});

/** The policy file as its author writes it. Its words are closed. */
export const policySchema = z.strictObject({
  version: z.int().min(1).max(1_000_000_000).describe('Raised with each change.'),
  people: z.record(name, person).default({}),
  groups: z.record(name, group).default({}),
  creates: creates
    .prefault({})
    .describe('The largest numbers of wallet sets and wallets that are created in so many hours.'),
  rules: z
    .array(
      z.discriminatedUnion('kind', [limit, approval, deny, screen, check], {
        error: 'must be limit, approval, deny, screen or check',
      }),
    )
    .min(1)
    .max(1_000),
});

export type PolicyText = z.output<typeof policySchema>;
export type LimitText = z.output<typeof limit>;
export type DenyText = z.output<typeof deny>;
export type ApprovalText = z.output<typeof approval>;
export type ScreenText = z.output<typeof screen>;
export type CheckText = z.output<typeof check>;

/** The name of a group in a list of recipients. Undefined for an address. */
export function groupNameOf(recipient: string): string | undefined {
  return groupName.exec(recipient)?.[1];
}

/** The JSON Schema of a policy file, for editors. */
export function policyJsonSchema(): object {
  return { title: 'A policy of Steadfast', ...z.toJSONSchema(policySchema, { io: 'input' }) };
}
