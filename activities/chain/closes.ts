import { CancelledFailure, Context } from '@temporalio/activity';
import type { Archive } from '../../src/books/archive/archive';
import { openPlaces } from '../../src/books/archive/places';
import { verifySince } from '../../src/books/archive/verify';
import { openNode } from '../../src/books/chain/node';
import { spanWhenOver, withEarlier } from '../../src/books/chain/period';
import { type Closed, closeDay } from '../../src/books/reconcile/closeDay';
import { DifferenceError, NoWalletError, OtherAccountError } from '../../src/books/statementError';
import { ordersIn } from '../../src/client/temporal/ordersIn';
import { payoutLines } from '../../src/client/temporal/payoutLines';
import { startClose } from '../../src/client/temporal/startClose';
import type { StartedOrder } from '../../src/client/temporal/startOnce';
import type { CustodyApi } from '../../src/custody/endpoints';
import {
  type CloseAsked,
  closeKind,
  periodOfDay,
  readCloseAsked,
  readCloseDay,
} from '../../src/orders/schedule/dailyClose';
import { firstPairs } from '../../src/orders/starting';
import { refusing, stop } from '../failure';

/** Progress of a close, as its pending activity shows it. */
type CloseProgress = { what: string; percent: number };

export type CloseSettings = {
  blockchain: string;
  chainRpcUrl: string | undefined;
  archive?: Archive | undefined;
  /** The store of the archive. The places of a close are kept there. */
  store?: string | undefined;
  searchAttributes: boolean;
};

const beatMs = 2_000;

export function closeActivities(custody: CustodyApi, settings: CloseSettings) {
  return {
    /**
     * Reconciles a day that is over. Sends heartbeats with its progress. A lost try
     * begins again, since it only reads.
     */
    async closeDay(asked: CloseAsked): Promise<Closed> {
      const beat = beating();
      try {
        return await closing(asked, { custody, settings, onProgress: beat.told });
      } catch (error) {
        throw ended(error);
      } finally {
        beat.end();
      }
    },
  };
}

/**
 * Starts the close of a day, or attaches to it. Throws a NotOverError until the chain has a final
 * block after that day. `orderId` is the start of its id.
 */
export async function startDay(
  { order, orderId }: { order: unknown; orderId: string },
  settings: CloseSettings,
): Promise<StartedOrder> {
  const node = openNode(nodeUrl(settings));
  const day = await refusing(() => readCloseDay(order));
  const { closing } = await spanWhenOver(node, periodOfDay(day));
  const { client, info } = Context.current();
  const attributes = settings.searchAttributes
    ? { typedSearchAttributes: firstPairs(closeKind) }
    : {};
  const asked = { ...day, closing };
  return startClose(client, { asked, taskQueue: info.taskQueue, begin: orderId, attributes });
}

type Parts = {
  custody: CustodyApi;
  settings: CloseSettings;
  onProgress: (what: string, done: number, all: number) => void;
};

async function closing(
  given: CloseAsked,
  { custody, settings, onProgress }: Parts,
): Promise<Closed> {
  const asked = await refusing(() => readCloseAsked(given));
  const { archive, blockchain } = settings;
  const period = periodOfDay(asked);
  const places = openPlaces(settings.store, { url: nodeUrl(settings), fromMs: period.fromMs });
  const since = withEarlier(period);
  if (archive !== undefined) await refuseEdited(archive, since.fromMs);
  const { client } = Context.current();
  const sources = {
    custody,
    node: openNode(nodeUrl(settings), places),
    blockchain,
    orders: ordersIn(client, since),
    lines: payoutLines(client),
    receipts: archive?.receipts(since),
    earlierReceipts:
      archive && ((orderId: string) => archive.receipts({ orderId, untilMs: since.fromMs })),
  };
  const day = { ...asked, ...sources, period, walletIds: asked.wallets, onProgress };
  return places.during(() => closeDay(day));
}

function nodeUrl({ chainRpcUrl }: CloseSettings): string {
  if (chainRpcUrl !== undefined) return chainRpcUrl;
  throw stop(
    'NeedsOperator',
    'CHAIN_RPC_URL: is not set for the workers. A day is closed from the chain: set it, and start ' +
      'the close again.',
  );
}

async function refuseEdited(archive: Archive, fromMs: number): Promise<void> {
  const { fault } = await verifySince(archive, fromMs);
  if (fault === undefined) return;
  const way = 'Restore it, or find out who did that, and start the close again.';
  throw stop('NeedsOperator', `STEADFAST_STORE: the archive was changed. ${fault} ${way}`);
}

/** Tells at once what a repetition does not mend. A node that is away is asked again. */
function ended(error: unknown): unknown {
  if (error instanceof DifferenceError || error instanceof OtherAccountError)
    return stop('NeedsOperator', error.message);
  if (error instanceof NoWalletError) return stop('Refused', error.message);
  return error;
}

/** Sends heartbeats, also while nothing is told. Throws from `told` once it is cancelled. */
function beating() {
  const { heartbeat, cancellationSignal } = Context.current();
  let progress: CloseProgress = { what: 'the archive', percent: 0 };
  const send = (): void => heartbeat(progress);
  const timer = setInterval(send, beatMs);
  send();
  return {
    told: (what: string, done: number, all: number): void => {
      if (cancellationSignal.aborted) throw new CancelledFailure('The close was cancelled.');
      const share = Math.floor((100 * done) / Math.max(all, 1));
      progress = { what, percent: Math.min(Math.max(share, 0), 100) };
    },
    end: (): void => clearInterval(timer),
  };
}
