import { attemptMark, type BatchedPayment, batchIn, markOf, multicallFrom } from '../custody/batch';
import type { CustodyApi } from '../custody/endpoints';
import type { LineTarget } from '../orders/payout/lineTarget';
import type { UnderstoodCall } from './call/understoodCall';
import { lineStep } from './ledger/attempts';
import type { Ledger } from './ledger/ledger';

/** A batch that an account with a key has paid, as it was ordered. */
type SettledBatch = {
  txHash: string;
  from: string;
  tokenAddress: string;
  payments: readonly BatchedPayment[];
};

/** The places of the payments of a batch that have failed alone, as the chain proves. */
export type UnpaidIn = (batch: SettledBatch) => Promise<readonly number[]>;

type Facts = { ledger: Ledger; unpaidIn: UnpaidIn | undefined };

/**
 * Before a line is tried again: asks the chain if its attempt before has failed alone in a batch,
 * and tells the ledger. Without a node of the chain, such a line is not tried again.
 */
export function notingUnpaid(
  custody: Pick<CustodyApi, 'getTransaction'>,
  { ledger, unpaidIn }: Facts,
): (write: UnderstoodCall, lines: readonly LineTarget[] | undefined) => Promise<void> {
  const note = async (id: string, ask: UnpaidIn): Promise<void> => {
    const ordered = await ledger.orderedAs(id);
    if (ordered?.does.kind !== 'execution') return;
    const { does, sender: from } = ordered;
    const batch = batchIn(does);
    // A smart account pays all lines of a batch or none.
    const mayFailAlone = does.contractAddress.toLowerCase() === multicallFrom.toLowerCase();
    if (batch === undefined || !mayFailAlone) return;
    // Only the transaction is looked up at the service. The chain tells if it is the ordered one.
    const { txHash } = (await custody.getTransaction({ id })).transaction;
    if (txHash === undefined) return;
    const places = await ask({ ...batch, txHash, from });
    await ledger.unpaid(
      id,
      places.flatMap((at) => attemptMark(batch.payments[at]?.mark ?? '')),
    );
  };
  return async ({ identity }, lines) => {
    const { workflowId, step, item: lineId, generation } = identity.parts;
    const own = step === lineStep ? [{ lineId, generation }] : [];
    const again = (lines ?? own).filter((one) => one.generation > 0);
    if (unpaidIn === undefined) return;
    const batches = await Promise.all(
      again.map((one) =>
        ledger.settledBatch(workflowId, markOf(workflowId, one.lineId, one.generation - 1)),
      ),
    );
    for (const id of new Set(batches)) if (id !== undefined) await note(id, unpaidIn);
  };
}
