import { randomUUID } from 'node:crypto';
import { getAddress, isAddress } from 'viem';
import { fault, found, type Side } from '../../errors/errors';
import { requireServed } from '../../errors/requireServed';
import type { Hex, WalletRow } from '../../store/records/records';
import type { TransactionStage } from '../../store/records/stages';
import { keysOnly, requireChain, walletsAt } from '../../store/records/walletBlockchain';
import type { Service } from '../service';
import { type GasInput, readGas } from './gas';

type SenderInput = {
  walletId?: string | undefined;
  walletAddress?: string | undefined;
  blockchain?: string | undefined;
};

/** The wallet that a request sends from, named by its id, or by address and blockchain. */
export function senderWallet(
  service: Service,
  input: SenderInput,
  side: Side = 'wallets',
): WalletRow {
  const wallet = namedWallet(service, input, side);
  requireChain(wallet, side);
  return wallet;
}

/** The wallet that a request names in one of these ways, whatever chain it is on. */
export function namedWallet(
  service: Service,
  input: SenderInput,
  side: Side = 'wallets',
): WalletRow {
  const { walletId, walletAddress, blockchain } = input;
  if (walletId !== undefined && walletAddress !== undefined) throw fault('twoSenders', side);
  const { store, shown } = service;
  const served = shown.blockchain;
  if (blockchain !== keysOnly) requireServed({ blockchain, served, side, isOfWallet: true });
  if (walletAddress !== undefined && !isAddress(walletAddress, { strict: false })) {
    throw fault('sourceInvalid', side);
  }
  const at = (address: Hex) => walletsAt(store, { address, blockchain: blockchain ?? served })[0];
  const wallet = found(
    walletAddress === undefined ? store.wallets.get(walletId ?? '') : at(getAddress(walletAddress)),
    'noWallet',
    side,
  );
  if (blockchain !== undefined && blockchain !== wallet.blockchain) {
    throw fault('otherBlockchain', side, blockchain);
  }
  return wallet;
}

/** The part that every new transaction has in common. It is INITIATED, and nothing more. */
export function newTransaction(
  wallet: WalletRow,
  input: GasInput & { refId?: string | undefined },
  side: Side = 'wallets',
) {
  const now = Date.now();
  const stage: TransactionStage = 'INITIATED';
  return {
    id: randomUUID(),
    walletId: wallet.id,
    transactionType: 'OUTBOUND' as const,
    stage,
    createdAtMs: now,
    updatedAtMs: now,
    sourceAddress: wallet.address,
    ...readGas(input, wallet.accountType, side),
    refId: input.refId ?? '',
  };
}
