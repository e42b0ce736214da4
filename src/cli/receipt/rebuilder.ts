import { receiptsOf, type Settled } from '../../../activities/chain/archive';
import type { Receipt } from '../../books/receipt';
import type { Effect } from '../../chain/effect';
import { type Place, readPlace } from '../../chain/place';
import { readChain } from '../../chain/readChain';
import type { CustodyConfig } from '../../config';
import { batchIn, batchStep, markOf } from '../../custody/batch';
import type { CustodyApi } from '../../custody/endpoints';
import { toBaseUnits } from '../../custody/objects/amount';
import { finalState } from '../../custody/objects/state';
import type { Transaction } from '../../custody/objects/transaction';
import { readBatches, readReference } from '../../custody/reference';
import type { Connected } from '../connect';
import { type Named, nameOrder, orderIds } from './named';

type Parts = CustodyConfig &
  Pick<Connected, 'client' | 'steadfast'> & {
    custody: CustodyApi;
    /** The ledgers whose seals count. */
    ledgers: readonly string[];
  };

/** Makes the receipts of a record. Returns a sentence for one that nobody can name any more. */
export async function rebuilder(
  parts: Parts,
): Promise<(record: Transaction) => Promise<Receipt[] | string>> {
  const ids = await orderIds(parts.client);
  return async (record) => {
    const named = await nameOrder(record, ids, parts.client);
    if (named === undefined) return `nobody knows the order of "${record.refId}" any more`;
    if (readBatches(record.refId) !== undefined) return linesOf(record, named, parts);
    const settled = await settledOf(record, named, parts);
    return receiptsOf({ ...placeOf(named, parts), settled: [settled] }, parts.ledgers);
  };
}

function placeOf({ order }: Named, { baseUrl, blockchain }: Parts) {
  return { order, service: baseUrl, blockchain };
}

async function settledOf(record: Transaction, named: Named, parts: Parts): Promise<Settled> {
  const { step, item } = named;
  const money = await moneyOf(record, parts);
  const { blockchain } = parts;
  const effect: Effect =
    money === undefined
      ? { kind: 'call', from: record.sourceAddress ?? '' }
      : { kind: 'transfer', tokenAddress: money.token.address, blockchain, ...money };
  const place = await readOn(record, effect, parts);
  return {
    ...factsOf(record),
    step,
    item,
    money,
    kind: money ? 'transfer' : record.operation === 'CONTRACT_DEPLOYMENT' ? 'deployment' : 'call',
    onChain: place && onChainOf(place, 0, 1),
  };
}

/** The lines that a batch has paid. Only Temporal knows which they are. */
async function linesOf(
  record: Transaction,
  named: Named,
  parts: Parts,
): Promise<Receipt[] | string> {
  const batch = batchIn(record);
  const { id } = named.order;
  if (batch === undefined) return 'its payments cannot be read';
  const { tokenAddress, payments } = batch;
  const from = record.sourceAddress ?? '';
  const effect: Effect = { kind: 'batch', tokenAddress, from, payments, isWhole: false };
  const place = await readOn(record, effect, parts);
  const settled: Settled[] = [];
  try {
    for await (const line of parts.steadfast.payoutLines(id)) {
      const { lineId: item, generation, to, amount, token: name } = line;
      const at = payments.findIndex(({ mark }) => mark === markOf(id, item, generation));
      const payment = payments[at];
      if (line.outcome !== 'paid' || payment === undefined) continue;
      const token = {
        name,
        address: tokenAddress,
        decimals: decimalsOf(amount, payment.baseUnits),
      };
      settled.push({
        ...factsOf(record),
        step: 'line',
        item,
        generation,
        kind: 'transfer' as const,
        batch: { step: batchStep, item: named.item, generation: factsOf(record).generation },
        money: { from, to, token, amount, baseUnits: payment.baseUnits },
        grounds: line.grounds,
        onChain: place && onChainOf(place, at, payments.length),
      });
    }
  } catch {
    return `Temporal has forgotten the lines of ${id}`;
  }
  return receiptsOf({ ...placeOf(named, parts), settled }, parts.ledgers);
}

/** The decimals with which an amount is so many base units. */
function decimalsOf(amount: string, baseUnits: string): number {
  for (let decimals = 0; decimals <= 36; decimals++) {
    const fraction = amount.split('.')[1]?.replace(/0+$/, '') ?? '';
    if (fraction.length > decimals) continue;
    if (toBaseUnits(amount, decimals).toString() === baseUnits) return decimals;
  }
  return 0;
}

function factsOf(record: Transaction) {
  const { id: transactionId, txHash, userOpHash, networkFee, updateDate: time } = record;
  const outcome = finalState(record.state) === 'COMPLETE' ? 'completed' : 'failed';
  const generation = readReference(record.refId)?.generation ?? 0;
  const sender = record.sourceAddress ?? '';
  return {
    transactionId,
    txHash,
    userOpHash,
    networkFee,
    time,
    outcome,
    generation,
    sender,
  } as const;
}

async function moneyOf(record: Transaction, { custody }: Parts): Promise<Receipt['money']> {
  const { tokenId, amounts, sourceAddress: from, destinationAddress: to } = record;
  const [amount] = amounts ?? [];
  if (!tokenId || amount === undefined || !from || !to) return undefined;
  const { token } = await custody.getToken({ id: tokenId });
  const { symbol = tokenId, decimals = 18, tokenAddress = '', isNative } = token;
  const address = isNative ? '' : tokenAddress;
  const name = isNative ? 'native' : symbol;
  const baseUnits = toBaseUnits(amount, decimals).toString();
  return { from, to, token: { name, address, decimals }, amount, baseUnits };
}

async function readOn(record: Transaction, effect: Effect, { chainRpcUrl }: Parts) {
  const { txHash, userOpHash, sourceAddress: sender = '' } = record;
  if (chainRpcUrl === undefined || txHash === undefined) return undefined;
  return readChain(chainRpcUrl, (chain) =>
    readPlace(chain, { txHash, userOpHash: userOpHash || undefined, sender, effect }),
  );
}

function onChainOf({ logs, fee, ...block }: Place, at: number, lines: number): Settled['onChain'] {
  return { ...block, logIndex: logs[at] ?? undefined, fee: { baseUnits: fee, lines } };
}
