import { z } from 'zod';
import { isRecord } from '../isRecord';

export const feeLevels = ['LOW', 'MEDIUM', 'HIGH'] as const;
export type FeeLevel = (typeof feeLevels)[number];

/** INBOUND is what a wallet receives, OUTBOUND what it sends. */
export const transactionTypes = ['INBOUND', 'OUTBOUND'] as const;
export const operations = ['TRANSFER', 'CONTRACT_EXECUTION', 'CONTRACT_DEPLOYMENT'] as const;

const estimatedFeeSchema = z.object({
  gasLimit: z.string().optional(),
  networkFee: z.string().optional(),
  baseFee: z.string().optional(),
  priorityFee: z.string().optional(),
  maxFee: z.string().optional(),
});

const wholeEstimateSchema = estimatedFeeSchema.required();
/** The estimate for a transaction: prices in gwei, the fee in the native coin. */
export type EstimatedFee = z.output<typeof wholeEstimateSchema>;

const levelEstimateSchema = wholeEstimateSchema.extend({ networkFeeRaw: z.string() });

/** The estimated cost of a call at each level. Prices in gwei, fees in the native coin. */
export const levelEstimatesSchema = z.object({
  low: levelEstimateSchema,
  medium: levelEstimateSchema,
  high: levelEstimateSchema,
});
export type LevelEstimates = z.output<typeof levelEstimatesSchema>;

/** The same. For a smart account, with the three limits of its operation. */
export const feeEstimateSchema = levelEstimatesSchema.extend({
  callGasLimit: z.string().optional(),
  verificationGasLimit: z.string().optional(),
  preVerificationGas: z.string().optional(),
});
export type FeeEstimate = z.output<typeof feeEstimateSchema>;

const feeParameterSchema = wholeEstimateSchema.omit({ gasLimit: true, networkFee: true });

/** The price of gas now at each level, in gwei. */
export const feeParametersSchema = z.object({
  low: feeParameterSchema,
  medium: feeParameterSchema,
  high: feeParameterSchema,
});
export type FeeParameters = z.output<typeof feeParametersSchema>;

/**
 * The service's record of a transaction. Its state is an open word (see state.ts). Most fields are
 * absent, empty or null until they are known, and on kinds of transactions that have no use for
 * them.
 */
export const transactionSchema = z.object({
  id: z.string(),
  blockchain: z.string(),
  state: z.string(),
  transactionType: z.string(),
  createDate: z.string(),
  updateDate: z.string(),
  walletId: z.string().optional(),
  tokenId: z.string().optional(),
  sourceAddress: z.string().optional(),
  destinationAddress: z.string().optional(),
  contractAddress: z.string().optional(),
  custodyType: z.string().optional(),
  transactionScreeningEvaluation: z.looseObject({ screeningDate: z.string() }).optional(),
  amounts: z.array(z.string()).nullish(),
  nfts: z.array(z.unknown()).nullish(),
  txHash: z.string().optional(),
  blockHash: z.string().optional(),
  blockHeight: z.int().optional(),
  userOpHash: z.string().optional(),
  networkFee: z.string().optional(),
  firstConfirmDate: z.string().optional(),
  operation: z.string().optional(),
  feeLevel: z.string().optional(),
  estimatedFee: estimatedFeeSchema.nullish(),
  refId: z.string().optional(),
  abiFunctionSignature: z.string().optional(),
  abiParameters: z.array(z.unknown()).nullish(),
  errorReason: z.string().optional(),
  errorDetails: z.string().nullish(),
});
export type Transaction = z.output<typeof transactionSchema>;

/** The state of a record that is not the interface. It is not final, whatever the record says. */
export const unreadableState = 'UNREADABLE';

/** As much as can be read of a record that is not the interface. Undefined if it has no id. */
export function salvageTransaction(item: unknown): Transaction | undefined {
  if (!isRecord(item) || typeof item.id !== 'string' || item.id === '') return undefined;
  const fields = Object.entries(transactionSchema.shape).flatMap(([name, schema]) => {
    const { success, data } = schema.safeParse(item[name]);
    return success && data !== undefined ? [[name, data]] : [];
  });
  const none = { blockchain: '', transactionType: '', createDate: '', updateDate: '' };
  return { ...none, ...Object.fromEntries(fields), id: item.id, state: unreadableState };
}

/** The transaction that is next to go out of a wallet, and what it would cost at the level HIGH. */
export const lowestNonceSchema = z.object({
  transaction: transactionSchema,
  feeInfo: z.object({
    newHighEstimatedFee: levelEstimateSchema,
    /** In the native coin. Below zero when the level costs less than the estimate. */
    feeDifferenceAmount: z.string(),
  }),
});
export type LowestNonce = z.output<typeof lowestNonceSchema>;
