import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withEarlier } from '../../books/chain/period';
import { type BankFiles, inBankCsv } from '../../books/form/bankCsv';
import { plotter } from '../../books/form/plot';
import { withNames } from '../../books/names';
import { valuation } from '../../books/rates/valued';
import { readStatement, type StatementRow } from '../../books/statement';
import { counted } from '../../orders/progress/doing';
import type { Call } from '../call';
import { namesIn } from '../check/names';
import { type ExitCode, exitCodes, InputError } from '../exit';
import { listOf } from '../flags';
import { serviceFault } from '../reachService';
import { checkFolder, checkPath, printText, saveText } from '../textFile';
import { archiveOf } from './archive';
import { type Books, countdown, findWallets, openBooks } from './books';
import { checkCurrencies, type Form, formOf, statementText } from './form';

/** Prints the statement of wallets, or writes it to a file. */
export async function printStatement(call: Call): Promise<ExitCode> {
  const { flags, voice, terminal } = call;
  const form = formOf(flags, terminal.stdout.isTTY === true);
  const names = listOf(flags.wallet) ?? [];
  if (names.length === 0) throw new InputError('--wallet: is missing. Name at least one wallet.');
  if (typeof flags.plot === 'string') await checkPath(flags.plot, '--plot');
  if (form.name === 'bank-csv') await checkFolder(String(flags.out), '--out');
  const nameOf = namesIn(call);
  const books = openBooks(call);
  checkCurrencies(form, books.blockchain);
  const wallets = await findWallets(names, books);
  const since = withEarlier(books.period);
  const archive = await archiveOf(call, since);
  const progress = countdown(call);
  const plot = plotter();
  const tally = createTally();
  const valuing = form.valuing && valuation(form.valuing);
  let written: Written;
  try {
    const onProgress = (done: number, all: number) => progress.told('blocks', done, all);
    const receipts = archive?.receipts(since);
    const rows = readStatement({ ...books, wallets, onProgress, ...(receipts && { receipts }) });
    const passed = withNames(tally.passing(rows), nameOf);
    const stated = valuing?.passing(passed) ?? passed;
    written = await books.places.during(() => write(plot.passing(stated), { call, form, books }));
  } catch (error) {
    throw serviceFault(error, books.host);
  } finally {
    progress.clear();
    await archive?.close();
  }
  if (typeof flags.plot === 'string') await saveText([plot.svg()], flags.plot, '--plot');
  const files = [...written.files, ...(typeof flags.plot === 'string' ? [flags.plot] : [])];
  const where = files.length === 0 ? '' : `Wrote ${files.join(' and ')}: `;
  voice.note(`${where}${tally.told()}`);
  for (const note of [...written.notes, ...(valuing?.notes() ?? [])]) voice.note(note);
  for (const one of tally.notLookedAt()) voice.note(`Not looked at: ${one}.`);
  return exitCodes.done;
}

type Written = { files: string[]; notes: string[] };

async function write(
  rows: AsyncIterable<StatementRow>,
  { call, form, books }: { call: Call; form: Form; books: Books },
): Promise<Written> {
  const { flags, terminal } = call;
  const out = typeof flags.out === 'string' ? flags.out : undefined;
  if (form.name === 'bank-csv' && out !== undefined) {
    return inBankCsv(rows, books, (all) => writeFolder(all, out));
  }
  const text = statementText(rows, { ...form, ...books });
  if (out === undefined) await printText(text, terminal.stdout);
  else await saveText(text, out, '--out');
  const isShort = form.name === 'table';
  const notes = isShort ? ['Addresses are cut. Whole, with hashes: --format jsonl.'] : [];
  return { files: out === undefined ? [] : [out], notes };
}

/** Writes a file for each wallet and token, once the whole statement is known to add up. */
async function writeFolder({ files, left }: BankFiles, folder: string): Promise<Written> {
  await mkdir(folder, { recursive: true });
  await refuseOthers(folder, new Set(files.map(({ name }) => name)));
  for (const { name, text } of files) await saveText(text, join(folder, name), '--out');
  const accounts = counted(left, 'account');
  const notes = left === 0 ? [] : [`Left out: ${accounts} of a token that nothing proves.`];
  return { files: files.map(({ name }) => join(folder, name)), notes };
}

/** Refuses a folder with a CSV file of another statement, which would be imported once more. */
async function refuseOthers(folder: string, own: ReadonlySet<string>): Promise<void> {
  const there = await readdir(folder);
  const other = there.find((name) => /\.csv$/i.test(name) && !own.has(name));
  if (other === undefined) return;
  throw new InputError(
    `--out: ${folder} holds ${other}, which this statement does not write. Your program would ` +
      'import it once more. Name a folder of its own for each period, or move that file away.',
  );
}

/** Counts movements as they pass by, and keeps what was not looked at. */
function createTally() {
  let movements = 0;
  let left: string[] = [];
  return {
    async *passing(
      rows: AsyncGenerator<StatementRow, string[]>,
    ): AsyncGenerator<StatementRow, void> {
      for (let next = await rows.next(); ; next = await rows.next()) {
        if (next.done) {
          left = next.value;
          return;
        }
        if (next.value.row !== 'opening' && next.value.row !== 'closing') movements += 1;
        yield next.value;
      }
    },
    notLookedAt: (): readonly string[] => left,
    /** The sum of all, which holds for no more than was looked at. */
    told: (): string => {
      const of = left.length === 0 ? '' : ' of all that was looked at';
      return `${counted(movements, 'movement')}. Balances and movements${of} add up.`;
    },
  };
}
