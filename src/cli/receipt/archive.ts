import { existsSync } from 'node:fs';
import type { Head } from '../../books/archive/archive';
import { readDays } from '../../books/archive/dayFiles';
import { type Verified, verifyArchive } from '../../books/archive/verify';
import { counted } from '../../orders/progress/doing';
import type { Call } from '../call';
import { type ExitCode, exitCodes, InputError } from '../exit';
import { withArchive } from './openStore';

const toldMax = 20;

/** Checks the archive, or day files of one. Names the row at which the chain breaks. */
export async function checkRows(files: readonly string[], call: Call): Promise<ExitCode> {
  const noted = headOf(call.flags.head);
  const verified = files.length === 0 ? await ofStore(call, noted) : await ofFiles(files, noted);
  const { rows, head, fault, contradicting = [] } = verified;
  const shown = head === undefined ? 'It is empty.' : `Its head is ${head.at}:${head.stamp}`;
  const lines = [
    fault === undefined
      ? `The archive is whole: ${counted(rows, 'row')}.`
      : `The archive is damaged. ${fault}`,
    ...(fault === undefined ? [shown] : []),
    ...contradicting.slice(0, toldMax).map((write) => `Two receipts of ${write} contradict.`),
  ];
  call.voice.answer(verified, lines);
  if (fault !== undefined) return exitCodes.failed;
  return contradicting.length === 0 ? exitCodes.done : exitCodes.needsOperator;
}

function ofStore(call: Call, noted: readonly Head[]): Promise<Verified> {
  return withArchive(call, async (archive) => {
    const head = await archive.head();
    return verifyArchive(archive.entries(), head === undefined ? noted : [...noted, head]);
  });
}

async function ofFiles(files: readonly string[], noted: readonly Head[]): Promise<Verified> {
  const missing = files.find((path) => !existsSync(path));
  if (missing !== undefined) throw new InputError(`${missing}: is not a file that can be found.`);
  const days = [...files].sort().map((path) => ({ path }));
  return verifyArchive(readDays(days), noted);
}

function headOf(given: unknown): Head[] {
  if (given === undefined) return [];
  const [, at, stamp] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(String(given)) ?? [];
  if (stamp !== undefined) return [{ at: Number(at), stamp }];
  throw new InputError(
    '--head: must be a row and its stamp, as an earlier archive verify told them.',
  );
}
