import { batchIn } from '../custody/batch';
import type { CustodyApi } from '../custody/endpoints';
import { orAbsent } from '../custody/errors';
import { networks } from '../custody/networks/networks';
import { fromBaseUnits, isDecimal, toBaseUnits } from '../custody/objects/amount';
import { finalState } from '../custody/objects/state';
import type { Transaction } from '../custody/objects/transaction';
import { batchesHash, type NamedWrite, readWrite, refHash } from '../custody/reference';
import { usualDays } from '../orders/input/checkedLines';
import { finest } from '../orders/payout/tally';
import { addTo } from './addTo';
import { coinOf } from './coinOf';
import { dayMs } from './gather';
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

/** A payment of the index, and its write. All payments of a batch have the hash of its payout. */
export type OpenPaid = Paid & { step: string; hash: string };

/** The order that is checked. Its lines tell its own records where these have lost its id. */
type Own = {
  orderId?: string | undefined;
  payments?: readonly { lineId: string }[];
  /** Days to look back. */
  days?: number | undefined;
  nowMs: number;
};

/**
 * The payments of the last days that the index of an account knows, such as those of orders that
 * run. Leaves out those of the order itself. Undefined before the index has read the whole list.
 */
export async function openPayments(
  { index, custody }: OpenSources,
  { nowMs, days = usualDays, ...own }: Own,
): Promise<OpenPaid[] | undefined> {
  if (!(await index.isWhole())) return undefined;
  const coin = coinsOf(custody);
  const isOwn = ownOf(own);
  const found: OpenPaid[] = [];
  const period = { fromMs: nowMs - days * dayMs, untilMs: Number.MAX_SAFE_INTEGER };
  for (const record of await index.createdIn(period)) {
    const write = readWrite(record.refId);
    const end = finalState(record.state);
    if (write === undefined || isOwn(write)) continue;
    if (end === undefined || end === 'COMPLETE') found.push(...(await paidIn(record, write, coin)));
  }
  return found;
}

/** Payments of an archive, and behind them the open ones that the archive does not have. */
export async function* withOpen(
  pages: AsyncIterable<Iterable<Paid>> | Iterable<Iterable<Paid>>,
  open: readonly OpenPaid[],
): AsyncGenerator<Iterable<Paid>> {
  const left: Left = { steps: new Set(), alike: new Set(), byWrite: new Map() };
  for (const one of open) {
    addTo(left.byWrite, `${one.hash} ${paymentOf(one)}`, one);
    left.steps.add(one.step);
    left.alike.add(paymentOf(one));
  }
  for await (const page of pages) yield open.length === 0 ? page : without(page, left);
  yield [...left.byWrite.values()].flat();
}

/** The open payments that no archive has told yet, and what they have in common. */
type Left = { steps: Set<string>; alike: Set<string>; byWrite: Map<string, Paid[]> };

/** A page as it is. Each of its payments is no longer left. */
function* without(page: Iterable<Paid>, { steps, alike, byWrite }: Left): Generator<Paid> {
  for (const one of page) {
    const payment = paymentOf(one);
    if (alike.has(payment)) {
      const keys = hashesOf(one, steps).map((hash) => `${hash} ${payment}`);
      keys
        .map((key) => byWrite.get(key))
        .find((same) => same?.length)
        ?.pop();
    }
    yield one;
  }
}

function paymentOf({ to, amount, coin }: Paid): string {
  return `${to} ${amount} ${coin}`;
}

/** The hashes that the write of a payment may have, by its step or by its batches. */
function hashesOf({ orderId, lineId, isPayout }: Paid, steps: ReadonlySet<string>): string[] {
  const named = isPayout ? ['line'] : [...steps];
  const hashes = named.map((step) => refHash({ workflowId: orderId, step, item: lineId }));
  return isPayout ? [...hashes, batchesHash(orderId)] : hashes;
}

/** Tells writes of an order by their hash. A reference that has lost the id may be of its lines. */
function ownOf({
  orderId = '',
  payments = [],
}: Omit<Own, 'nowMs' | 'days'>): (one: NamedWrite) => boolean {
  const batches = batchesHash(orderId);
  let lines: Set<string> | undefined;
  return ({ workflowId, step, item, isWhole, hash, ...write }) => {
    if (isWhole) return workflowId === orderId;
    if (write.batches !== undefined) return write.batches === batches;
    if (workflowId !== '') return refHash({ workflowId: orderId, step, item }) === hash;
    lines ??= new Set(
      payments.map(({ lineId }) => refHash({ workflowId: orderId, step: 'line', item: lineId })),
    );
    return lines.has(hash);
  };
}

/** An order as its reference names it. Only the end of a long id is known, or nothing of it. */
function orderOf({ workflowId, isWhole }: NamedWrite, isPayout: boolean): string {
  if (isWhole) return workflowId;
  const of = isPayout ? 'a payout' : 'an order';
  return workflowId === '' ? `${of} of a long id` : `${of} whose id ends in "${workflowId}"`;
}

type Coin = (tokenId: string) => Promise<string | undefined>;

async function paidIn(record: Sent, write: NamedWrite, coin: Coin): Promise<OpenPaid[]> {
  const { blockchain, state, updateDate, createDate, sourceAddress } = record;
  const isOver = finalState(state) !== undefined;
  const isPayout = write.step === 'line' || write.batches !== undefined;
  const paid = {
    orderId: orderOf(write, isPayout),
    lineId: write.workflowId === '' ? '' : write.item,
    step: write.step,
    hash: write.batches ?? write.hash,
    isPayout,
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
    const { token } = (await custody.getToken({ id }).catch(orAbsent)) ?? {};
    return token?.isNative ? 'native' : token?.tokenAddress && coinOf(token.tokenAddress);
  };
  return (id) => {
    const asked = known.get(id) ?? ask(id);
    known.set(id, asked);
    return asked;
  };
}
