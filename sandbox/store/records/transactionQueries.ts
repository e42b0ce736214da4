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

/** The queries of the engine. The cost of each depends on its answer, not on the table. */
export function transactionQueries(run: Statements) {
  return {
    /** Transactions in a stage that were accepted by this time, oldest first. */
    acceptedBy: (stage: TransactionStage, atMs: number) =>
      run.docs<TransactionRow>(
        `SELECT doc FROM transactions WHERE stage = ? AND acceptedAtMs <= ?
         ORDER BY acceptedAtMs, seq`,
        stage,
        atMs,
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
    /** A wallet's transactions in a stage that were accepted by this time, oldest first. */
    oldestOf: (
      walletId: string,
      stage: TransactionStage,
      { byMs, limit }: { byMs: number; limit: number },
    ) =>
      run.docs<TransactionRow>(
        `SELECT doc FROM transactions INDEXED BY transactionsByWalletIdAndStage
         WHERE walletId = ? AND stage = ? AND acceptedAtMs <= ? ORDER BY seq LIMIT ?`,
        walletId,
        stage,
        byMs,
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
