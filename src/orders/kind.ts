import type { z } from 'zod';
import type { AbiParameter } from '../custody/endpoints';

export type ResolvedWallet = { walletId: string; address: string; accountType: string };

/** A token with everything that is needed to send it and to check its record. */
export type ResolvedToken = {
  /** The order's own name of it. */
  name: string;
  /** Empty for the native coin. */
  address: string;
  decimals: number;
  /** The service's ids of it, as far as they are known already. */
  ids: string[];
};

/** The names in an order, as the service or the chain knows them. */
export type Resolved = {
  /** The sending, deploying, funded or collecting wallet. */
  wallet?: ResolvedWallet | undefined;
  /** The wallets that money is collected or paid from, if the order names several. */
  wallets?: ResolvedWallet[] | undefined;
  /** The treasury wallet that the money comes from. */
  treasury?: ResolvedWallet | undefined;
  token?: ResolvedToken | undefined;
  /** Decimals of the token that `amountOf` names. */
  decimals?: number | undefined;
};

/** The names in an order of one kind. A field that its schema requires is resolved. */
export type ResolvedIn<Order> = Resolved &
  (Order extends Naming ? { wallet: ResolvedWallet } : unknown) &
  (Order extends { wallets: unknown } ? { wallets: ResolvedWallet[] } : unknown) &
  (Order extends { token: string } ? { token: ResolvedToken } : unknown) &
  (Order extends { contractAddress: string; amount: string } ? { decimals: number } : unknown);

/** An order that names its main wallet, in a field of its own. */
type Naming = { walletId: string } | { from: object } | { wallet: object } | { into: object };

/**
 * One write of an order: its path "<step>/<item>", its words, and the facts for the guard's look-up
 * and estimate. Without `from` it depends on an earlier write, and the guard can do neither.
 */
export type OrderWrite = { path: string; doing: string; from?: ResolvedWallet | undefined } & (
  | { makes: 'walletSet'; name: string }
  | { makes: 'wallets'; count: number; accountType: string }
  | { makes: 'deployment'; name: string; template: string; parameters: object }
  | { makes: 'call'; call?: ContractCall }
  /** Without an amount, it is only known when the transfer is sent. */
  | { makes: 'transfer'; to: string; amount?: string }
);

export type ContractCall = {
  contractAddress: string;
  abiFunctionSignature: string;
  abiParameters: AbiParameter[];
  amount?: string | undefined;
};

/** The definition of one kind of order. */
export type Kind<Order extends z.ZodType = z.ZodType, Receipt extends z.ZodType = z.ZodType> = {
  order: Order;
  receipt: Receipt;
  /** First word of its ids, and the name of its command: "transfer" in "transfer:invoice-1". */
  idWord: string;
  /** The workflow's purpose, for the table in the docs. */
  does: string;
  /** A whole order, for the schemas and the tables in the docs. */
  example: z.input<Order>;
  /** The order as one sentence, for people. Wallets are not resolved yet. */
  sentence(order: z.output<Order>): string;
  /** Its writes, in the order in which the workflow makes them. */
  writes(order: z.output<Order>, resolved: Resolved): OrderWrite[];
  /** The form of its paths, where there are too many writes for `writes`: "line/<lineId>". */
  manyWrites?: string;
  /** The form of its items, where the example does not have them all. */
  items?: RegExp;
  /** Facts for a dry run that are no writes. */
  notes?(order: z.output<Order>, resolved: Resolved): string[];
  /** The order sends nothing if its wallet already holds its amount. */
  isMetByBalance?: boolean;
  /** The contract whose token the amount counts, where the order has no field `token`. */
  amountOf?(order: z.output<Order>): string;
};

/** Checks the parts of a kind against each other. The types follow from the schemas. */
export function defineKind<Order extends z.ZodType, Receipt extends z.ZodType>(
  kind: Kind<Order, Receipt>,
): Kind<Order, Receipt> {
  return kind;
}

/** A wallet or an address, short enough for a sentence: "0x523B…Ec7d", "wallet 0c3f3d3e". */
export function brief(named: string | { walletId: string } | { walletAddress: string }): string {
  if (typeof named === 'object' && 'walletId' in named) {
    return `wallet ${named.walletId.slice(0, 8)}`;
  }
  const address = typeof named === 'string' ? named : named.walletAddress;
  return address.startsWith('0x') ? `${address.slice(0, 6)}…${address.slice(-4)}` : address;
}
