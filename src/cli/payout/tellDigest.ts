import { linesDigest } from '../../checks/digest';
import { surveyOf } from '../../client/lines/survey';
import { readLinesToSign } from '../approval/ownLines';
import type { Call } from '../call';
import { type ExitCode, exitCodes, InputError } from '../exit';
import { readingOf } from './takePayout';
import { tellSums } from './tellPayout';

/** Prints the digest of a file's lines, and their sums. It reaches nobody, and starts nothing. */
export async function tellDigest(path: string, { flags, voice }: Call): Promise<ExitCode> {
  const read = await readLinesToSign({ path, reading: readingOf(flags) });
  if (read.length === 0) throw new InputError(`FILE: ${path} holds no lines.`);
  const { lines, totals, exchanges, payments } = surveyOf(read);
  for (const line of tellSums({ totals, exchanges })) voice.note(line);
  const told = exchanges.length === 0 ? { totals } : { totals, exchanges };
  const own = linesDigest(payments);
  voice.answer({ lines, ...told, digest: own }, [own]);
  return exitCodes.done;
}
