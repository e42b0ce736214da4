import { type BatchedPayment, batchIn, beginningOf, markOf, multicallFrom } from '../custody/batch';
import type { CustodyApi } from '../custody/endpoints';
import type { UnderstoodCall } from './call/understoodCall';
import { lineStep } from './ledger/attempts';
import type { Ledger, LineAttempt } from './ledger/ledger';
import type { WalletBook } from './wallets';

/** A batch that an account with a key has paid, as its record shows it. */
export type SettledBatch = {
  txHash: string;
  from: string;
  tokenAddress: string;
  payments: readonly BatchedPayment[];
};

/** The places of the payments of a batch that have failed alone, as the chain proves. */
export type UnpaidIn = (batch: SettledBatch) => Promise<readonly number[]>;

type Facts = { ledger: Ledger; book: WalletBook; unpaidIn: UnpaidIn | undefined };

/**
 * Before a line is tried again: asks the chain if its attempt before has failed alone in a batch,
 * and tells the ledger. Without a node of the chain, such a line is not tried again.
 */
export function notingUnpaid(
  custody: Pick<CustodyApi, 'getTransaction'>,
  { ledger, book, unpaidIn }: Facts,
): (write: UnderstoodCall, lines: readonly LineAttempt[] | undefined) => Promise<void> {
  const note = async (id: string, ask: UnpaidIn): Promise<void> => {
    const { transaction } = await custody.getTransaction({ id });
    const { txHash, contractAddress } = transaction;
    const batch = batchIn(transaction);
    // A smart account pays all lines of a batch or none.
    const mayFailAlone = contractAddress?.toLowerCase() === multicallFrom.toLowerCase();
    if (txHash === undefined || batch === undefined || !mayFailAlone) return;
    const { address: from } = await book.byId(batch.walletId);
    const places = await ask({ ...batch, txHash, from });
    await ledger.unpaid(
      id,
      places.flatMap((at) => beginningOf(batch.payments[at]?.mark ?? '')),
    );
  };
  return async ({ identity }, lines) => {
    const { workflowId, step, item: lineId, generation } = identity.parts;
    const own = step === lineStep ? [{ lineId, generation }] : [];
    const again = (lines ?? own).filter((one) => one.generation > 0);
    if (unpaidIn === undefined) return;
    const batches = await Promise.all(
      again.map((one) => ledger.settledBatch(markOf(workflowId, one.lineId, one.generation - 1))),
    );
    for (const id of new Set(batches)) if (id !== undefined) await note(id, unpaidIn);
  };
}
