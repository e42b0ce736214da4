import { sleep } from '@temporalio/activity';
import type { CustodyApi } from '../../src/custody/endpoints';
import { refHash } from '../../src/custody/idempotencyKey';
import { finalState } from '../../src/custody/objects/state';
import type { Transaction } from '../../src/custody/objects/transaction';
import { tryRead } from '../attempt';
import { everyPage } from '../everyPage';
import { readReference, since } from '../lookUp';

/** As much of a record as is held against the line: a history keeps hundreds of them. */
export type LineRecord = Pick<
  Transaction,
  | 'id'
  | 'blockchain'
  | 'state'
  | 'walletId'
  | 'sourceAddress'
  | 'destinationAddress'
  | 'tokenId'
  | 'amounts'
  | 'txHash'
  | 'userOpHash'
  | 'errorReason'
  | 'errorDetails'
>;

/** Which transactions are watched. */
export type Watch = {
  walletIds: string[];
  /** None of them is older. */
  sinceMs: number;
  /** The last digits of their ids, one after another: an id is long, and there are hundreds. */
  ends: string;
  /** How long it waits before the first look; before each of those that follow somewhat longer. */
  everyMs: number;
  /** After which it says that none of them is final. */
  patienceMs: number;
};

/** Which lines are looked for. */
export type LineSearch = {
  walletIds: string[];
  /** Nothing older can be one of them; the whole list is gone through where it is not said. */
  sinceMs?: number;
  /** Of the payout: what their references are made of. */
  workflowId: string;
  lineIds: string[];
};

/** Traces of lines in the service's list. */
export type FoundLines = {
  /** How many records were gone through. */
  seen: number;
  traces: { lineId: string; generation: number; record: LineRecord }[];
};

const slowing = 1.2;
const slowestMs = 1_000;

/** How many digits of an id tell it from the others of a shard. */
export const endDigits = 8;

/** Looks at many lines at once, by the service's lists. */
export function lineActivities(custody: CustodyApi) {
  const list = (
    search: Pick<LineSearch, 'walletIds' | 'sinceMs'>,
    areEnough?: (page: readonly Transaction[]) => boolean,
  ): Promise<Transaction[]> =>
    tryRead((signal) =>
      everyPage(async (page) => {
        const wallets = { walletIds: search.walletIds.join(','), includeAll: true };
        const input = { ...page, ...wallets, ...since(search), operation: 'TRANSFER' as const };
        return (await custody.listTransactions(input, { signal })).transactions;
      }, areEnough),
    );
  return {
    /**
     * Those of the watched transactions that are final, as soon as there are some. What is waited
     * for meanwhile is waited for here: a wait of the workflow would be five events.
     */
    async watchLines({ ends, everyMs, patienceMs, ...search }: Watch): Promise<LineRecord[]> {
      const untilMs = Date.now() + patienceMs;
      for (let delayMs = everyMs; ; delayMs = Math.min(delayMs * slowing, slowestMs)) {
        await sleep(delayMs);
        const wanted = new Set(ends.match(new RegExp(`.{${endDigits}}`, 'g')));
        const final: LineRecord[] = [];
        await list(search, (page) => {
          for (const record of page) {
            if (!wanted.delete(record.id.slice(-endDigits))) continue;
            if (finalState(record.state) !== undefined) final.push(briefly(record));
          }
          return wanted.size === 0;
        });
        if (final.length > 0 || Date.now() + delayMs > untilMs) return final;
      }
    },

    /** Every record of some lines, of whatever generation, whoever has sent it. */
    async findLines({ workflowId, lineIds, ...search }: LineSearch): Promise<FoundLines> {
      const step = { workflowId, step: 'line' };
      const byHash = new Map(lineIds.map((item) => [refHash({ ...step, item }), item]));
      const records = await list(search);
      const traces = records.flatMap((record) => {
        // What someone else received is no trace of what was sent.
        if (record.transactionType === 'INBOUND') return [];
        const { hash = '', generation = 0 } = readReference(record.refId);
        const lineId = byHash.get(hash);
        return lineId === undefined ? [] : [{ lineId, generation, record: briefly(record) }];
      });
      return { seen: records.length, traces };
    },
  };
}

function briefly(record: Transaction): LineRecord {
  const { id, blockchain, state, walletId, sourceAddress, destinationAddress } = record;
  const { tokenId, amounts, txHash, userOpHash, errorReason, errorDetails } = record;
  return {
    id,
    blockchain,
    state,
    walletId,
    sourceAddress,
    destinationAddress,
    tokenId,
    amounts,
    txHash,
    userOpHash,
    errorReason,
    errorDetails,
  };
}
