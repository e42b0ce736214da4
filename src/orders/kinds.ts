import type { z } from 'zod';
import { deployOrder, deployReceipt } from './deploy';
import { executeOrder, executeReceipt } from './execute';
import { fundOrder, fundReceipt } from './fund';
import { mintOrder, mintReceipt } from './mint';
import { payoutOrder, payoutReceipt } from './payout';
import { provisionOrder, provisionReceipt } from './provision';
import { BadOrderError } from './read';
import {
  deploymentSequenceOrder,
  deploymentSequenceReceipt,
  transferSequenceOrder,
  transferSequenceReceipt,
} from './sequences';
import { shown } from './shown';
import { sweepOrder, sweepReceipt, sweptMax } from './sweep';
import { transferOrder, transferReceipt } from './transfer';

/** Every kind of order, by the name of the workflow that carries it out. */
export const orderSchemas = {
  provisionWallets: provisionOrder,
  deployContract: deployOrder,
  mintTokens: mintOrder,
  executeContract: executeOrder,
  fundWallet: fundOrder,
  transferStablecoin: transferOrder,
  sweepWallets: sweepOrder,
  deploymentSequence: deploymentSequenceOrder,
  transferSequence: transferSequenceOrder,
  payout: payoutOrder,
} as const;

export type OrderKind = keyof typeof orderSchemas;

/** Whether a word names a kind of order. */
export function isKind(word: string): word is OrderKind {
  return Object.hasOwn(orderSchemas, word);
}

export const orderKinds: readonly OrderKind[] = Object.keys(orderSchemas).filter(isKind);

/** The schema of a kind; throws a BadOrderError where a caller without types names none. */
export function schemaOf<Kind extends OrderKind>(kind: Kind): (typeof orderSchemas)[Kind] {
  if (isKind(kind)) return orderSchemas[kind];
  throw new BadOrderError(`kind: ${shown(kind)} must be one of ${orderKinds.join(', ')}.`);
}

/** The transactions that an order of a kind may make, each of which can be attempted anew. */
export const attempted: Readonly<Record<OrderKind, readonly string[]>> = {
  provisionWallets: [],
  deployContract: ['deploy/1', 'mint/1'],
  mintTokens: ['mint/1'],
  executeContract: ['execute/1'],
  fundWallet: ['fund/1'],
  transferStablecoin: ['transfer/1'],
  sweepWallets: Array.from({ length: sweptMax }, (_, index) => `sweep/${index + 1}`),
  deploymentSequence: ['deploy/1', 'mint/1'],
  transferSequence: ['fund/1', 'transfer/1'],
  payout: ['line/<lineId>'],
};

/** Whether a path names a transaction that an order of a kind may make. */
export function isAttempted(kind: OrderKind, path: string): boolean {
  if (kind === 'payout') return path.startsWith('line/');
  return attempted[kind].includes(path);
}

/** The order as a caller writes it. */
export type Order<Kind extends OrderKind> = z.input<(typeof orderSchemas)[Kind]>;

/** The order once it has been read: defaults filled in, addresses and amounts in one form. */
export type ReadOrder<Kind extends OrderKind> = z.output<(typeof orderSchemas)[Kind]>;

/** What every kind of order leaves behind when it is completed. */
export const receiptSchemas = {
  provisionWallets: provisionReceipt,
  deployContract: deployReceipt,
  mintTokens: mintReceipt,
  executeContract: executeReceipt,
  fundWallet: fundReceipt,
  transferStablecoin: transferReceipt,
  sweepWallets: sweepReceipt,
  deploymentSequence: deploymentSequenceReceipt,
  transferSequence: transferSequenceReceipt,
  payout: payoutReceipt,
} as const satisfies Record<OrderKind, z.ZodType>;
export type Receipt<Kind extends OrderKind> = z.output<(typeof receiptSchemas)[Kind]>;
