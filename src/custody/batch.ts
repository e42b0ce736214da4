import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { canonicalJson } from './canonicalJson';
import {
  type MemoCall,
  memoContract,
  memoData,
  memoIn,
  memoInParameters,
  memoParameters,
  memoSignature,
} from './memo';

/** The step of a payout's batches. */
export const batchStep = 'batch';

/** The last generation of a line that is in a batch. Halves of halves end before it. */
export const batchedGenerationMax = 24;

/** Arc's contract that makes many calls in the name of an account with a key of its own. */
export const multicallFrom = '0x522fAf9A91c41c443c66765030741e4AaCe147D0';

export const aggregate = 'aggregate3((address,bool,bytes)[])';
export const executeBatch = 'executeBatch((address,uint256,bytes)[])';

/**
 * One payment of a batch. Its mark names the attempt at a line: 16 bytes behind the payment's call,
 * or the 32 bytes of a memo around it. Addresses are as they came.
 */
export type BatchedPayment = { to: string; baseUnits: string; mark: string };

/** Many payments of one token from one wallet. */
export type BatchedPayments = {
  walletId: string;
  tokenAddress: string;
  payments: readonly BatchedPayment[];
};

/** The account of a wallet. A smart account makes all payments of a batch or none. */
type Account = { address: string; accountType: string };

/** A contract call in the form in which the service takes it and shows it. */
export type BatchCall = {
  contractAddress: string;
  abiFunctionSignature: string;
  abiParameters: (string | (string | boolean)[][])[];
};

/** Selector of `transfer(address,uint256)`. */
const transferSelector = 'a9059cbb';
const wordDigits = 64;
const markDigits = 32;
const itemDigits = 20;

/**
 * The id of the memo of an attempt at a line: SHA-256 of the payout's workflow id, the line and its
 * generation, as hexadecimal digits.
 */
export function memoIdOf(workflowId: string, lineId: string, generation: number): string {
  return sha256Of([workflowId, lineId, generation]);
}

/**
 * The mark of an attempt at a line: the first 16 bytes of its memo id. It stands behind the
 * arguments of the payment's call, where contracts do not look.
 */
export function markOf(workflowId: string, lineId: string, generation: number): string {
  return attemptMark(memoIdOf(workflowId, lineId, generation));
}

/** The mark of an attempt, from its mark or its memo id. */
export function attemptMark(mark: string): string {
  return mark.slice(0, markDigits);
}

/** True if the payment goes through the contract `Memo`. */
function hasMemo({ mark }: Pick<BatchedPayment, 'mark'>): boolean {
  return mark.length > markDigits;
}

/** True for a payment with a memo that is the only one of its batch. */
function isAlone(payments: readonly BatchedPayment[]): boolean {
  return payments.length === 1 && payments.every(hasMemo);
}

/** True if all of the payments succeed or none of them does. */
export function isAtomic(
  { accountType }: Pick<Account, 'accountType'>,
  payments: readonly BatchedPayment[],
): boolean {
  return accountType === 'SCA' || isAlone(payments);
}

/**
 * The call that makes all payments. With `mayFail` each payment of an account with a key can fail
 * alone. Without it they succeed together, as those of a smart account always do. A single payment
 * with a memo is a call of `Memo` itself.
 */
export function batchCall(
  account: Account,
  { tokenAddress, payments }: Omit<BatchedPayments, 'walletId'>,
  { mayFail }: { mayFail: boolean },
): BatchCall {
  const [first] = payments;
  if (first !== undefined && isAlone(payments)) {
    return {
      contractAddress: memoContract,
      abiFunctionSignature: memoSignature,
      abiParameters: memoParameters(memoOf(tokenAddress, first)),
    };
  }
  const isSmart = account.accountType === 'SCA';
  const calls = payments.map((payment) => {
    const [target, data] = hasMemo(payment)
      ? [memoContract, memoData(memoOf(tokenAddress, payment))]
      : [tokenAddress, `${paymentData(payment)}${payment.mark}`];
    return isSmart ? [target, '0', `0x${data}`] : [target, mayFail, `0x${data}`];
  });
  return {
    contractAddress: isSmart ? account.address : multicallFrom,
    abiFunctionSignature: isSmart ? executeBatch : aggregate,
    abiParameters: [calls],
  };
}

