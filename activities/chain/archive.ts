import { Context, log } from '@temporalio/activity';
import type { Archive } from '../../src/books/archive/archive';
import type { WriteReceipt } from '../../src/books/receipt';
import { receiptsOf, type Settlements } from '../../src/books/settled';
import { meterOf } from '../../src/telemetry/meter';
import { countedSeals } from '../../src/writer/signing/seal';
import { stop } from '../failure';
import { isOwnOrder } from '../ownRun';

/**
 * Keeps the receipts of orders. Workers of the role workflows run it. Grounds count only with the
 * seal of one of these ledgers.
 */
export function archiveActivities(archive?: Archive, ledgers: readonly string[] = []) {
  return {
    /**
     * Adds the receipts of its own order to the archive. Each write has one there, however often
     * this is called. Throws NeedsOperator while they cannot be kept.
     */
    async archiveReceipts(settlements: Settlements): Promise<void> {
      refuseForeign(settlements);
      if (archive === undefined) {
        throw stop(
          'NeedsOperator',
          'STEADFAST_STORE is not set on this worker, but the receipts of this order go to the ' +
            'archive. Set it and restart the worker.',
        );
      }
      try {
        const before = (await archive.head())?.at ?? 0;
        const receipts = receiptsOf(settlements, countedSeals(ledgers));
        tellUnsealed(settlements, receipts);
        await archive.append(receipts);
        await tellContradictions(archive, before);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw stop('NeedsOperator', `The receipts of this order cannot be kept yet. ${reason}`);
      }
    },
  };
}

/** Refuses what a caller has scheduled. An order keeps its own receipts alone. */
function refuseForeign({ order: { id } }: Settlements): void {
  if (isOwnOrder(id)) return;
  throw stop('Refused', `Only an order keeps its receipts, in its own worker. ${id} did not ask.`);
}

/** Tells of grounds that were left out. The receipt itself is true without them. */
function tellUnsealed({ order, settled }: Settlements, kept: readonly WriteReceipt[]): void {
  for (const [at, { step, item, grounds }] of settled.entries()) {
    if (grounds === undefined || kept[at]?.grounds !== undefined) continue;
    const ledger = grounds.seal?.ledger ?? 'none';
    const words =
      'The grounds of a write have no seal of a ledger that counts here, so its receipt has none. ' +
      'STEADFAST_LEDGER_ID names such ledgers.';
    log.warn(words, { order: order.id, write: `${step}/${item}`, ledger });
  }
}

/** Alarms of each receipt that contradicts an earlier one of its write. */
async function tellContradictions(archive: Archive, before: number): Promise<void> {
  for await (const { receipt } of archive.rowsFrom(before + 1)) {
    if (receipt.contradicts === undefined) continue;
    meterOf(Context.current().metricMeter).count('steadfast_contradicting_receipts_total', {});
    const write = `${receipt.step}/${receipt.item}#${receipt.generation}`;
    log.error('Two receipts of one write contradict each other: see steadfast archive verify.', {
      order: receipt.order.id,
      write,
    });
  }
}
