import type { Statements } from '../statements';
import type { TransactionRow } from './records';
import type { TransactionStage } from './stages';

const walletsSql = `
  WITH RECURSIVE heads (walletId) AS (
    SELECT MIN(walletId) FROM transactions WHERE stage = ?1
    UNION ALL
    SELECT (SELECT MIN(walletId) FROM transactions WHERE stage = ?1 AND walletId > heads.walletId)
    FROM heads WHERE heads.walletId IS NOT NULL
  )
  SELECT walletId AS text FROM heads WHERE walletId IS NOT NULL`;

/**
 * The acceptances whose time in a stage is over: until `byMs`, and after `aheadMs`, which only a
 * clock that was set back has brought.
 */
export type Acceptances = { byMs: number; aheadMs: number };

/** The queries of the engine. The cost of each depends on its answer, not on the table. */
export function transactionQueries(run: Statements) {
  return {
    /** Transactions in a stage that were accepted then, oldest first. */
    accepted: (stage: TransactionStage, { byMs, aheadMs }: Acceptances) =>
      run.docs<TransactionRow>(
        `SELECT doc FROM transactions
         WHERE stage = ?1 AND acceptedAtMs <= ?2 OR stage = ?1 AND acceptedAtMs > ?3
         ORDER BY acceptedAtMs, seq`,
        stage,
        byMs,
        aheadMs,
      ),
    /** When the first of a stage was accepted that was accepted after this time. */
    firstAcceptedAfter: (stage: TransactionStage, atMs: number) =>
      run.number(
        `SELECT MIN(acceptedAtMs) AS number FROM transactions WHERE stage = ? AND acceptedAtMs > ?`,
        stage,
        atMs,
      ),
    /** The wallets that have something in a stage. */
    walletsIn: (stage: TransactionStage) => run.texts(walletsSql, stage),
    /** A wallet's transactions in a stage that were accepted then, oldest first. */
    oldestOf: (
      walletId: string,
      stage: TransactionStage,
      { byMs, aheadMs, limit }: Acceptances & { limit: number },
    ) =>
      run.docs<TransactionRow>(
        `SELECT doc FROM transactions INDEXED BY transactionsByWalletIdAndStage
         WHERE walletId = ? AND stage = ? AND (acceptedAtMs <= ? OR acceptedAtMs > ?)
         ORDER BY seq LIMIT ?`,
        walletId,
        stage,
        byMs,
        aheadMs,
        limit,
      ),
    /** The number of a wallet's transactions in these stages. */
    countOf: (walletId: string, stages: readonly TransactionStage[]) =>
      run.number(
        `SELECT COUNT(*) AS number FROM transactions INDEXED BY transactionsByWalletIdAndStage
         WHERE walletId = ? AND stage IN (${stages.map(() => '?').join(', ')})`,
        walletId,
        ...stages,
      ) ?? 0,
  };
}
