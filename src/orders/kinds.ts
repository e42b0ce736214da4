import type { z } from 'zod';
import { deployContract } from './deploy';
import { deploymentSequence } from './deploymentSequence';
import { executeContract } from './execute';
import { fundWallet } from './fund';
import { BadOrderError, readOrder } from './input/read';
import { shown } from './input/shown';
import type { Kind, OrderWrite } from './kind';
import { mintTokens } from './mint';
import { payout } from './payout';
import { provisionWallets } from './provision';
import { sweepWallets } from './sweep';
import { transferStablecoin } from './transfer';
import { transferSequence } from './transferSequence';

/** Every kind of order, by the name of the workflow that carries it out. */
export const kinds = {
  provisionWallets,
  deployContract,
  mintTokens,
  executeContract,
  fundWallet,
  transferStablecoin,
  sweepWallets,
  deploymentSequence,
  transferSequence,
  payout,
} as const;

export type OrderKind = keyof typeof kinds;

/** True if a word names a kind of order. */
export function isKind(word: string): word is OrderKind {
  return Object.hasOwn(kinds, word);
}

export const orderKinds: readonly OrderKind[] = Object.keys(kinds).filter(isKind);

/** The words that ids usually begin with, such as "payout" of "payout:january". */
export const idWords: readonly string[] = [
  ...new Set(orderKinds.map((kind) => kinds[kind].idWord)),
];

/** The ids that a name without its word may stand for. None for a name that has a colon. */
export function idsOf(name: string): string[] {
  return name.includes(':') ? [] : idWords.map((word) => `${word}:${name}`);
}

/** The order as a caller writes it. */
export type Order<Kind extends OrderKind> = z.input<(typeof kinds)[Kind]['order']>;

/** The order after it was read: defaults filled in, addresses and amounts in one form. */
export type ReadOrder<Kind extends OrderKind> = z.output<(typeof kinds)[Kind]['order']>;

/** The result of a completed order. */
export type Receipt<Kind extends OrderKind> = z.output<(typeof kinds)[Kind]['receipt']>;

/** A kind, for code that treats all kinds alike. */
type AnyKind = Kind<z.ZodType<ReadOrder<OrderKind>, Order<OrderKind>>>;

/** The definition of a kind. Throws a BadOrderError for any other word. */
export function kindOf(kind: OrderKind): AnyKind {
  if (isKind(kind)) return kinds[kind];
  throw new BadOrderError(`kind: ${shown(kind)} must be one of ${orderKinds.join(', ')}.`);
}

/** Checks an order of a kind. Returns it normalised or throws a BadOrderError. */
export function readOrderOf(kind: OrderKind, order: unknown): ReadOrder<OrderKind> {
  return readOrder(kindOf(kind).order, order);
}

/** The paths of an order's transactions, each of which can fail and be retried under a new key. */
export function transactionsOf(kind: OrderKind, writes: readonly OrderWrite[]): string[] {
  const { manyWrites } = kindOf(kind);
  if (manyWrites !== undefined) return [manyWrites];
  return writes.flatMap(({ path, makes }) =>
    makes === 'walletSet' || makes === 'wallets' ? [] : [path],
  );
}
