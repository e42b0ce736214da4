import {
  type Address,
  getAddress,
  isAddressEqual,
  parseTransaction,
  type TransactionReceipt,
} from 'viem';
import { decodedCall } from '../../../src/custody/abi/callData';
import { fromBaseUnits } from '../../../src/custody/objects/amount';
import { accountAbi } from '../../chain/genesis/abi';
import type { TransactionResult } from '../../chain/node/mineBlock';
import { readTransfers, type Transfer } from '../../chain/transfers';
import { derivedId } from '../../store/records/derivedId';
import { callOf, type Hex, type TransactionRow, type WalletRow } from '../../store/records/records';
import { type SandboxToken, standardOf } from '../../store/records/tokenRecord';
import { keysOnly } from '../../store/records/walletBlockchain';
import type { Store } from '../../store/store';
import type { EngineParts } from '../parts';

type Parts = Pick<EngineParts, 'store' | 'tokens'>;

/** Some of a token, or of the native coin, that has come to an address. */
type Arrival = Pick<Transfer, 'standard' | 'from' | 'to' | 'ids' | 'counts'> & {
  /** The id of the movement. It is the same however often the movement's transaction is read. */
  id: string;
  token: Address | undefined;
};

/** The id of the record that a wallet has of a movement it has received. */
export function inboundId(txHash: string, movement: number | string): string {
  return derivedId(`inbound ${txHash} ${movement}`);
}

/** Asks the chain about tokens that wallets have received for the first time. */
export async function learnTokens(
  { store, tokens }: Parts,
  results: readonly TransactionResult[],
): Promise<void> {
  const unknown = new Set<Address>();
  for (const result of results) {
    for (const { token, to } of result.included ? readTransfers(result.receipt.logs) : []) {
      if (tokens.known(token) !== undefined || unknown.has(token)) continue;
      if (walletsHere(store, to).length > 0) unknown.add(token);
    }
  }
  for (const token of unknown) await tokens.byAddress(token);
}

/** The wallets of an address that what comes to it on this chain belongs to. */
function walletsHere({ wallets }: Pick<Store, 'wallets'>, address: Address): WalletRow[] {
  return wallets.where('address', address).filter(({ blockchain }) => blockchain !== keysOnly);
}

/** A mined transaction: as it was signed, and the records that it has carried out. */
type Mined = {
  receipt: TransactionReceipt;
  raw: Hex | undefined;
  carried: readonly TransactionRow[];
};

/**
 * Records what a transaction brought to wallets of the service. As at the hosted service, each
 * movement gets one record of the receiving wallet.
 */
export function recordArrivals({ store, tokens }: Parts, { receipt, raw, carried }: Mined): void {
  for (const arrival of [
    ...tokenArrivals(receipt),
    ...nativeArrival(receipt, raw),
    ...operationArrivals(carried),
  ]) {
    const token = arrival.token === undefined ? tokens.native : tokens.known(arrival.token);
    if (token === undefined || !isOf(token, arrival)) continue;
    for (const { id: walletId } of walletsHere(store, arrival.to)) {
      if (store.transactions.get(arrival.id) !== undefined) continue;
      store.transactions.insert(toRow(receipt, { arrival, walletId, token }));
      if (tokens.builtIn.includes(token)) continue;
      for (const itemId of arrival.standard === 'ERC20' ? [''] : arrival.ids) {
        store.receivedTokens.add(walletId, { tokenId: token.id, itemId: String(itemId) });
      }
    }
  }
}

/** Returns true for a movement of the token's own standard and of more than nothing. */
function isOf(token: SandboxToken, { standard, counts }: Arrival): boolean {
  return standardOf(token) === standard && counts.some((count) => count > 0n);
}

/** A batch is one movement of several ids. */
function tokenArrivals(receipt: TransactionReceipt): Arrival[] {
  return readTransfers(receipt.logs).map((transfer) => ({
    ...transfer,
    id: inboundId(receipt.transactionHash, transfer.logIndex ?? 0),
  }));
}

/** A movement of the native coin. */
function ofCoin(baseUnits: bigint) {
  return { token: undefined, standard: 'ERC20', ids: [], counts: [baseUnits] } as const;
}

/** The native coins that the transaction itself carries. */
function nativeArrival(receipt: TransactionReceipt, raw: Hex | undefined): Arrival[] {
  if (raw === undefined || receipt.status !== 'success') return [];
  const { to, value = 0n } = parseTransaction(raw);
  if (!to || value === 0n) return [];
  const id = inboundId(receipt.transactionHash, 'native');
  return [{ id, from: receipt.from, to: getAddress(to), ...ofCoin(value) }];
}

/** The native coins that smart accounts have sent, each by its own operation of a bundle. */
function operationArrivals(carried: readonly TransactionRow[]): Arrival[] {
  return carried.flatMap((row) => {
    if (row.txHash === undefined || row.userOpHash === undefined) return [];
    const { txHash, userOpHash, sourceAddress: from } = row;
    return sentBy(from, callOf(row)).map(({ to, value }, index) => ({
      id: inboundId(txHash, index === 0 ? userOpHash : `${userOpHash}/${index}`),
      from,
      to,
      ...ofCoin(value),
    }));
  });
}

type Sent = { to: Address; value: bigint; data: Hex };

/** The calls that a smart account makes. A call of one of its own functions is unpacked. */
function sentBy(account: Address, call: Sent): Sent[] {
  if (!isAddressEqual(call.to, account)) return [call];
  return innerCalls(call.data)?.flatMap((inner) => sentBy(account, inner)) ?? [call];
}

/** The calls in a call of the account's own. Undefined for bytes that nobody can read. */
function innerCalls(data: Hex): readonly Sent[] | undefined {
  const call = decodedCall(accountAbi, data);
  if (call?.functionName === 'executeBatch') return call.args[0];
  if (call?.functionName !== 'execute') return undefined;
  const [to, value, inner] = call.args;
  return [{ to, value, data: inner }];
}

function toRow(
  receipt: TransactionReceipt,
  facts: { arrival: Arrival; walletId: string; token: SandboxToken },
): TransactionRow {
  const { arrival, walletId, token } = facts;
  const now = Date.now();
  return {
    id: arrival.id,
    transactionType: 'INBOUND',
    walletId,
    tokenId: token.id,
    amounts: arrival.counts.map((count) => fromBaseUnits(count, token.decimals)),
    ...(arrival.ids.length === 0 ? {} : { nftTokenIds: arrival.ids.map(String) }),
    stage: 'CONFIRMED',
    createdAtMs: now,
    updatedAtMs: now,
    confirmedAtMs: now,
    operation: 'TRANSFER',
    sourceAddress: arrival.from,
    destinationAddress: arrival.to,
    txHash: receipt.transactionHash,
    blockHash: receipt.blockHash,
    blockHeight: Number(receipt.blockNumber),
  };
}
