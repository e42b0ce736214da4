import { createHash } from 'node:crypto';
import type { Query } from '../../../sandbox/store/list';
import type { BatchCall } from '../../../src/custody/batch';
import type { Transaction } from '../../../src/custody/objects/transaction';

export type AccountType = 'EOA' | 'SCA';

export type LedgerWallet = {
  id: string;
  walletSetId: string;
  address: string;
  accountType: AccountType;
  createdAtMs: number;
};

/** Amounts are decimal strings, in the units of the token. */
export type Payment = { to: string; amount: string };

/** An accepted transfer, or a batch of them. Its state depends on the clock alone. */
export type Transfer = {
  id: string;
  key: string;
  wallet: LedgerWallet;
  tokenId: string;
  payments: readonly Payment[];
  /** The call that makes the payments of a batch. */
  call?: Pick<BatchCall, 'contractAddress' | 'abiFunctionSignature'> & { abiParameters: unknown[] };
  feeLevel: string | undefined;
  refId: string | undefined;
  receivedAtMs: number;
  settlesAtMs: number;
  /** The number of calls with its key. */
  asked: number;
  /** Its record, once it has settled. */
  final?: Transaction;
};

/** The filters of a list: wallets, state, kind and recipient. */
export type Wanted = {
  walletIds: ReadonlySet<string> | undefined;
  isSettled: boolean | undefined;
  isBatch: boolean | undefined;
  to: string | undefined;
};

/** Called with each new entry before the caller gets its answer. */
export type Keep = (added: { wallet: LedgerWallet } | { transfer: Transfer }) => void;

/** The data of the stub in memory, in the order of arrival. */
export class Ledger {
  readonly transfers: Transfer[] = [];
  readonly wallets = new Map<string, LedgerWallet>();
  readonly #keep: Keep;
  readonly #byId = new Map<string, number>();
  readonly #byKey = new Map<string, Transfer>();
  readonly #byHash = new Map<string, Transfer>();
  readonly #newest = new Map<string, Transfer>();

  constructor(keep: Keep = () => {}) {
    this.#keep = keep;
  }

  addWallet(wallet: LedgerWallet): void {
    this.#keep({ wallet });
    this.wallets.set(wallet.id, wallet);
  }

  add(transfer: Transfer): void {
    this.#keep({ transfer });
    this.#byId.set(transfer.id, this.transfers.length);
    this.#byKey.set(transfer.key, transfer);
    this.#byHash.set(hashOf(transfer.id), transfer);
    this.#newest.set(transfer.wallet.id, transfer);
    this.transfers.push(transfer);
  }

  get(id: string): Transfer | undefined {
    return this.transfers[this.#byId.get(id) ?? -1];
  }

  underKey(key: string): Transfer | undefined {
    return this.#byKey.get(key);
  }

  /** The transfer with this hash on the chain. Undefined until it has settled. */
  mined(hash: string): Transfer | undefined {
    const transfer = this.#byHash.get(hash.toLowerCase());
    return transfer !== undefined && isSettled(transfer) ? transfer : undefined;
  }

  /** The newest transfer of a wallet. */
  newestOf(walletId: string): Transfer | undefined {
    return this.#newest.get(walletId);
  }

  /** Walks from one end, or from a transfer, to the end of the wanted time range. */
  list(query: Query<never>, wanted: Wanted): Transfer[] {
    const { order = 'DESC', before, after, fromMs, toMs, limit = Number.POSITIVE_INFINITY } = query;
    const isBackwards = before !== undefined;
    const step = (order === 'ASC') !== isBackwards ? 1 : -1;
    const cursor = this.#byId.get(before ?? after ?? '');
    const start =
      cursor === undefined ? (step === 1 ? 0 : this.transfers.length - 1) : cursor + step;
    const found: Transfer[] = [];
    for (let at = start; found.length < limit; at += step) {
      const transfer = this.transfers[at];
      if (transfer === undefined) break;
      const { receivedAtMs } = transfer;
      const isEarly = fromMs !== undefined && receivedAtMs < fromMs;
      const isLate = toMs !== undefined && receivedAtMs > toMs;
      if (step === -1 ? isEarly : isLate) break;
      if (!isEarly && !isLate && isWanted(transfer, wanted)) found.push(transfer);
    }
    return isBackwards ? found.reverse() : found;
  }
}

export function isSettled({ settlesAtMs }: Transfer): boolean {
  return Date.now() >= settlesAtMs;
}

/** The recipient of a single transfer. A batch has many. */
export function destinationOf({ call, payments }: Transfer): string | undefined {
  return call === undefined ? payments[0]?.to : undefined;
}

/** A hash that follows from a text, for a transaction, a block or an operation. */
export function hashOf(text: string): `0x${string}` {
  return `0x${createHash('sha256').update(text).digest('hex')}`;
}

function isWanted(transfer: Transfer, wanted: Wanted): boolean {
  const { walletIds, to, isBatch } = wanted;
  if (walletIds !== undefined && !walletIds.has(transfer.wallet.id)) return false;
  if (to !== undefined && destinationOf(transfer)?.toLowerCase() !== to) return false;
  if (isBatch !== undefined && isBatch !== (transfer.call !== undefined)) return false;
  return wanted.isSettled === undefined || wanted.isSettled === isSettled(transfer);
}
