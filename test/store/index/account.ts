import { randomUUID } from 'node:crypto';
import type { CustodyApi, Input } from '../../../src/custody/endpoints';
import { RefusedError } from '../../../src/custody/errors';
import type { Transaction } from '../../../src/custody/objects/transaction';
import { refHash, refId } from '../../../src/custody/reference';
import { type AccountIndex, createAccountIndex } from '../../../src/store/index/accountIndex';

/** An account at a service, with its records newest first. */
export type Account = {
  custody: CustodyApi;
  records: Transaction[];
  /** The pages that were read, and the records that were read one by one. */
  pages: Input<'listTransactions'>[];
  gets: string[];
  /** Called before each page. An error is the answer. */
  onPage: (page: number) => Error | undefined | Promise<void>;
  appId: string;
};

const startMs = Date.parse('2026-01-01T00:00:00Z');

/** The time of the account's n-th second. */
export function second(n: number): string {
  return new Date(startMs + n * 1_000).toISOString();
}

/** The record of the write of an order, sent in some second. */
export function recordOf(
  workflowId: string,
  at = 0,
  fields: Partial<Transaction> = {},
): Transaction {
  const parts = { workflowId, step: 'transfer', item: '1', generation: 0 };
  return {
    id: randomUUID(),
    blockchain: 'ARC-TESTNET',
    state: 'COMPLETE',
    transactionType: 'OUTBOUND',
    createDate: second(at),
    updateDate: second(at),
    walletId: '11111111-1111-4111-8111-111111111111',
    destinationAddress: '0x2222222222222222222222222222222222222222',
    amounts: ['5'],
    refId: refId(parts),
    ...fields,
  };
}

/** The hash by which the write of an order is looked up. */
export function hashOf(workflowId: string): string {
  return refHash({ workflowId, step: 'transfer', item: '1' });
}

/** As many records, one a second. The n-th is of the order `order-<n>`. */
export function manyRecords(count: number): Transaction[] {
  return Array.from({ length: count }, (_, n) => recordOf(`order-${n}`, n)).reverse();
}

/** New records on top of a list, one a second. The n-th is of the order `more-<n>`. */
export function more(count: number, from: number): Transaction[] {
  return Array.from({ length: count }, (_, n) => recordOf(`more-${n}`, from + n)).reverse();
}

export const graceMs = 600_000;
export const apartMs = 5;

/** An index of an account, in memory. */
export function indexOf({ custody }: Account): AccountIndex {
  return createAccountIndex({ custody, graceMs, apartMs });
}

/** The states of an order's records, as a look-up tells them. */
export async function statesOf(index: AccountIndex, ...orders: string[]): Promise<string[]> {
  const { entries } = await index.lookUp(orders.map(hashOf));
  return entries.map(({ record }) => record.state);
}

export const tooMany = () =>
  new RefusedError('Too many requests', { status: 429, code: 429, retryAfterMs: 5 });

/** Without links, the service does not tell if a page is the last, as in the header `Link`. */
export function openAccount(records: Transaction[] = [], { hasLinks = true } = {}): Account {
  const account: Account = {
    custody: {} as CustodyApi,
    records,
    pages: [],
    gets: [],
    onPage: () => undefined,
    appId: randomUUID(),
  };
  const answers: Partial<CustodyApi> = {
    getEntityConfig: async () => ({ appId: account.appId }),
    listTransactions: async (input, how) => {
      account.pages.push(input);
      const error = await account.onPage(account.pages.length);
      if (error !== undefined) throw error;
      const rising = input.order === 'ASC' ? account.records.toReversed() : account.records;
      const listed = rising.filter((record) => fits(record, input));
      const first = listed.findIndex(({ id }) => id === input.pageAfter) + 1;
      if (first === 0 && input.pageAfter !== undefined) throw noCursor();
      const page = listed.slice(first, first + Number(input.pageSize));
      const isLast = first + page.length >= listed.length;
      if (hasLinks) how?.paged?.(isLast ? {} : { next: String(page.at(-1)?.id) });
      return { transactions: structuredClone(page) };
    },
    getTransaction: async ({ id }) => {
      account.gets.push(id);
      const transaction = account.records.find((record) => record.id === id);
      if (transaction === undefined)
        throw new RefusedError('Transaction not found.', { status: 404, code: 156003 });
      return { transaction: structuredClone(transaction) };
    },
  };
  account.custody = answers as CustodyApi;
  return account;
}

function fits(
  record: Transaction,
  { txType, walletIds, from, to }: Input<'listTransactions'>,
): boolean {
  const isOfType = txType === undefined || record.transactionType === txType;
  const ms = Date.parse(record.createDate);
  if (from !== undefined && ms < Date.parse(from)) return false;
  if (to !== undefined && ms > Date.parse(to)) return false;
  return isOfType && (walletIds?.split(',').includes(record.walletId ?? '') ?? true);
}

function noCursor(): Error {
  return new RefusedError('There is no such page', { status: 400, code: 156014 });
}
