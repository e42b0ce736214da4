import type { Sized, Sizing } from '../../../../activities/payout/sizeBatch';
import { longReads, stopOf } from '../../../order/activities';
import type { AttemptOutcome } from '../../../write/machine/writeState';
import { type Batch, lineCount, noteOnBatch, type Payment } from '../payments';
import type { Shard } from '../shard';

/**
 * Finds out the gas that a batch of an account with a key needs if all of its lines succeed. The
 * limit is frozen with it: the service would take the least with which the batch succeeds while
 * lines of it fail.
 */
export async function withGas(shard: Shard, payment: Payment): Promise<Payment | AttemptOutcome> {
  if (!isUnsized(payment)) return payment;
  const { item } = payment;
  try {
    const sized = await sizeOf(shard, payment);
    shard.sizes.delete(item);
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

/**
 * Number of batches that one activity asks about. They are sent while it asks about others. The
 * service takes ten such questions at once, and ten a second from then on. Nothing else is on its
 * way while the first ones are asked, so these are fewer.
 */
const askedMax = { first: 3, next: 7 };
/** After this time the gas may be another one. */
const keptMs = 30_000;

/** The answer about a batch. The next ones are asked about with it: an activity is six events. */
function sizeOf(shard: Shard, batch: Batch): Promise<Sized> {
  const { sizes } = shard;
  const known = sizes.get(batch.item);
  if (known !== undefined && known.atMs > Date.now() - keptMs) return known.sized;
  const next = shard.payments
    .at('ready', 'sending')
    .filter(
      (one): one is Batch => isUnsized(one) && one.item !== batch.item && !sizes.has(one.item),
    );
  const asked = [batch, ...next].slice(0, sizes.size === 0 ? askedMax.first : askedMax.next);
  const answers = askAfter(shard, asked);
  for (const [at, { item }] of asked.entries()) {
    const sized = answers.then((all) => answerAt(all, at));
    // Nobody waits yet for the answer about a next one. It is asked about again.
    sized.catch(() => sizes.delete(item));
    sizes.set(item, { atMs: Date.now(), sized });
  }
  return answers.then((all) => answerAt(all, 0));
}

/** One question at a time, since reads are limited too. */
function askAfter(shard: Shard, asked: readonly Batch[]): Promise<Sized[]> {
  const lines = asked.reduce((sum, one) => sum + lineCount(one), 0);
  const ask = () =>
    longReads(`gas of ${lines} lines in batches`).sizeBatches(
      asked.map((one) => sizingOf(shard, one)),
    );
  const answers = shard.sizing.then(ask, ask);
  shard.sizing = answers;
  return answers;
}

function answerAt(all: readonly Sized[], at: number): Sized {
  const sized = all[at];
  if (sized === undefined) throw new Error(`Of ${all.length} answers none is number ${at}.`);
  return sized;
}

/** True for a batch of an account with a key, whose gas is not known. */
function isUnsized(one: Payment): one is Batch {
  return one.step !== 'line' && one.gasLimit === undefined && one.wallet.accountType !== 'SCA';
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
