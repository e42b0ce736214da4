import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse';
import { cellOf } from '../../books/form/csv';
import type { Convert, ToConvert } from '../../books/rates/convert';
import { coinOf } from '../../checks/coinOf';
import type { LineResult } from '../../client/client';
import { harmless } from '../../client/lines/cells';
import { separatorForm } from '../../client/lines/csv/csvHead';
import { type LinesFile, openLines } from '../../client/lines/linesFile';
import { readRow } from '../../client/lines/readRow';
import { exchangeInWords } from '../../orders/exchange/exchange';
import { isSameAmount } from '../../orders/input/sameAmount';
import type { ReadLine } from '../../orders/payout';
import { counted } from '../../orders/progress/doing';
import { InputError } from '../exit';
import type { Flags } from '../flags';
import { readingOf } from './takePayout';

/** The columns that a return file has behind those of its file. */
const added = ['state', 'hash', 'fee', 'time', 'reason'] as const;

/** The result of the row that is being read. A row in a currency has the rate that it was paid at. */
type Kept = { result: LineResult | undefined };
type Csv = LinesFile & { separator: string; kept: Kept };

/** Opens the file that a payout was paid from, by the flags with which it was read then. */
export function openReturned(path: string, flags: Flags): Csv {
  const kept: Kept = { result: undefined };
  const convert: Convert = (asked) => keptExchange(asked, kept.result);
  const { separator, ...file } = openLines(path, { ...readingOf(flags), convert, isPaid: true });
  if (separator !== undefined) return { ...file, separator, kept };
  throw new InputError(
    `--return: ${path} is no CSV file, and only those are given back with more columns. For ` +
      'others there are --jsonl, --pain002 and --camt054.',
  );
}

/**
 * Gives a CSV file back: its own rows as they are, in their order, and behind each one what became
 * of its line. Throws an InputError if it is not the file of this payout.
 */
export async function* inReturnFile(
  results: AsyncIterable<LineResult>,
  { file, payoutId }: { file: Csv; payoutId: string },
): AsyncGenerator<string, void> {
  const rows = file.rows()[Symbol.asyncIterator]();
  const found = finding(results);
  const way = `Give the file that the payout ${payoutId} was paid from.`;
  let header: readonly string[] | undefined;
  for await (const { raw, cells } of rawRows(file)) {
    const [, text = '', end = ''] = /^(.*?)((?:\r\n?|\n)?)$/s.exec(raw) ?? [];
    const isSeparator = header === undefined && separatorForm.test(text.replace(/^\ufeff/, ''));
    if (isSeparator || cells.every((cell) => cell === '')) {
      yield text + end;
      continue;
    }
    const { separator } = file;
    const width = header?.length ?? cells.length;
    // Cells that a row leaves out at its end.
    const gap = separator.repeat(Math.max(0, width - cells.length) + 1);
    const own = withoutSurplus(text, { separator, surplus: cells.length - width });
    const tail = (more: readonly string[]) => own + gap + more.join(separator) + end;
    if (header === undefined) {
      header = cells;
      yield tail(namesBeside(cells));
      continue;
    }
    const next = await rows.next();
    if (next.done === true) break;
    // An amount that may mean two numbers is the one that the payout has paid.
    const reading = { ...file, decimals: 'point' } as const;
    file.kept.result = undefined;
    const { lineId } = readRow(next.value, reading);
    const result = await found.take(String(lineId));
    file.kept.result = result;
    const { line, faults } = readRow(next.value, reading);
    if (line === undefined) throw new InputError(`--return: ${faults.join(' ')}`);
    const fault = faultOf(line, result);
    if (fault !== undefined) {
      const place = 'row' in next.value ? `row ${next.value.row}: ` : '';
      throw new InputError(`--return: ${place}${fault} ${way}`);
    }
    yield tail(cellsOf(result).map((cell) => cellOf(cell, file.separator)));
  }
  const [first, ...others] = await found.left();
  if (first === undefined) return;
  const lines = counted(1 + others.length, 'line');
  throw new InputError(`--return: it lacks ${lines} of the payout, such as "${first}". ${way}`);
}

