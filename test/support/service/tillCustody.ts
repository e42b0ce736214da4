import { randomUUID } from 'node:crypto';
import type { CustodyApi, EndpointName, Input, Output } from '../../../src/custody/endpoints';
import { finalState } from '../../../src/custody/objects/state';
import type { Transaction } from '../../../src/custody/objects/transaction';
import { blockchain, usdc } from '../sandbox';

type Transfer = Input<'createTransfer'>;
type Taken = Output<'createTransfer'>;

/**
 * A hand-written service that accepts USDC transfers, settles them after a while, and lists them.
 */
export type Till = {
  custody: CustodyApi;
  wallets: { id: string; address: string; accountType: string }[];
  /** All accepted transfers, oldest first. A COMPLETE transfer has moved money. */
  taken: Transaction[];
  /** The number of calls of each endpoint. */
  calls: Map<string, number>;
  /** Settles all accepted transfers at once. */
  settle(): void;
  /** Lets a month pass: the service forgets every key, and all records are older. */
  letMonthPass(): void;
  settings: {
    settleMs: number;
    /** The balance of a wallet in every token. */
    held: string;
    /** Decides how a due transfer ends. */
    fate: (record: Transaction) => Pick<Transaction, 'state' | 'errorReason' | 'errorDetails'>;
    /** Intercepts each transfer between the worker and the service. */
    onTransfer: (input: Transfer, take: () => Taken) => Taken | Promise<Taken>;
  };
};

type Row = { record: Transaction; key: string; dueMs: number; createdMs: number };

const pageMax = 50;
const monthMs = 30 * 86_400_000;
const tokenId = 'f9d68076-9d6b-5f37-a226-0b49cfa631d5';

export function openTill({ wallets: count = 4, accountType = 'EOA' } = {}): Till {
  const wallets = Array.from({ length: count }, (_, at) => ({
    id: randomUUID(),
    address: `0x${String(at + 1)
      .padStart(2, '0')
      .repeat(20)}`,
    accountType,
  }));
  const rows: Row[] = [];
  const till: Till = {
    custody: {} as CustodyApi,
    wallets,
    taken: [],
    calls: new Map(),
    settle: () => {
      for (const row of rows) row.dueMs = 0;
    },
    letMonthPass: () => {
      for (const row of rows) {
        Object.assign(row, { key: '', createdMs: row.createdMs - monthMs });
        row.record.createDate = new Date(row.createdMs).toISOString();
      }
    },
    settings: {
      settleMs: 100,
      held: '1000000',
      fate: () => ({ state: 'COMPLETE' }),
      onTransfer: (_, take) => take(),
    },
  };
  const answers = answersOf(till, rows);
  till.custody = new Proxy({} as CustodyApi, {
    get: (_, name: EndpointName) => async (input: never) => {
      till.calls.set(name, (till.calls.get(name) ?? 0) + 1);
      const answer: ((given: never) => unknown) | undefined = answers[name];
      if (answer === undefined) throw new Error(`The till has no ${name}.`);
      return answer(input);
    },
  });
  return till;
}

type Answers = { [Name in EndpointName]?: (input: Input<Name>) => unknown };

const date = new Date(0).toISOString();
const level = {
  gasLimit: '21000',
  baseFee: '1',
  priorityFee: '1',
  maxFee: '3',
  networkFee: '0.0001',
  networkFeeRaw: '0.0001',
};

