import { randomUUID } from 'node:crypto';
import { ApiError, fault } from '../../../sandbox/errors/errors';
import { batchIn } from '../../../src/custody/batch';
import type { Input, Output } from '../../../src/custody/endpoints';
import { fromBaseUnits, toBaseUnits } from '../../../src/custody/objects/amount';
import { isSettled, type Ledger, type LedgerWallet, type Transfer } from './ledger';
import { type Sender, tokenOf, walletOf } from './named';
import { toTransaction } from './records';

/** The answer of a call. A repeated key answers 200, a new one 201. */
export type Answered<Answer> = { output: Answer; isRepeated?: boolean };

type Paid = Pick<Transfer, 'tokenId' | 'payments' | 'call'>;
type Accepting = Sender & {
  idempotencyKey: string;
  feeLevel?: string | undefined;
  refId?: string | undefined;
  settleMs: number;
  paid(wallet: LedgerWallet): Paid;
};

/** Accepts payments. A repeated key returns the first ones and ignores the new body. */
export function accept(ledger: Ledger, input: Accepting): Answered<Output<'createTransfer'>> {
  const { idempotencyKey: key, feeLevel, refId, settleMs, paid } = input;
  const known = ledger.underKey(key);
  if (known !== undefined) {
    known.asked += 1;
    return { output: { id: known.id, state: toTransaction(known).state }, isRepeated: true };
  }
  const wallet = walletOf(ledger, input);
  const newest = ledger.newestOf(wallet.id);
  const isBusy = newest !== undefined && !isSettled(newest);
  if (wallet.accountType === 'SCA' && isBusy) throw fault('firstInProgress');
  const receivedAtMs = Date.now();
  const transfer: Transfer = {
    id: randomUUID(),
    key,
    wallet,
    asked: 1,
    feeLevel,
    refId,
    receivedAtMs,
    ...paid(wallet),
    settlesAtMs: receivedAtMs + settleMs,
  };
  ledger.add(transfer);
  return { output: { id: transfer.id, state: 'INITIATED' } };
}

/** The payment of a single transfer. */
export function transferIn(input: Input<'createTransfer'>): Paid {
  const { destinationAddress: to, amounts } = input;
  return { tokenId: tokenOf(input).id, payments: [{ to, amount: amounts[0] ?? '0' }] };
}

/** The payments of a batch. The stub carries out no other call. */
export function batchOf(wallet: LedgerWallet, input: Input<'executeContract'>): Paid {
  const { contractAddress, abiFunctionSignature = '', abiParameters = [] } = input;
  const batch = batchIn({ ...input, walletId: wallet.id });
  const isItsOwn = contractAddress.toLowerCase() === wallet.address;
  if (batch === undefined || isItsOwn !== (wallet.accountType === 'SCA')) throw noBatch();
  const { id: tokenId, decimals } = tokenOf(batch);
  const payments = batch.payments.map(({ to, baseUnits }) => ({
    to,
    amount: fromBaseUnits(BigInt(baseUnits), decimals),
  }));
  return { tokenId, payments, call: { contractAddress, abiFunctionSignature, abiParameters } };
}

/** The gas of a batch, and of a transfer as a call, about as the sandbox's chain has it. */
export function gasOf(input: Input<'estimateExecution'>): bigint {
  const batch = batchIn({ ...input, walletId: input.walletId ?? '' });
  return batch === undefined ? transferGas : 30_000n + 32_000n * BigInt(batch.payments.length);
}

function noBatch(): ApiError {
  const message = 'The stub carries out batches of transfers alone.';
  return new ApiError(message, { status: 400, code: 2 });
}

export const transferGas = 63_000n;
const [baseFee, priorityFee, maxFee] = ['20', '2.74', '42.74'] as const;

/** An estimate at the lowest base fee of Arc, the same at each level. */
export function estimateOf(gas: bigint) {
  const cost = (gwei: string): string => fromBaseUnits(gas * toBaseUnits(gwei, 9), 18);
  const networkFee = cost(maxFee);
  const networkFeeRaw = cost('22.74');
  const level = { gasLimit: `${gas}`, baseFee, priorityFee, maxFee, networkFee, networkFeeRaw };
  return { low: level, medium: level, high: level };
}
