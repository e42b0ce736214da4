import type { OrderStatus } from '../orderStatus';
import { codeOfReceipt } from './codeOfReceipt';
import { connect } from './connect';
import { type ExitCode, exitCodes, isBadInput } from './exit';
import { interruption } from './interruption';
import { type ProgressLine, progressLine } from './progressLine';
import { showProgress, tellEnd, tellStanding } from './tellStatus';
import { createTimeline, type Entry } from './tellTimeline';
import { createVoice } from './voice';

const lookEveryMs = 1_000;

/**
 * Follows an order until it has ended, whatever it waits for: what has happened stays on the
 * screen, what it waits for is redrawn. Leaving does not stop it.
 */
export async function watchOrder(id: string, isJson: boolean): Promise<ExitCode> {
  const voice = createVoice(isJson);
  const { steadfast } = await connect();
  const stop = interruption();
  const line = progressLine(voice);
  const timeline = createTimeline();
  const keepNew = keeper(line, timeline.tell);
  let status = await steadfast.status(id);
  try {
    for (;;) {
      keepNew(status);
      if (status.execution !== 'RUNNING') {
        line.clear();
        voice.document(status);
        const lines = [...tellEnd(status, timeline), tellStanding(status)];
        if (!isJson) for (const words of lines) voice.say(words);
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
    voice.note(`${id} goes on. Follow it again with: npx steadfast watch ${id}`);
    return exitCodes.stoppedWaiting;
  } finally {
    line.clear();
  }
}

/** Keeps on the screen what has not been told yet: of much trouble, some is forgotten between. */
function keeper(line: ProgressLine, tell: (entry: Entry) => string[]) {
  const told = new Set<string>();
  return (status: OrderStatus): void => {
    const start: Entry = { kind: 'started', words: 'started', at: status.startedAt };
    for (const entry of [start, ...(status.progress?.timeline ?? [])]) {
      const name = `${entry.kind} ${entry.at} ${entry.words}`;
      if (told.has(name)) continue;
      told.add(name);
      for (const words of tell(entry)) line.keep(words);
    }
    if (status.execution === 'RUNNING') showProgress(line, status);
  };
}

/** A look that fails while Temporal is away changes nothing: it is shown, and made again. */
async function look(
  read: () => Promise<OrderStatus>,
  { status, line }: { status: OrderStatus; line: ProgressLine },
): Promise<OrderStatus> {
  try {
    return await read();
  } catch (error) {
    if (isBadInput(error)) throw error;
    line.show('Temporal does not answer; looking again');
    return status;
  }
}