function answersOf(till: Till, rows: Row[]): Answers {
  const token = (isNative: boolean) => ({
    id: isNative ? randomUUID() : tokenId,
    blockchain,
    isNative,
    symbol: 'USDC',
    ...(isNative ? {} : { tokenAddress: usdc }),
    createDate: date,
    updateDate: date,
  });
  return {
    createTransfer: (input) => till.settings.onTransfer(input, () => take(till, rows, input)),
    listTransactions: (input) => {
      settleDue(till, rows);
      return { transactions: structuredClone(pageOf(rows, input)) };
    },
    getTransaction: ({ id }) => {
      settleDue(till, rows);
      return { transaction: structuredClone(till.taken.find((record) => record.id === id)) };
    },
    getWallet: ({ id }) => ({
      wallet: {
        ...walletOf(till, { id }),
        state: 'LIVE',
        walletSetId: id,
        custodyType: 'DEVELOPER',
        blockchain,
        createDate: date,
        updateDate: date,
      },
    }),
    getToken: () => ({ token: token(false) }),
    estimateTransfer: () => ({ low: level, medium: level, high: level }),
    listBalances: ({ id }) => {
      settleDue(till, rows);
      const amount = heldBy(till, id);
      return {
        tokenBalances: [true, false].map((isNative) => {
          return { amount, updateDate: date, token: token(isNative) };
        }),
      };
    },
  };
}

function walletOf({ wallets }: Till, wanted: { id?: string; address?: string | undefined }) {
  const wallet = wallets.find(({ id, address }) => id === wanted.id || address === wanted.address);
  if (wallet === undefined) throw new Error(`No wallet ${JSON.stringify(wanted)}`);
  return wallet;
}

/** Accepts a transfer. The same key is the same transfer, whatever its body says. */
function take(till: Till, rows: Row[], input: Transfer): Taken {
  const known = rows.find(({ key }) => key === input.idempotencyKey);
  if (known !== undefined) return { id: known.record.id, state: known.record.state };
  const { id: walletId, address } = walletOf(till, { address: input.walletAddress });
  const nowMs = Date.now();
  const record: Transaction = {
    id: randomUUID(),
    blockchain,
    state: 'INITIATED',
    transactionType: 'OUTBOUND',
    walletId,
    sourceAddress: address,
    destinationAddress: input.destinationAddress,
    tokenId,
    amounts: input.amounts,
    operation: 'TRANSFER',
    refId: input.refId,
    createDate: new Date(nowMs).toISOString(),
    updateDate: date,
  };
  const dueMs = nowMs + till.settings.settleMs;
  rows.push({ record, key: input.idempotencyKey, dueMs, createdMs: nowMs });
  till.taken.push(record);
  return { id: record.id, state: record.state };
}

function settleDue({ settings }: Till, rows: readonly Row[]): void {
  for (const { record, key, dueMs } of rows) {
    if (dueMs > Date.now() || finalState(record.state) !== undefined) continue;
    const txHash = `0x${key.replaceAll('-', '').repeat(2)}`;
    Object.assign(record, { txHash, ...settings.fate(record) });
  }
}

/** The records newest first, as the service lists them. */
function pageOf(rows: readonly Row[], input: Input<'listTransactions'>): Transaction[] {
  const ids = input.walletIds?.split(',');
  const to = input.destinationAddress?.toLowerCase();
  const fromMs = input.from === undefined ? 0 : Date.parse(String(input.from));
  const all = rows
    .filter(({ record, createdMs }) => {
      const isWallet = ids === undefined || ids.includes(record.walletId ?? '');
      const isTo = to === undefined || record.destinationAddress?.toLowerCase() === to;
      return isWallet && isTo && createdMs >= fromMs;
    })
    .map(({ record }) => record)
    .reverse();
  const first = all.findIndex(({ id }) => id === input.pageAfter) + 1;
  return all.slice(first, first + Math.min(Number(input.pageSize ?? 10), pageMax));
}

/** The wallet's money at the start, less what it has paid. */
function heldBy({ taken, settings }: Till, walletId: string): string {
  const paid = taken
    .filter((record) => record.walletId === walletId && record.state === 'COMPLETE')
    .reduce((sum, { amounts }) => sum + Math.round(Number(amounts?.[0]) * 1e6), 0);
  return ((Math.round(Number(settings.held) * 1e6) - paid) / 1e6).toString();
}
