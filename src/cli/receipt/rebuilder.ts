import { receiptFault, type WriteReceipt } from '../../books/receipt';
import { receiptsOf, type Settled } from '../../books/settled';
import type { BatchEffect } from '../../chain/batchEffect';
import type { Effect } from '../../chain/effect';
import type { Place } from '../../chain/place';
import type { CustodyConfig } from '../../config';
import { batchIn, batchStep, isAtomic, markOf } from '../../custody/batch';
import type { CustodyApi } from '../../custody/endpoints';
import { toBaseUnits } from '../../custody/objects/amount';
import { listedToken } from '../../custody/objects/money';
import { sameText } from '../../custody/objects/sameText';
import { finalState } from '../../custody/objects/state';
import type { Transaction } from '../../custody/objects/transaction';
import { readBatches, readReference } from '../../custody/reference';
import { countedSeals } from '../../writer/signing/seal';
import type { Connected } from '../connect';
import { type NamedOrder, nameOrder, orderIds } from './named';
import { shownPlace } from './shownPlace';

type Parts = CustodyConfig &
  Pick<Connected, 'client' | 'steadfast'> & {
    custody: CustodyApi;
    /** The ledgers whose seals count. */
    ledgers: readonly string[];
  };

/** Receipts of a record, and the reasons why it has not all that it should have. */
type Rebuilt = { receipts: WriteReceipt[]; faults: string[] };

/** Makes the receipts of a record. Has a sentence for what nobody can name or prove any more. */
export async function rebuilder(parts: Parts): Promise<(record: Transaction) => Promise<Rebuilt>> {
  const ids = await orderIds(parts.client);
  return async (record) => {
    const named = await nameOrder(record, ids, parts.client);
    if (named === undefined) return without(`nobody knows the order of "${record.refId}" any more`);
    const isBatch = readBatches(record.refId) !== undefined;
    const made = await (isBatch ? linesOf : writeOf)(record, named, parts);
    const rebuilt: Rebuilt = { receipts: [], faults: [...made.faults] };
    for (const receipt of made.receipts) {
      const fault = receiptFault(receipt);
      if (fault === undefined) rebuilt.receipts.push(receipt);
      else rebuilt.faults.push(fault);
    }
    return rebuilt;
  };
}

function without(fault: string): Rebuilt {
  return { receipts: [], faults: [fault] };
}

function placeOf({ order }: NamedOrder, { baseUrl, blockchain }: Parts) {
  return { order, service: baseUrl, blockchain };
}

async function writeOf(record: Transaction, named: NamedOrder, parts: Parts): Promise<Rebuilt> {
  const { step, item } = named;
  const money = await moneyOf(record, parts);
  const effect = effectOf(record, money, parts);
  const shown = await shownPlace(record, effect, parts.chainRpcUrl);
  if (typeof shown === 'string') return without(shown);
  const onChain = shown.place && onChainOf(shown.place, 0, 1);
  const settled: Settled = {
    ...factsOf(record),
    step,
    item,
    money,
    kind: effect.kind,
    onChain,
  };
  const receipts = receiptsOf(
    { ...placeOf(named, parts), settled: [settled] },
    countedSeals(parts.ledgers),
  );
  return { receipts, faults: [] };
}

/** The effect that a record tells of. Where an account calls its own address, any call counts. */
function effectOf(
  record: Transaction,
  money: WriteReceipt['money'],
  { blockchain }: Parts,
): Exclude<Effect, BatchEffect> {
  const { sourceAddress: from = '', operation, contractAddress = '' } = record;
  const { abiFunctionSignature, abiParameters } = record;
  if (money !== undefined) {
    return { kind: 'transfer', tokenAddress: money.token.address, blockchain, ...money };
  }
  if (operation === 'CONTRACT_DEPLOYMENT') return { kind: 'deployment', from };
  if (!abiFunctionSignature || sameText(contractAddress, from)) return { kind: 'call', from };
  const called = { contractAddress, abiFunctionSignature, abiParameters: abiParameters ?? [] };
  return { kind: 'call', from, of: called };
}

/** The lines that a batch has paid. Only Temporal knows which they are. */
async function linesOf(record: Transaction, named: NamedOrder, parts: Parts): Promise<Rebuilt> {
  const batch = batchIn(record);
  const { id } = named.order;
  if (batch === undefined) return without('its payments cannot be read');
  const { tokenAddress, payments } = batch;
  const { sourceAddress: from = '', contractAddress } = record;
  const isSmart = sameText(contractAddress, from);
  const isWhole = isAtomic({ accountType: isSmart ? 'SCA' : 'EOA' }, payments);
  const effect: Effect = { kind: 'batch', tokenAddress, from, payments, isWhole, isSmart };
  const shown = await shownPlace(record, effect, parts.chainRpcUrl);
  if (typeof shown === 'string') return without(shown);
  const { place } = shown;
  const settled: Settled[] = [];
  const faults: string[] = [];
  try {
    for await (const line of parts.steadfast.payoutLines(id)) {
      const { lineId: item, generation, to, amount, token: name } = line;
      const at = payments.findIndex(({ mark }) => mark === markOf(id, item, generation));
      const payment = payments[at];
      if (line.outcome !== 'paid' || payment === undefined) continue;
      if (place !== undefined && place.logs[at] == null) {
        faults.push(`Temporal calls its line ${item} paid, and the chain shows no payment of it`);
        continue;
      }
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
    return without(`Temporal has forgotten the lines of ${id}`);
  }
  return {
    receipts: receiptsOf({ ...placeOf(named, parts), settled }, countedSeals(parts.ledgers)),
    faults,
  };
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

async function moneyOf(
  record: Transaction,
  { custody, blockchain }: Parts,
): Promise<WriteReceipt['money']> {
  const { tokenId, amounts, sourceAddress: from, destinationAddress: to } = record;
  const [amount] = amounts ?? [];
  if (!tokenId || amount === undefined || !from || !to) return undefined;
  const { token } = await custody.getToken({ id: tokenId });
  const { decimals = 18, tokenAddress = '', isNative } = token;
  const address = isNative ? '' : tokenAddress;
  // Anybody can choose a symbol. A receipt has only those that are listed.
  const name = listedToken(blockchain, address)?.symbol ?? address;
  const baseUnits = toBaseUnits(amount, decimals).toString();
  return { from, to, token: { name, address, decimals }, amount, baseUnits };
}

function onChainOf({ logs, fee, ...block }: Place, at: number, lines: number): Settled['onChain'] {
  return { ...block, logIndex: logs[at] ?? undefined, fee: { baseUnits: fee, lines } };
}
