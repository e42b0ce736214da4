import type { OrderStatus } from '../../client/orderStatus';
import type { Call } from '../call';
import { withKnownNames } from '../check/names';
import { type ExitCode, exitCodes, isBadInput } from '../exit';
import { codeOfReceipt } from './codeOfReceipt';
import { type ProgressLine, progressLine } from './progressLine';
import { showProgress, tellOrderEnd, tellStanding } from './tellStatus';
import { createTimeline, type TimelineEntry } from './tellTimeline';

const lookEveryMs = 1_000;

/** Follows an order until it ends: prints its events and redraws the current wait. */
export async function watch(id: string, call: Call): Promise<ExitCode> {
  const { voice } = call;
  const { steadfast } = await call.connect();
  const stop = call.interruption();
  const line = progressLine(voice);
  const timeline = createTimeline();
  const keepNew = keeper(line, timeline.tell);
  let status = await steadfast.status(id);
  try {
    for (;;) {
      keepNew(status);
      if (status.execution !== 'RUNNING') {
        line.clear();
        const told = [...tellOrderEnd(status, timeline), tellStanding(status)];
        voice.answer(status, withKnownNames(told, call));
        return status.execution === 'COMPLETED' ? codeOfReceipt(status.receipt) : exitCodes.failed;
      }
      const tick = new Promise<undefined>((resolve) =>
        setTimeout(() => resolve(undefined), lookEveryMs),
      );
      if ((await Promise.race([tick, stop.stopped])) !== undefined) break;
      status = await look(() => steadfast.status(id), { status, line });
    }
    line.clear();
    voice.document(status);
    voice.note(`${id} goes on. Follow it again with: npx --no-install steadfast watch ${id}`);
    return exitCodes.stoppedWaiting;
  } finally {
    line.clear();
  }
}

/** Prints entries that are new. The order may drop some of many troubles between polls. */
function keeper(line: ProgressLine, tell: (entry: TimelineEntry) => string[]) {
  const told = new Set<string>();
  return (status: OrderStatus): void => {
    const start: TimelineEntry = { kind: 'started', words: 'started', at: status.startedAt };
    for (const entry of [start, ...(status.progress?.timeline ?? [])]) {
      const name = `${entry.kind} ${entry.at} ${entry.words}`;
      if (told.has(name)) continue;
      told.add(name);
      for (const words of tell(entry)) line.keep(words);
    }
    if (status.execution === 'RUNNING') showProgress(line, status);
  };
}

/** Polls the status. While Temporal is away, it keeps the last one. */
async function look(
  read: () => Promise<OrderStatus>,
  { status, line }: { status: OrderStatus; line: ProgressLine },
): Promise<OrderStatus> {
  try {
    return await read();
  } catch (error) {
    if (isBadInput(error)) throw error;
    line.show('Temporal does not answer. Asking again');
    return status;
  }
}
