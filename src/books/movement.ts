import type { Money } from './money';

/** The wallets of the books: addresses in lower case. */
export type WatchedWallets = ReadonlySet<string>;

/** One change of the balance of a wallet, as the chain shows it. */
export type Movement = {
  /** The address of the wallet, in lower case. */
  wallet: string;
  money: Money;
  /** `sponsored` is gas that a paymaster has paid: it changes no balance. */
  kind: 'transfer' | 'fee' | 'sponsored';
  /** The change in base units: below zero for what goes out. */
  change: bigint;
  /** Gas that a paymaster has paid, in base units of the coin. */
  sponsored?: bigint;
  /** The other side of a transfer, or the paymaster. */
  counterparty?: string;
  /** True for the fee of a transaction or an operation that did nothing. */
  isFailed?: boolean;
  block: number;
  timeMs: number;
  txHash: string;
  txIndex: number;
  /** Missing for the coin where it has no log, and for fees. */
  logIndex?: number;
  /** The operation of a smart account that it belongs to. */
  userOpHash?: string;
  /** The mark of a payment in a batch, as the bytes of the transaction have it. */
  mark?: string;
};
