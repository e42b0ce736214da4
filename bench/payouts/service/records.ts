import { isoSeconds } from '../../../sandbox/store/records/records';
import { fromBaseUnits, toBaseUnits } from '../../../src/custody/objects/amount';
import type { Balance } from '../../../src/custody/objects/token';
import type { Transaction } from '../../../src/custody/objects/transaction';
import type { Wallet } from '../../../src/custody/objects/wallet';
import {
  destinationOf,
  hashOf,
  isSettled,
  type Ledger,
  type LedgerWallet,
  type Transfer,
} from './ledger';
import { blockchain, tokens } from './tokens';

export const blockMs = 500;
/** The amount of each token that a wallet begins with. No bench uses it up. */
const endowment = '1000000000';

export function toWallet(wallet: LedgerWallet): Wallet {
  const date = isoSeconds(wallet.createdAtMs);
  const { id, walletSetId, address, accountType } = wallet;
  return {
    id,
    walletSetId,
    address,
    blockchain,
    accountType,
    state: 'LIVE',
    ...(accountType === 'SCA' ? { scaCore: 'circle_6900_singleowner_v3' } : {}),
    custodyType: 'DEVELOPER',
    name: '',
    refId: '',
    createDate: date,
    updateDate: date,
  };
}

/** The record as the interface shows it, with a hash and a block once it has settled. */
export function toTransaction(transfer: Transfer): Transaction {
  if (!isSettled(transfer)) return record(transfer, false);
  // A final record cannot change, and lists show it again and again.
  transfer.final ??= record(transfer, true);
  return transfer.final;
}

function record(transfer: Transfer, isDone: boolean): Transaction {
  const { id, wallet, receivedAtMs, settlesAtMs } = transfer;
  return {
    id,
    blockchain,
    walletId: wallet.id,
    sourceAddress: wallet.address,
    transactionType: 'OUTBOUND',
    custodyType: 'DEVELOPER',
    state: isDone ? 'COMPLETE' : 'PENDING',
    transactionScreeningEvaluation: { screeningDate: isoSeconds(receivedAtMs) },
    nfts: null,
    ...(isDone ? onChain(transfer) : { networkFee: '' }),
    ...doneBy(transfer),
    ...(transfer.feeLevel === undefined ? {} : { feeLevel: transfer.feeLevel }),
    refId: transfer.refId ?? '',
    createDate: isoSeconds(receivedAtMs),
    updateDate: isoSeconds(isDone ? settlesAtMs : receivedAtMs),
  };
}

function doneBy(transfer: Transfer): Partial<Transaction> & { operation: string } {
  const { call, tokenId, payments } = transfer;
  if (call !== undefined) return { operation: 'CONTRACT_EXECUTION', amounts: [], ...call };
  return {
    operation: 'TRANSFER',
    tokenId,
    amounts: payments.map(({ amount }) => amount),
    destinationAddress: destinationOf(transfer)?.toLowerCase(),
    abiParameters: null,
  };
}

function onChain({ id, wallet, settlesAtMs }: Transfer): Partial<Transaction> {
  const blockHeight = blockAt(settlesAtMs);
  return {
    txHash: hashOf(id),
    blockHash: hashOf(String(blockHeight)),
    blockHeight,
    ...(wallet.accountType === 'SCA' ? { userOpHash: operationHash(id) } : {}),
    networkFee: '0.000441',
    firstConfirmDate: isoSeconds(settlesAtMs),
  };
}

/** The number of the block that is mined at a time. */
export function blockAt(atMs: number): number {
  return Math.floor(atMs / blockMs);
}

/** The hash of a smart account's operation. */
export function operationHash(id: string): `0x${string}` {
  return hashOf(`operation ${id}`);
}

/** A wallet's balances: its endowment less its settled transfers. On Arc two tokens are one. */
export function toBalances(ledger: Ledger, wallet: LedgerWallet): Balance[] {
  const settled = ledger.transfers.filter((one) => one.wallet === wallet && isSettled(one));
  return tokens.map((token) => {
    const { decimals } = token;
    const twins = tokens.filter(({ symbol }) => symbol === token.symbol).map(({ id }) => id);
    const spent = settled
      .filter(({ tokenId }) => twins.includes(tokenId))
      .flatMap(({ payments }) => payments)
      .reduce((sum, { amount }) => sum + toBaseUnits(amount, decimals), 0n);
    const amount = fromBaseUnits(toBaseUnits(endowment, decimals) - spent, decimals);
    return { amount, token, updateDate: isoSeconds(Date.now()) };
  });
}