function memoOf(target: string, payment: BatchedPayment): MemoCall {
  return { target, data: paymentData(payment), memoId: payment.mark };
}

/** The call of the token that makes one payment, without its mark and without `0x`. */
export function paymentData({ to, baseUnits }: Pick<BatchedPayment, 'to' | 'baseUnits'>): string {
  const words = [to.slice(2).toLowerCase(), BigInt(baseUnits).toString(16)];
  return transferSelector + words.map((word) => word.padStart(wordDigits, '0')).join('');
}

/** The item of a batch: a digest of all that it does, so that no two batches share a key. */
export function itemOfBatch({ walletId, tokenAddress, payments }: BatchedPayments): string {
  const paid = payments.map(({ to, baseUnits, mark }) => [to.toLowerCase(), baseUnits, mark]);
  return sha256Of([walletId, tokenAddress.toLowerCase(), paid]).slice(0, itemDigits);
}

type Recorded = {
  walletId?: string | undefined;
  contractAddress?: string | undefined;
  abiFunctionSignature?: string | undefined;
  abiParameters?: readonly unknown[] | null | undefined;
};

/** Reads a batch in a record of the service. Undefined for whatever is no batch of payments. */
export function batchIn(record: Recorded): BatchedPayments | undefined {
  const { walletId } = record;
  const inner = innerCalls(record);
  const [tokenAddress, ...others] = new Set(inner.map((call) => call?.token));
  const payments = inner.flatMap((call) => call?.payment ?? []);
  if (walletId === undefined || tokenAddress === undefined || others.length > 0) return undefined;
  return payments.length === inner.length ? { walletId, tokenAddress, payments } : undefined;
}

type InnerCall = { token: string; payment: BatchedPayment };

/** Every call of a batch. A call that is no payment is undefined. */
function innerCalls(record: Recorded): (InnerCall | undefined)[] {
  const { contractAddress, abiFunctionSignature: signature } = record;
  const parameters = record.abiParameters ?? [];
  const isOf = (address: string): boolean =>
    contractAddress?.toLowerCase() === address.toLowerCase();
  if (isOf(memoContract)) {
    return signature === memoSignature ? [withMemo(memoInParameters(parameters))] : [];
  }
  const [calls] = parameters;
  if (signature !== (isOf(multicallFrom) ? aggregate : executeBatch)) return [];
  return Array.isArray(calls) ? calls.map(innerCall) : [];
}

function innerCall(call: unknown): InnerCall | undefined {
  if (!Array.isArray(call)) return undefined;
  const [target = '', , data = ''] = call.map((field) => String(field).toLowerCase());
  if (target === memoContract.toLowerCase()) return withMemo(memoIn(data));
  const [, to, units, mark] = paymentForm.exec(data) ?? [];
  return inner(target, { to, units, mark });
}

function withMemo(memo: MemoCall | undefined): InnerCall | undefined {
  const { target = '', data = '', memoId = '' } = memo ?? {};
  const [, to, units, mark] = memoForm.exec(`0x${data}${memoId}`) ?? [];
  return inner(target, { to, units, mark });
}

const transferForm = `^0x${transferSelector}0{24}([0-9a-f]{40})([0-9a-f]{${wordDigits}})`;
const paymentForm = new RegExp(`${transferForm}([0-9a-f]{${markDigits}})$`);
const memoForm = new RegExp(`${transferForm}([0-9a-f]{${wordDigits}})$`);

type Found = Record<'to' | 'units' | 'mark', string | undefined>;

function inner(token: string, { to, units, mark }: Found): InnerCall | undefined {
  if (to === undefined || units === undefined || mark === undefined) return undefined;
  return { token, payment: { to: `0x${to}`, baseUnits: BigInt(`0x${units}`).toString(), mark } };
}

function sha256Of(value: Parameters<typeof canonicalJson>[0]): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(value))));
}
