import type { Call } from '../call';
import { type ExitCode, exitCodes } from '../exit';

/** Reports what was done, as lines or as JSON. */
export function reportAct(id: string, { voice }: Call, ...lines: string[]): ExitCode {
  voice.document({ id, message: lines.join('\n') });
  lines.forEach(voice.say);
  return exitCodes.done;
}

/** Reports that a person has said no, as a line or as JSON. */
export function reportNo(id: string, { voice }: Call, words: string): ExitCode {
  voice.document({ id, end: 'notStarted' });
  voice.note(words);
  return exitCodes.failed;
}
