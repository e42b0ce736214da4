import { ApplicationFailure, TimeoutFailure, WorkflowFailedError } from '@temporalio/client';
import { ArchiveError } from '../../books/archive/archive';
import { serviceErrorOf } from '../../client/temporal/inSentences';
import { temporalFault } from '../../client/temporal/temporalFault';
import { log } from '../../log';
import { BadOrderError } from '../../orders/input/read';
import { SentenceError } from '../../orders/input/sentenceError';
import { Refusal } from '../refusal';

/** The reason why a part of a page cannot be read, as a sentence. */
export function failureWords(error: unknown): string {
  const isSentence = [Refusal, BadOrderError, SentenceError, ArchiveError].some(
    (kind) => error instanceof kind,
  );
  if (isSentence && error instanceof Error) return error.message;
  if (error instanceof WorkflowFailedError) return endWords(error);
  const fault = temporalFault(error) ?? awayWords(error);
  if (fault !== undefined) return fault;
  log.error(error, 'A part of a page of the console could not be read.');
  return 'This cannot be read now. The log of the console says why.';
}

function endWords({ cause }: WorkflowFailedError): string {
  if (cause instanceof ApplicationFailure) return cause.message;
  if (cause instanceof TimeoutFailure) return 'No worker has answered in time.';
  return 'Somebody has stopped the workflow that reads this. Load the page again.';
}

function awayWords(error: unknown): string | undefined {
  const found = serviceErrorOf(error);
  if (found === undefined) return undefined;
  const reason = found.message.replace(/^\d+ [A-Z_]+: /, '').replace(/\.$/, '');
  return `Temporal did not answer: ${reason}.`;
}