/** A row without its empty cells behind the last column, which would shift what is added. */
function withoutSurplus(
  text: string,
  { separator, surplus }: { separator: string; surplus: number },
): string {
  let own = text;
  for (let cell = 0; cell < surplus; cell += 1) {
    const at = own.lastIndexOf(separator);
    if (!/^\s*(""\s*)?$/.test(own.slice(at + separator.length))) return own;
    own = own.slice(0, at);
  }
  return own;
}

/** Names that no column of the file has. */
function namesBeside(columns: readonly string[]): string[] {
  const taken = new Set(columns.map((column) => column.toLowerCase()));
  return added.map((name) => (taken.has(name) ? `payout_${name}` : name));
}

function cellsOf(result: LineResult | undefined): string[] {
  const { outcome = '', txHash, networkFee, settledAt, reason } = result ?? {};
  return [
    outcome,
    harmless('txHash', txHash),
    networkFee ?? '',
    settledAt ?? '',
    harmless('reason', reason),
  ];
}

function faultOf(line: ReadLine, result: LineResult | undefined): string | undefined {
  if (result === undefined) return `line "${line.lineId}" is not in it, or came before.`;
  const isSame =
    result.to.toLowerCase() === line.to.toLowerCase() &&
    isSameAmount(result.amount, line.amount) &&
    coinOf(result.token) === coinOf(line.token);
  if (isSame) return undefined;
  const [own, other] = [line, result].map(({ to, amount, token }) => `${amount} ${token} to ${to}`);
  return `line "${line.lineId}" is ${own}, but the payout has ${other}.`;
}

/** The exchange of a line as the payout has kept it, if the row asks for the same. */
function keptExchange(
  { amount, currency, token }: ToConvert,
  result: LineResult | undefined,
): ReturnType<Convert> {
  const { exchange } = result ?? {};
  if (result === undefined || exchange === undefined) {
    return { field: 'currency', fault: 'the payout has this line in a token alone.' };
  }
  const isSame =
    currency === exchange.currency &&
    isSameAmount(amount, exchange.amount) &&
    (token === undefined || coinOf(token) === coinOf(result.token));
  if (isSame) return { amount: result.amount, token: result.token, exchange };
  const fault = `${amount} ${currency} is not what the payout has: ${exchangeInWords(exchange)}.`;
  return { field: 'amount', fault };
}

/** Hands out results by their lines, each once. A file in its own order needs none of them kept. */
function finding(results: AsyncIterable<LineResult>) {
  const rest = results[Symbol.asyncIterator]();
  const passed = new Map<string, LineResult>();
  const next = async (): Promise<LineResult | undefined> => {
    const { value, done } = await rest.next();
    return done === true ? undefined : value;
  };
  return {
    take: async (lineId: string): Promise<LineResult | undefined> => {
      const known = passed.get(lineId);
      if (passed.delete(lineId)) return known;
      for (let one = await next(); one !== undefined; one = await next()) {
        if (one.lineId === lineId) return one;
        passed.set(one.lineId, one);
      }
      return undefined;
    },
    /** The ids of the lines that no row has. */
    left: async (): Promise<string[]> => {
      const ids = [...passed.keys()];
      for (let one = await next(); one !== undefined; one = await next()) ids.push(one.lineId);
      return ids;
    },
  };
}

/** The rows of a file as they stand there, with their cells. Together they are the whole file. */
async function* rawRows({
  path,
  separator,
}: Csv): AsyncGenerator<{ raw: string; cells: string[] }> {
  const whole = await readFile(path);
  const parser = parse(whole, {
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    bom: true,
    trim: true,
    relax_column_count: true,
    info: true,
  });
  let from = 0;
  for await (const { record: cells, info } of parser) {
    yield { raw: whole.toString('utf8', from, info.bytes), cells };
    from = info.bytes;
  }
}
