import type { Memory } from '../../activities/guard/memory';
import type { OnChain, Settled, Settlements } from '../../src/books/settled';
import type { Place } from '../../src/chain/place';
import { fromBaseUnits } from '../../src/custody/objects/amount';
import type { Exchange } from '../../src/orders/exchange/exchange';
import type { WriteState } from '../write/machine/writeState';
import type { Transacting } from '../write/step';
import { holdTask, type Stop, stopOf } from './activities';

/** A settled write, for the archive. Undefined for one without a final record. */
export function settledOf(
  step: Transacting,
  { stage, record, generation }: WriteState,
  own: Pick<Settled, 'onChain' | 'batch' | 'grounds' | 'reference' | 'name' | 'exchange'> & {
    networkFee?: undefined;
    userOpHash?: string | undefined;
  },
): Settled | undefined {
  if (record === undefined || (stage !== 'completed' && stage !== 'failed')) return undefined;
  const { id: transactionId, txHash, userOpHash, networkFee, updateDate } = record;
  const { kind } = step.effect;
  return {
    step: step.step,
    item: step.item,
    generation,
    transactionId,
    txHash,
    userOpHash,
    outcome: stage,
    kind: kind === 'batch' ? 'call' : kind,
    sender: step.sender,
    money: moneyOf(step),
    networkFee,
    time: updateDate ?? new Date().toISOString(),
    ...own,
  };
}

function moneyOf({ effect, expected }: Transacting): Settled['money'] {
  if (effect.kind === 'mint') {
    const { contractAddress: address, to, baseUnits, decimals } = effect;
    const amount = fromBaseUnits(BigInt(baseUnits), decimals);
    return { from: nobody, to, token: { name: address, address, decimals }, amount, baseUnits };
  }
  const { token, amount } = expected;
  if (effect.kind !== 'transfer' || token === undefined || amount === undefined) return undefined;
  const { from, to, baseUnits } = effect;
  const { name, address, decimals } = token;
  return { from, to, token: { name, address, decimals }, amount, baseUnits };
}

/** The sender of what a token mints. */
const nobody = `0x${'0'.repeat(40)}`;

/** The place of one payment of a transaction. In a batch, many payments share the fee. */
export function onChainOf({ logs, fee, ...block }: Place, at = 0, lines = 1): OnChain {
  return { ...block, logIndex: logs[at] ?? undefined, fee: { baseUnits: fee, lines } };
}

/** The order of some settled writes. */
export function headingOf(
  id: string,
  { memory, blockchain, order }: Opened,
): Omit<Settlements, 'settled'> {
  const { fingerprint: digest, money, baseUrl: service } = memory;
  const { reference, exchange } = order;
  const heading = { id, kind: String(money.kind), digest, reference, exchange };
  return { order: heading, service, blockchain };
}

/** An opened order, as far as its receipts tell of it. */
type Opened = {
  memory: Memory;
  blockchain: string;
  order: { reference?: string | undefined; exchange?: Exchange | undefined };
};

/** Makes one attempt to add receipts to the archive. Returns the reason if it fails. */
export async function archive(settlements: Settlements): Promise<Stop | undefined> {
  try {
    const summary = `receipts for the archive: ${settlements.settled.length}`;
    await holdTask(summary).archiveReceipts(settlements);
    return undefined;
  } catch (error) {
    const stop = stopOf(error);
    if (stop === undefined) throw error;
    return stop;
  }
}
