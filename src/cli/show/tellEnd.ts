import type { OrderKind, Started } from '../../client/client';
import { type ExitCode, exitCodes } from '../exit';
import type { FollowEnd } from '../order/follow';
import { isCutShort } from '../payout/tellPayout';
import { codeOfReceipt } from './codeOfReceipt';
import { pc } from './colors';
import { tellReceipt } from './tellReceipt';
import { tellMoment } from './tellTime';
import type { Voice } from './voice';

export type Ending = {
  /** Puts names behind the addresses of lines. */
  named?: (lines: readonly string[]) => string[];
  id: string;
  started: Started<OrderKind>;
  end: FollowEnd;
  voice: Voice;
  /** The whole command that goes on with it, where one does. */
  again?: string | undefined;
  /** The time at which all of it was carried out, if that was before the command. */
  before?: string | undefined;
};

/** Says how waiting ended, to people and to programs, and returns the exit code for it. */
export function tellEnd(ending: Ending): ExitCode {
  const { id, started, end, voice, again, named = (told) => [...told] } = ending;
  const { workflowId, runId, outcome } = started;
  const isLeft = end.end === 'stoppedWaiting' && again !== undefined;
  const own = isLeft ? { ...documentOf(end), again } : documentOf(end);
  voice.document({ id, workflowId, runId, start: outcome, ...own });
  // Beside the document, one line is enough for whoever watches.
  const lines = linesOf(ending);
  for (const line of named(voice.isJson ? lines.slice(0, 1) : lines)) voice.say(line);
  return codeOf(end);
}

function codeOf(end: FollowEnd): ExitCode {
  if (end.end === 'done') return codeOfReceipt(end.receipt);
  if (end.end === 'stoppedWaiting') return exitCodes.stoppedWaiting;
  return 'progress' in end ? exitCodes.needsOperator : exitCodes.failed;
}

function documentOf(end: FollowEnd): object {
  if (end.end === 'done' && isCutShort(end.receipt)) return { ...end, end: 'cancelled' };
  if (!('error' in end)) return end;
  const { message, record, made } = end.error;
  return { end: end.end, message, record, made };
}

function linesOf({ id, end, again, before }: Ending): string[] {
  if (end.end === 'done' && isCutShort(end.receipt)) {
    const told = `✗ ${id} was cancelled before all of its lines were sent.`;
    return [pc.red(told), ...tellReceipt(end.receipt)];
  }
  if (end.end === 'done' && before !== undefined) {
    const told = `${id} was carried out before, until ${tellMoment(before)}`;
    return [pc.yellow(`! ${told}: nothing was moved now.`), another, ...tellReceipt(end.receipt)];
  }
  if (end.end === 'done') return [pc.green(`✓ ${id} is done.`), ...tellReceipt(end.receipt)];
  if (end.end === 'stoppedWaiting') {
    return [
      `${reasons[end.why]} ${id} goes on. Follow it with: npx --no-install steadfast status ${id}`,
      ...(again === undefined ? [] : [`Wait for it again, which pays nothing twice: ${again}`]),
    ];
  }
  if ('progress' in end) {
    const { status, waitingFor } = end.progress;
    if (status === 'Unknown') {
      return [
        pc.yellow(`! ${id} is unknown: it waits for ${waitingFor}`),
        `See your options: npx --no-install steadfast status ${id}`,
      ];
    }
    const way = status === 'NeedsApproval' ? 'somebody has approved it' : 'that is fixed';
    return [
      pc.yellow(`! ${id} waits (${status}) for ${waitingFor}`),
      `It goes on once ${way}. Follow it with: npx --no-install steadfast status ${id}`,
    ];
  }
  const made = tellReceipt(end.error.made);
  return [
    pc.red(`✗ ${id} ended as ${end.end}: ${end.error.message}`),
    ...(made.length === 0 ? [] : ['Completed before that:', ...made]),
  ];
}

const another = 'For a second one, say so with an --id of your own.';

const reasons = {
  interrupted: 'Stopped waiting.',
  timeout: 'The time to wait is up.',
  connectionLost: 'Temporal cannot be reached any more.',
} as const;
