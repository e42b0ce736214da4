import { inPain002 } from '../../books/form/pain002';
import type { LineResult } from '../../client/client';
import type { Call } from '../call';
import { type ExitCode, exitCodes, InputError } from '../exit';
import type { Flags } from '../flags';
import { printText, saveText } from '../textFile';
import { tellCounts } from './tellPayout';

/** Prints the outcome of every line so far, in the order of the file. */
export async function results(id: string, call: Call): Promise<ExitCode> {
  const { flags, terminal, voice } = call;
  const form = formOf(flags);
  const { steadfast } = await call.connect();
  const counts = { lines: 0, paid: 0, failed: 0, unknown: 0, skipped: 0, waiting: 0 };
  async function* counted(): AsyncGenerator<LineResult, void> {
    for await (const line of steadfast.payoutLines(id)) {
      counts.lines += 1;
      counts[line.outcome] += 1;
      yield line;
    }
  }
  const text = forms[form](counted(), { payoutId: id.replace(/^payout:/, '') });
  const isWhole =
    typeof flags.csv === 'string'
      ? await saveText(text, flags.csv, '--csv')
      : await printText(text, terminal.stdout);
  const waiting = counts.waiting === 0 ? '' : `; ${counts.waiting} of them not final yet`;
  const where = typeof flags.csv === 'string' ? `Wrote ${flags.csv}: ` : '';
  if (isWhole) voice.note(`${where}${tellCounts(counts)}${waiting}.`);
  return exitCodes.done;
}

const forms = { csv: inCsv, json: inJson, jsonl: inJsonLines, pain002: inPain002 } as const;

function formOf({ csv, json, jsonl, pain002 }: Flags): keyof typeof forms {
  const given = Object.entries({ csv, json, jsonl, pain002 }).filter(
    ([, value]) => value !== undefined,
  );
  if (given.length > 1) {
    const names = given.map(([name]) => `--${name}`).join(' and ');
    throw new InputError(`${names}: are different forms. Give one of them.`);
  }
  if (json === true) return 'json';
  if (pain002 === true) return 'pain002';
  return jsonl === true ? 'jsonl' : 'csv';
}

const columns = [
  ...(['lineId', 'to', 'amount', 'token', 'outcome', 'walletAddress', 'txHash'] as const),
  ...(['transactionId', 'reason', 'generation', 'reference', 'name'] as const),
] as const;

/** Results as CSV (RFC 4180), each line ended as on this machine's command lines. */
export async function* inCsv(lines: AsyncIterable<LineResult>): AsyncGenerator<string, void> {
  // An id that nobody knows prints no header.
  let lead = `${columns.join(',')}\n`;
  for await (const line of lines) {
    const cells = columns.map((column) => cellOf(harmless(column, line[column])));
    yield `${lead}${cells.join(',')}\n`;
    lead = '';
  }
  if (lead !== '') yield lead;
}

/** Columns with texts of the service, and the one that a payer fills from elsewhere. */
const theirs = ['reason', 'reference', 'name', 'txHash', 'transactionId'] as const;

/**
 * Quotes a text of the service that a spreadsheet would run as a formula. Our own ids, addresses
 * and amounts stay as they are.
 */
function harmless(column: string, value: string | number | undefined): string {
  const text = value === undefined ? '' : String(value);
  const isTheirs = theirs.some((one) => one === column);
  return isTheirs && /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
}

function cellOf(text: string): string {
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
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
