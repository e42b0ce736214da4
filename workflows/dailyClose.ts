import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  setCurrentDetails,
  setHandler,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { Closed } from '../src/books/reconcile/closeDay';
import { paymentInWords } from '../src/books/reconcile/finding';
import type { AttributeName, Progress, Status } from '../src/orders/progress/status';
import type { CloseAsked } from '../src/orders/schedule/dailyClose';
import { closes, starts, stopOf } from './order/activities';
import { cancelUpdate, progressQuery, refuseWithoutReason } from './order/handlers';
import { countClose } from './order/meter';
import { noteRequest, show } from './order/show';

/**
 * Closes a day: compares orders, the service's list, the chain and the archive, and keeps the
 * result. It only reads. Its caller names the last block of the day.
 */
export async function dailyClose(asked: CloseAsked): Promise<Closed> {
  const seen = seenFrom(asked);
  try {
    const closed = await closes('compare the day').closeDay(asked);
    tell(seen, closed.isBalanced ? 'Done' : 'NeedsOperator', closed.summary);
    setCurrentDetails(detailsOf(closed));
    countClose(closed.isBalanced ? 'balanced' : 'differs', closed.counts);
    return closed;
  } catch (error) {
    throw ended(seen, error);
  }
}

type Seen = Parameters<typeof show>[0];

/** Answers queries and the update that cancels, while the close runs. */
function seenFrom(asked: CloseAsked): Seen {
  // A stranger may have started it with anything. The activity refuses that.
  const { day, closing }: Partial<CloseAsked> = asked ?? {};
  const name: AttributeName = 'SteadfastStatus';
  const searchAttributes = workflowInfo().searchAttributes[name] !== undefined;
  const since = new Date().toISOString();
  const progress: Progress = { status: 'Preparing', timeline: [], waitingFor: '', since };
  const seen = { progress, searchAttributes };
  const of = `${day} up to block ${closing}`;
  show(seen, 'Waiting', `the comparison of service, chain and archive for ${of}`);
  setHandler(progressQuery, () => progress, { description: 'How far the close is.' });
  const cancel = async ({ reason }: { reason: string }): Promise<void> => {
    noteRequest(seen, `to be cancelled: ${reason}`);
    await starts('close as cancelled').cancelRun();
  };
  setHandler(cancelUpdate, cancel, {
    description: 'Stop the close: {"reason": "…"}. It can be started again.',
    validator: refuseWithoutReason,
  });
  return seen;
}

function tell(seen: Seen, status: Status, words: string): void {
  show(seen, status, words);
  setCurrentDetails(`**${status}**: ${words}`);
  upsertMemo({ close: words });
}

/** Nothing was closed. The failure says what to correct. */
function ended(seen: Seen, error: unknown): unknown {
  if (isCancellation(error)) {
    tell(seen, 'Cancelled', 'Cancelled before the day was compared. Start the close again.');
    countClose('cancelled');
    return error;
  }
  const found = stopOf(error);
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (found === undefined || !(cause instanceof Error)) return error;
  const type = found.type === 'NeedsOperator' || found.type === 'Refused' ? found.type : 'Failed';
  tell(seen, type, cause.message);
  countClose('failed');
  return ApplicationFailure.create({ type, message: cause.message, nonRetryable: true });
}

const rowsShown = 20;

/** The details panel of Temporal UI, in markdown: result, balances, first rows. */
function detailsOf({ isBalanced, summary, balances, rows, hasArchive, wallets }: Closed): string {
  return [
    `**${isBalanced ? 'Done' : 'NeedsOperator'}**: ${summary}`,
    '',
    ...balances
      .slice(0, rowsShown)
      .map(
        ({ token, opening = 'unknown', closing = 'unknown', ...sums }) =>
          `- ${token}: ${opening}, in ${sums.in}, out ${sums.out}, ` +
          `fees ${sums.fees}, then ${closing}`,
      ),
    `- wallets: ${wallets}`,
    ...(hasArchive
      ? []
      : ['- The workers keep no archive, so receipts and older payments were not compared.']),
    '',
    ...rows.slice(0, rowsShown).map(rowInWords),
  ].join('\n');
}

function rowInWords(row: Closed['rows'][number]): string {
  const { class: own, why } = row;
  return `- **${own}**: ${paymentInWords(row)}${why === undefined ? '' : `. ${why}`}`;
}
