import type { Archive } from '../../src/books/archive/archive';
import { openNode } from '../../src/books/chain/node';
import { readPeriod, withEarlier } from '../../src/books/chain/period';
import { readStatement } from '../../src/books/statement';
import { DifferenceError, StatementError } from '../../src/books/statementError';
import { readStatementAsked, type StatementWanted } from '../../src/client/account/asked';
import type { StatementTold } from '../../src/client/account/told';
import type { CustodyApi } from '../../src/custody/endpoints';
import { tryRead } from '../attempt';
import { beating } from '../beating';
import { refusing, stop } from '../failure';

export type StatementSettings = {
  blockchain: string;
  chainRpcUrl: string | undefined;
  archive?: Archive | undefined;
};

/** Temporal keeps a result of two megabytes at most. */
const lettersMax = 1_000_000;

export function statementActivity(custody: CustodyApi, settings: StatementSettings) {
  return {
    /** Reads the statement of a wallet for some days, as `steadfast statement` does. */
    async readStatement(given: StatementWanted): Promise<StatementTold> {
      const asked = await refusing(() => readStatementAsked(given));
      try {
        return await beating(() => tryRead(() => statementOf(asked, custody, settings)));
      } catch (error) {
        const isWord = error instanceof StatementError || error instanceof DifferenceError;
        throw isWord ? stop('Refused', error.message) : error;
      }
    },
  };
}

async function statementOf(
  { wallet: id, from, to }: StatementWanted,
  custody: CustodyApi,
  { chainRpcUrl, blockchain, archive }: StatementSettings,
): Promise<StatementTold> {
  if (chainRpcUrl === undefined) {
    throw stop(
      'Refused',
      'CHAIN_RPC_URL: is not set for the workers. A statement is read from the chain: set it.',
    );
  }
  const { wallet } = await custody.getWallet({ id });
  const period = readPeriod(from, to);
  const receipts = archive?.receipts(withEarlier(period));
  const rows = readStatement({
    custody,
    blockchain,
    period,
    node: openNode(chainRpcUrl),
    wallets: [{ id: wallet.id, address: wallet.address.toLowerCase() }],
    ...(receipts && { receipts }),
  });
  let lines = '';
  for (let next = await rows.next(); ; next = await rows.next()) {
    if (next.done) return { lines, left: next.value };
    lines += `${JSON.stringify(next.value)}\n`;
    if (lines.length > lettersMax) throw tooLong({ id, from, to });
  }
}

function tooLong({ id, from, to }: { id: string; from: string; to: string }): Error {
  return stop(
    'Refused',
    'The statement has more rows than a page can show. Ask for fewer days, or write a file: ' +
      `npx --no-install steadfast statement --wallet ${id} --from ${from} --to ${to} --out FILE`,
  );
}
