import { createHash } from 'node:crypto';
import type { WriteReceipt } from '../../src/books/receipt';
import { idempotencyKey } from '../../src/custody/idempotencyKey';
import { fromBaseUnits } from '../../src/custody/objects/amount';
import { refId } from '../../src/custody/reference';

/** A synthetic day: how many transactions, and how they lie on the chain. */
export type DayShape = {
  transactions: number;
  /** Transfers in each transaction. */
  transfersEach: number;
  wallets: number;
  /** Transactions in a block that has any. */
  perBlock: number;
  /** One block of so many has transactions. */
  spread: number;
};

/** One transaction of the day, which its number tells whole. */
export type DayTransaction = ReturnType<Day['transaction']>;
export type Day = ReturnType<typeof dayOf>;

export const blockchain = 'ARC-TESTNET';
export const chainId = 5042002;
export const usdc = '0x3600000000000000000000000000000000000000';
export const usdcId = '36000000-0000-4000-8000-000000000000';
export const startMs = Date.parse('2026-01-01T00:00:00Z');
const dayMs = 86_400_000;

/** Amount of each transfer in USDC's own units, and its gas. */
const units = 10_000n;
export const gasUsed = 50_000n;
export const gasPrice = 20_000_000_000n;
/** The coin has 18 decimals, and USDC has 6 of them. */
const coinEach = 10n ** 12n;
const openingUnits = 10n ** 15n;
const linesOfPayout = 10_000;

/** A service's record is this much older than its block. */
const settleMs = 2_000;

/**
 * A day of payments that takes no memory: each fact is computed from a number. So the readers of
 * the books are measured, and not the stub.
 */
export function dayOf(shape: DayShape) {
  const { transactions, transfersEach, wallets, perBlock, spread } = shape;
  const busy = Math.ceil(transactions / perBlock);
  const head = busy * spread + 1;
  const blockMs = Math.max(1, Math.floor(dayMs / (head + 1)));
  const numberOfBlock = (n: number): number => (Math.floor(n / perBlock) + 1) * spread;
  // Blocks of a chain have whole seconds.
  const timeMs = (block: number): number =>
    startMs + 1_000 + Math.floor((block * blockMs) / 1_000) * 1_000;
  const wallet = (place: number) => ({
    id: uuid(place, 'aaaa'),
    address: `0xa1${hex(place, 38)}`,
  });
  const cost = units * coinEach * BigInt(transfersEach) + gasUsed * gasPrice;

  const transaction = (n: number) => {
    const block = numberOfBlock(n);
    const parts = partsOf(n, transfersEach);
    return {
      n,
      block,
      timeMs: timeMs(block),
      createdMs: timeMs(block) - settleMs,
      indexInBlock: n % perBlock,
      id: uuid(n, '8000'),
      hash: `0x${mixed(n)}${hex(n, 56)}`,
      wallet: wallet(n % wallets),
      recipients: Array.from({ length: transfersEach }, (_, place) => recipient(n, place)),
      parts,
      refId: refId(parts),
    };
  };

  return {
    ...shape,
    head,
    timeMs,
    wallet,
    transaction,
    /** The numbers of a block's transactions. */
    inBlock: (block: number): number[] => {
      const first = (block / spread - 1) * perBlock;
      if (block % spread !== 0 || block === 0) return [];
      const count = Math.min(perBlock, transactions - first);
      return Array.from({ length: Math.max(0, count) }, (_, place) => first + place);
    },
    /** The first transaction whose record is not older. */
    firstCreatedAt: (ms: number): number => {
      let low = 0;
      for (let high = transactions; low < high; ) {
        const middle = Math.floor((low + high) / 2);
        if (transaction(middle).createdMs < ms) low = middle + 1;
        else high = middle;
      }
      return low;
    },
    /** Units of the coin. */
    balance: (address: string, block: number): bigint => {
      const place = Number.parseInt(address.slice(4), 16);
      if (!address.startsWith('0xa1') || place >= wallets) return 0n;
      const before = Math.min(transactions, Math.floor(block / spread) * perBlock);
      const sent = before <= place ? 0 : Math.ceil((before - place) / wallets);
      return openingUnits * coinEach - BigInt(sent) * cost;
    },
  };
}

function partsOf(n: number, transfersEach: number) {
  const workflowId = `payout:day-${Math.floor(n / linesOfPayout)}`;
  const step = transfersEach === 1 ? 'line' : 'batch';
  return { workflowId, step, item: `${n}`, generation: 0 };
}

/** The number of a transaction, from its id or its hash. */
export function numberIn(text: string): number {
  return Number.parseInt(text.slice(-12), 16);
}

function recipient(n: number, place: number): string {
  return `0xb0${hex(place, 6)}${hex(n, 32)}`;
}

/** An id whose beginning is as good as random, as the service's are. Its end tells the number. */
function uuid(n: number, group: string): string {
  return `${mixed(n)}-0000-4000-${group}-${hex(n, 12)}`;
}

function mixed(n: number): string {
  return createHash('sha256').update(`${n}`).digest('hex').slice(0, 8);
}

export function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

const fee = gasUsed * gasPrice;
const networkFee = fromBaseUnits(fee, 18);

/** The service's record of a transaction. */
export function recordOf({ id, wallet, hash, block, ...own }: DayTransaction): object {
  const date = new Date(own.createdMs).toISOString();
  const isBatch = own.recipients.length > 1;
  return {
    id,
    blockchain,
    state: 'COMPLETE',
    transactionType: 'OUTBOUND',
    custodyType: 'DEVELOPER',
    createDate: date,
    updateDate: new Date(own.timeMs).toISOString(),
    firstConfirmDate: new Date(own.timeMs).toISOString(),
    walletId: wallet.id,
    sourceAddress: wallet.address,
    ...(isBatch
      ? { operation: 'CONTRACT_EXECUTION', contractAddress: usdc, amounts: [] }
      : {
          operation: 'TRANSFER',
          tokenId: usdcId,
          destinationAddress: own.recipients[0],
          amounts: [fromBaseUnits(units, 6)],
        }),
    txHash: hash,
    blockHash: `0x${hex(block, 64)}`,
    blockHeight: block,
    networkFee,
    feeLevel: 'MEDIUM',
    estimatedFee: { gasLimit: '60000', baseFee: '20', priorityFee: '1', maxFee: '41' },
    refId: own.refId,
  };
}

/** The receipt of a transaction of one transfer, as an order archives it. */
export function archivedOf(one: DayTransaction, service: string): WriteReceipt {
  const { parts, wallet, hash, block, indexInBlock } = one;
  const { step, item, generation } = parts;
  const time = new Date(one.timeMs).toISOString();
  return {
    version: 1,
    order: { id: parts.workflowId, kind: 'payout', digest: hex(0, 64) },
    service,
    step,
    item,
    generation,
    key: idempotencyKey(parts),
    refId: one.refId,
    transactionId: one.id,
    outcome: 'completed',
    kind: 'transfer',
    sender: wallet.address,
    money: {
      from: wallet.address,
      to: one.recipients[0] ?? '',
      token: { name: 'USDC', address: usdc, decimals: 6 },
      amount: fromBaseUnits(units, 6),
      baseUnits: `${units}`,
    },
    chain: {
      blockchain,
      chainId,
      txHash: hash,
      blockNumber: block,
      blockTime: time,
      logIndex: indexInBlock,
    },
    fee: { baseUnits: `${fee}`, lines: 1 },
    networkFee,
    time,
  };
}

export const transferUnits = units;
