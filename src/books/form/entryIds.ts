import type { StatementRow } from '../statement';
import { digestOf } from './accountId';

/** Characters that a reference of ISO 20022 has room for, and a little less. */
const idDigits = 32;

/**
 * Names the movements of one account, in their order. A movement has the same id in every
 * statement, so that a program that has read it before leaves it out.
 */
export function createEntryIds(): (row: StatementRow) => string {
  let transaction: string | undefined;
  const times = new Map<string, number>();
  return (row) => {
    const { txHash, logIndex, wallet, token, contract, item } = row;
    if (txHash !== transaction) times.clear();
    transaction = txHash;
    const place = [txHash, logIndex, wallet, contract ?? token, item, row.row];
    // A coin may move without a log, several times in one transaction.
    const alike = JSON.stringify([...place, row.counterparty, row.baseUnits]);
    const before = times.get(alike) ?? 0;
    times.set(alike, before + 1);
    return digestOf(`${alike} ${before}`).slice(0, idDigits);
  };
}
