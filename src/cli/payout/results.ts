import { inCamt054 } from '../../books/form/camt054';
import { inPain002 } from '../../books/form/pain002';
import type { LineResult } from '../../client/client';
import { namedLines } from '../../client/lines/namedLines';
import { inCsv } from '../../client/lines/resultsCsv';
import { networkNamed } from '../../config';
import type { Call } from '../call';
import { namesIn } from '../check/names';
import type { Connected } from '../connect';
import { type ExitCode, exitCodes, InputError } from '../exit';
import type { Flags } from '../flags';
import { printText, saveText } from '../textFile';
import { inReturnFile, openReturned } from './returnFile';
import { tellCounts } from './tellPayout';

/** Prints the outcome of every line so far, in the order of the file. */
export async function results(id: string, call: Call): Promise<ExitCode> {
  const { flags, terminal, voice } = call;
  const form = formOf(flags);
  const file = typeof flags.return === 'string' ? openReturned(flags.return, flags) : undefined;
  const nameOf = namesIn(call);
  const { steadfast } = await call.connect();
  const counts = { lines: 0, paid: 0, failed: 0, unknown: 0, skipped: 0, waiting: 0 };
  const lines = steadfast.payoutLines(id);
  async function* counted(): AsyncGenerator<LineResult, void> {
    for await (const line of isMessage(form) ? lines : namedLines(lines, nameOf)) {
      counts.lines += 1;
      counts[line.outcome] += 1;
      yield line;
    }
  }
  const payoutId = id.replace(/^payout:/, '');
  const own = { payoutId, ...(await formal(id, form, { steadfast, terminal })) };
  const text = file ? inReturnFile(counted(), { file, payoutId }) : forms[form](counted(), own);
  const isWhole =
    typeof flags.csv === 'string'
      ? await saveText(text, flags.csv, '--csv')
      : await printText(text, terminal.stdout);
  const waiting = counts.waiting === 0 ? '' : `; ${counts.waiting} of them not final yet`;
  const where = typeof flags.csv === 'string' ? `Wrote ${flags.csv}: ` : '';
  if (isWhole) voice.note(`${where}${tellCounts(counts)}${waiting}.`);
  return exitCodes.done;
}

/**
 * Facts that messages of ISO 20022 need beside the lines. They tell when the payout ended, so that
 * the message about an ended payout is the same each time.
 */
async function formal(
  id: string,
  form: keyof typeof forms,
  { steadfast, terminal }: Pick<Connected, 'steadfast'> & Pick<Call, 'terminal'>,
): Promise<{ madeMs: number; blockchain: string }> {
  const blockchain = networkNamed(terminal.env);
  const { closedAt } = isMessage(form) ? await steadfast.status(id) : { closedAt: undefined };
  return { madeMs: closedAt === undefined ? Date.now() : Date.parse(closedAt), blockchain };
}

const forms = {
  csv: inCsv,
  json: inJson,
  jsonl: inJsonLines,
  pain002: inPain002,
  camt054,
} as const;

/** True for a message of ISO 20022. It is the same each time, so it has no names of today. */
function isMessage(form: keyof typeof forms): boolean {
  return form === 'pain002' || form === 'camt054';
}

function formOf({ csv, json, jsonl, pain002, camt054: camt, ...flags }: Flags): keyof typeof forms {
  // `--csv` names where --return writes.
  const own = flags.return === undefined ? { csv } : { return: flags.return };
  const given = Object.entries({ ...own, json, jsonl, pain002, camt054: camt }).filter(
    ([, value]) => value !== undefined,
  );
  if (given.length > 1) {
    const names = given.map(([name]) => `--${name}`).join(' and ');
    throw new InputError(`${names}: are different forms. Give one of them.`);
  }
  if (json === true) return 'json';
  if (pain002 === true) return 'pain002';
  if (camt === true) return 'camt054';
  return jsonl === true ? 'jsonl' : 'csv';
}

async function* camt054(
  lines: AsyncIterable<LineResult>,
  made: Parameters<typeof inCamt054>[1],
): AsyncGenerator<string, void> {
  let isEmpty = true;
  for await (const piece of inCamt054(lines, made)) {
    isEmpty = false;
    yield piece;
  }
  if (isEmpty) throw new InputError('--camt054: no line is paid yet, and this form cannot say so.');
}

async function* inJson(lines: AsyncIterable<LineResult>): AsyncGenerator<string, void> {
  let lead = '[\n';
  for await (const line of lines) {
    yield `${lead}  ${JSON.stringify(line)}`;
    lead = ',\n';
  }
  yield lead === '[\n' ? '[]\n' : '\n]\n';
}

async function* inJsonLines(lines: AsyncIterable<LineResult>): AsyncGenerator<string, void> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}
