import type { Statements } from '../statements';
import type { TransactionRow } from './records';
import type { Stage } from './stages';

/** The queries of the engine. The cost of each depends on its answer, not on the table. */
export type TransactionQueries = {
  /** Of a stage and accepted by this time, oldest first. */
  acceptedBy(stage: Stage, atMs: number): TransactionRow[];
  /** When the first of a stage was accepted that was accepted after this time. */
  firstAcceptedAfter(stage: Stage, atMs: number): number | undefined;
  /** The wallets that have something in a stage. */
  walletsIn(stage: Stage): string[];
  /** A wallet's transactions in a stage that were accepted by this time, oldest first. */
  oldestOf(
    walletId: string,
    stage: Stage,
    options: { byMs: number; limit: number },
  ): TransactionRow[];
  /** The number of a wallet's transactions in these stages. */
  countOf(walletId: string, stages: readonly Stage[]): number;
};

const walletsSql = `
  WITH RECURSIVE heads (walletId) AS (
    SELECT MIN(walletId) FROM transactions WHERE stage = ?1
    UNION ALL
    SELECT (SELECT MIN(walletId) FROM transactions WHERE stage = ?1 AND walletId > heads.walletId)
    FROM heads WHERE heads.walletId IS NOT NULL
  )
  SELECT walletId AS text FROM heads WHERE walletId IS NOT NULL`;

export function transactionQueries(run: Statements): TransactionQueries {
  return {
    acceptedBy: (stage, atMs) =>
      run.docs(
        `SELECT doc FROM transactions WHERE stage = ? AND createdAtMs <= ?
         ORDER BY createdAtMs, seq`,
        stage,
        atMs,
      ),
    firstAcceptedAfter: (stage, atMs) =>
      run.number(
        `SELECT MIN(createdAtMs) AS number FROM transactions WHERE stage = ? AND createdAtMs > ?`,
        stage,
        atMs,
      ),
    walletsIn: (stage) => run.texts(walletsSql, stage),
    oldestOf: (walletId, stage, { byMs, limit }) =>
      run.docs(
        `SELECT doc FROM transactions INDEXED BY transactionsByWalletIdAndStage
         WHERE walletId = ? AND stage = ? AND createdAtMs <= ? ORDER BY seq LIMIT ?`,
        walletId,
        stage,
        byMs,
        limit,
      ),
    countOf: (walletId, stages) =>
      run.number(
        `SELECT COUNT(*) AS number FROM transactions INDEXED BY transactionsByWalletIdAndStage
         WHERE walletId = ? AND stage IN (${stages.map(() => '?').join(', ')})`,
        walletId,
        ...stages,
      ) ?? 0,
  };
}
