import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { canonicalJson } from './canonicalJson';

/** The step of a payout's batches. */
export const batchStep = 'batch';

/** The last generation of a line that is in a batch. Halves of halves end before it. */
export const batchedGenerationMax = 24;

/** Arc's contract that makes many calls in the name of an account with a key of its own. */
export const multicallFrom = '0x522fAf9A91c41c443c66765030741e4AaCe147D0';

const aggregate = 'aggregate3((address,bool,bytes)[])';
const executeBatch = 'executeBatch((address,uint256,bytes)[])';

/** One payment of a batch. Its mark names the attempt at a line. Addresses are as they came. */
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
  abiParameters: (string | boolean)[][][];
};

/** Selector of `transfer(address,uint256)`. */
const transferSelector = 'a9059cbb';
const wordDigits = 64;
const markDigits = 32;
const itemDigits = 20;

/**
 * The mark of an attempt at a line: 16 bytes of SHA-256 of the payout's workflow id, the line and
 * its generation, as hexadecimal digits. It stands behind the arguments of the payment's call,
 * where contracts do not look.
 */
export function markOf(workflowId: string, lineId: string, generation: number): string {
  return sha256Of([workflowId, lineId, generation]).slice(0, markDigits);
}

/**
 * The call that makes all payments. With `mayFail` each payment of an account with a key can fail
 * alone. Without it they succeed together, as those of a smart account always do.
 */
export function batchCall(
  account: Account,
  { tokenAddress, payments }: Omit<BatchedPayments, 'walletId'>,
  { mayFail }: { mayFail: boolean },
): BatchCall {
  const isSmart = account.accountType === 'SCA';
  const calls = payments.map((payment) => {
    const data = `0x${paymentData(payment)}${payment.mark}`;
    return isSmart ? [tokenAddress, '0', data] : [tokenAddress, mayFail, data];
  });
  return {
    contractAddress: isSmart ? account.address : multicallFrom,
    abiFunctionSignature: isSmart ? executeBatch : aggregate,
    abiParameters: [calls],
  };
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
  const { walletId, contractAddress, abiFunctionSignature: signature } = record;
  const isMulticall = contractAddress?.toLowerCase() === multicallFrom.toLowerCase();
  const [calls] = record.abiParameters ?? [];
  if (walletId === undefined || !Array.isArray(calls)) return undefined;
  if (signature !== (isMulticall ? aggregate : executeBatch)) return undefined;
  const inner = calls.map(innerCall);
  const [tokenAddress, ...others] = new Set(inner.map((call) => call?.token));
  const payments = inner.flatMap((call) => call?.payment ?? []);
  if (tokenAddress === undefined || others.length > 0) return undefined;
  return payments.length === inner.length ? { walletId, tokenAddress, payments } : undefined;
}

function innerCall(call: unknown): { token: string; payment: BatchedPayment } | undefined {
  if (!Array.isArray(call)) return undefined;
  const [token = '', , data = ''] = call.map(String);
  const payment = paymentIn(data);
  return payment && { token: token.toLowerCase(), payment };
}

const paymentForm = new RegExp(
  `^0x${transferSelector}0{24}([0-9a-f]{40})([0-9a-f]{${wordDigits}})([0-9a-f]{${markDigits}})$`,
);

function paymentIn(data: string): BatchedPayment | undefined {
  const [, to, units, mark] = paymentForm.exec(data.toLowerCase()) ?? [];
  if (to === undefined || units === undefined || mark === undefined) return undefined;
  return { to: `0x${to}`, baseUnits: BigInt(`0x${units}`).toString(), mark };
}

function sha256Of(value: Parameters<typeof canonicalJson>[0]): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(value))));
}
