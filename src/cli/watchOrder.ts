import { connect } from './connect';
import { type ExitCode, exitCodes } from './exit';
import { interruption } from './interruption';
import { progressLine } from './progressLine';
import { tellProgress, tellStatus } from './tellStatus';
import { createVoice } from './voice';

const lookEveryMs = 1_000;

/**
 * Follows an order until it has ended, whatever it waits for: what it has done stays on the screen,
 * what it waits for is redrawn. Leaving does not stop it.
 */
export async function watchOrder(id: string, isJson: boolean): Promise<ExitCode> {
  const voice = createVoice(isJson);
  const { steadfast } = await connect();
  const stop = interruption();
  const line = progressLine(voice);
  let told = 0;
  try {
    for (;;) {
      const status = await steadfast.status(id);
      const done = status.progress?.done ?? [];
      for (const words of done.slice(told)) line.keep(`  ${words}`);
      told = Math.max(told, done.length);
      if (status.execution !== 'RUNNING') {
        line.clear();
        voice.document(status);
        if (!isJson) for (const words of tellStatus(status, new Date())) voice.say(words);
        return status.execution === 'COMPLETED' ? exitCodes.done : exitCodes.failed;
      }
      line.show(tellProgress(status));
      const tick = new Promise<undefined>((resolve) =>
        setTimeout(() => resolve(undefined), lookEveryMs),
      );
      if ((await Promise.race([tick, stop.stopped])) === undefined) continue;
      line.clear();
      voice.document(status);
      voice.note(`${id} goes on. Follow it again with: npx steadfast watch ${id}`);
      return exitCodes.stoppedWaiting;
    }
  } finally {
    line.clear();
  }
}
