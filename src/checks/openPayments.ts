import { batchIn } from '../custody/batch';
import type { CustodyApi } from '../custody/endpoints';
import { RefusedError } from '../custody/errors';
import { fromBaseUnits, isDecimal, toBaseUnits } from '../custody/objects/amount';
import { finalState } from '../custody/objects/state';
import type { Transaction } from '../custody/objects/transaction';
import { type NamedWrite, readWrite } from '../custody/reference';
import { networks } from '../networks/networks';
import { finest } from '../orders/payout/tally';
import { coinOf } from './coinOf';
import { dayMs, usualDays } from './gather';
import type { Paid } from './payment';

type Sent = Omit<Transaction, 'transactionType' | 'updateDate'> & { updateDate?: string };

/** The index of all that an account has sent, and the service that knows its tokens. */
export type OpenSources = {
  index: {
    isWhole(): Promise<boolean>;
    createdIn(period: { fromMs: number; untilMs: number }): Promise<Iterable<Sent>>;
  };
  custody: Pick<CustodyApi, 'getToken'>;
};

/**
 * The payments of the last days that the index of an account knows, such as those of orders that
 * run. Leaves out those of the order itself. Undefined before the index has read the whole list.
 */
export async function openPayments(
  { index, custody }: OpenSources,
  { orderId = '', nowMs }: { orderId?: string | undefined; nowMs: number },
): Promise<Paid[] | undefined> {
  if (!(await index.isWhole())) return undefined;
  const coin = coinsOf(custody);
  const found: Paid[] = [];
  const period = { fromMs: nowMs - usualDays * dayMs, untilMs: Number.MAX_SAFE_INTEGER };
  for (const record of await index.createdIn(period)) {
    const write = readWrite(record.refId);
    const end = finalState(record.state);
    if (write === undefined || isOf(orderId, write)) continue;
    if (end === undefined || end === 'COMPLETE') found.push(...(await paidIn(record, write, coin)));
  }
  return found;
}

/** Payments of an archive, and behind them the open ones that the archive does not have. */
export async function* withOpen(
  pages: AsyncIterable<Iterable<Paid>> | Iterable<Iterable<Paid>>,
  open: readonly Paid[],
): AsyncGenerator<Iterable<Paid>> {
  const left = new Map<string, Paid[]>();
  for (const one of open) left.set(keyOf(one), [...(left.get(keyOf(one)) ?? []), one]);
  for await (const page of pages) yield left.size === 0 ? page : without(page, left);
  yield [...left.values()].flat();
}

/** A page as it is. Each of its payments is no longer left. */
function* without(page: Iterable<Paid>, left: ReadonlyMap<string, Paid[]>): Generator<Paid> {
  for (const one of page) {
    left.get(keyOf(one))?.pop();
    yield one;
  }
}

/** One word for a payment, by which a record and its receipt are one. A batch names no lines. */
function keyOf({ orderId, to, amount, coin }: Paid): string {
  return `${orderId} ${to} ${amount} ${coin}`;
}

/** True for a write of an order. A long id is in its references by its end alone. */
function isOf(orderId: string, { workflowId, isWhole }: NamedWrite): boolean {
  return workflowId === orderId || (!isWhole && workflowId !== '' && orderId.endsWith(workflowId));
}

type Coin = (tokenId: string) => Promise<string | undefined>;

async function paidIn(record: Sent, write: NamedWrite, coin: Coin): Promise<Paid[]> {
  const { blockchain, state, updateDate, createDate, sourceAddress } = record;
  const isOver = finalState(state) !== undefined;
  const paid = {
    orderId: write.workflowId,
    lineId: write.item,
    isPayout: write.step === 'line' || write.batches !== undefined,
    sender: sourceAddress?.toLowerCase(),
    atMs: isOver ? Date.parse(updateDate ?? createDate) : undefined,
  };
  const batch = batchIn(record);
  if (batch !== undefined) {
    const address = batch.tokenAddress.toLowerCase();
    const tokens = networks[blockchain]?.tokens ?? [];
    const token = tokens.find((one) => one.address.toLowerCase() === address);
    if (token === undefined) return [];
    return batch.payments.map(({ to, baseUnits }) => {
      const amount = fromBaseUnits(BigInt(baseUnits), token.decimals);
      return { ...paid, lineId: '', to: to.toLowerCase(), amount, coin: coinOf(address) };
    });
  }
  const { destinationAddress: to, amounts, tokenId } = record;
  const own = to && tokenId ? await coin(tokenId) : undefined;
  if (!to || own === undefined) return [];
  return (amounts ?? []).filter(isDecimal).map((text) => {
    const amount = fromBaseUnits(toBaseUnits(text, finest), finest);
    return { ...paid, to: to.toLowerCase(), amount, coin: own };
  });
}

/** The coins of the service's tokens. Each is asked for once. */
function coinsOf(custody: OpenSources['custody']): Coin {
  const known = new Map<string, Promise<string | undefined>>();
  const ask = async (id: string): Promise<string | undefined> => {
    try {
      const { token } = await custody.getToken({ id });
      return token.isNative ? 'native' : token.tokenAddress && coinOf(token.tokenAddress);
    } catch (error) {
      if (error instanceof RefusedError) return undefined;
      throw error;
    }
  };
  return (id) => {
    const asked = known.get(id) ?? ask(id);
    known.set(id, asked);
    return asked;
  };
}
