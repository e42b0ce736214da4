import type { Sized, Sizing } from '../../../activities/payout/sizeBatch';
import { longReads, stopOf } from '../../order/custody';
import type { Answer } from '../../write/writeState';
import { type Batch, linesIn, noteOnBatch, type Payment } from './payments';
import type { Shard } from './shard';

/**
 * Finds out the gas that a batch of an account with a key needs if all of its lines succeed. The
 * limit is frozen with it: the service would take the least with which the batch succeeds while
 * lines of it fail.
 */
export async function withGas(shard: Shard, payment: Payment): Promise<Payment | Answer> {
  if (payment.step === 'line' || payment.gasLimit !== undefined) return payment;
  if (payment.wallet.accountType === 'SCA') return payment;
  const { item } = payment;
  try {
    const sized = await sizedWithOthers(shard, payment);
    if ('refused' in sized) return { kind: 'Refused', why: sized.refused, isAmbiguous: false };
    const { gasLimit, gasSavedPerLine } = sized;
    noteOnBatch(shard, item, { gasLimit });
    if (gasSavedPerLine !== undefined) {
      shard.carried.gasSaved = { ...shard.carried.gasSaved, [item]: gasSavedPerLine };
    }
    return { ...payment, gasLimit };
  } catch (error) {
    const stop = stopOf(error);
    if (stop === undefined) throw error;
    const kind = stop.type === 'Refused' ? 'Refused' : 'Again';
    if (kind === 'Again') shard.trouble = stop;
    // Nothing was sent, whatever became of the question.
    return { kind, why: stop.message, isAmbiguous: false };
  }
}

/** Batches that ask at the same moment share one activity, since each one is several events. */
async function sizedWithOthers(shard: Shard, batch: Batch): Promise<Sized> {
  shard.askingForGas ??= askTogether(shard);
  const { asked, answers } = shard.askingForGas;
  const at = asked.push(sizingOf(shard, batch)) - 1;
  const sized = (await answers)[at];
  if (sized === undefined) throw new Error(`A batch of ${linesIn(batch)} lines has no answer.`);
  return sized;
}

function askTogether(shard: Shard): NonNullable<Shard['askingForGas']> {
  const asked: Sizing[] = [];
  const ask = async (): Promise<Sized[]> => {
    // The others of this moment add theirs first.
    await Promise.resolve();
    delete shard.askingForGas;
    const lines = asked.reduce((sum, { payments }) => sum + payments.length, 0);
    return longReads(`gas of ${lines} lines in batches`).sizeBatches(asked);
  };
  return { asked, answers: ask() };
}

function sizingOf({ opened }: Shard, { wallet, token, payments }: Batch): Sizing {
  const { walletId, address, accountType } = wallet;
  return {
    wallet: { walletId, address, accountType },
    tokenAddress: token.address,
    payments: payments.map(({ to, baseUnits, mark }) => ({ to, baseUnits, mark })),
    feeLevel: opened.order.feeLevel,
  };
}
