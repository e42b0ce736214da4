import { counted } from '../../orders/progress/doing';
import { withEarlier } from '../../statement/chain/period';
import { inCamt053 } from '../../statement/form/camt053';
import { inCsv } from '../../statement/form/csv';
import { inHledger } from '../../statement/form/hledger';
import { inJsonLines } from '../../statement/form/jsonl';
import { plotter } from '../../statement/form/plot';
import { readStatement, type StatementRow } from '../../statement/statement';
import type { Call } from '../call';
import { type ExitCode, exitCodes, InputError } from '../exit';
import { type Flags, listOf } from '../flags';
import { checkPath, printText, saveText } from '../textFile';
import { archiveOf } from './archive';
import { countdown, namedWallets, openBooks, serviceFault } from './books';

const forms = { jsonl: inJsonLines, csv: inCsv, hledger: inHledger, camt053: inCamt053 } as const;
type Form = keyof typeof forms;

/** Prints the statement of wallets, or writes it to a file. */
export async function statement(call: Call): Promise<ExitCode> {
  const { flags, voice, terminal } = call;
  const form = formOf(flags);
  const names = listOf(flags.wallet) ?? [];
  if (names.length === 0) throw new InputError('--wallet: is missing. Name at least one wallet.');
  if (typeof flags.plot === 'string') await checkPath(flags.plot, '--plot');
  const books = openBooks(call);
  const wallets = await namedWallets(names, books);
  const since = withEarlier(books.period);
  const archive = await archiveOf(call, since);
  const progress = countdown(call);
  const plot = plotter();
  let movements = 0;
  let notLookedAt: string[] = [];
  async function* counting(
    rows: AsyncGenerator<StatementRow, string[]>,
  ): AsyncGenerator<StatementRow, void> {
    for (let next = await rows.next(); ; next = await rows.next()) {
      if (next.done) {
        notLookedAt = next.value;
        return;
      }
      if (next.value.row !== 'opening' && next.value.row !== 'closing') movements += 1;
      yield next.value;
    }
  }
  try {
    const onProgress = (done: number, all: number) => progress.told('blocks', done, all);
    const receipts = archive?.receipts(since);
    const rows = readStatement({ ...books, wallets, onProgress, ...(receipts && { receipts }) });
    const text = forms[form](plot.passing(counting(rows)), books.period);
    if (typeof flags.out === 'string') await saveText(text, flags.out, '--out');
    else await printText(text, terminal.stdout);
  } catch (error) {
    throw serviceFault(books.host, error);
  } finally {
    progress.clear();
    await archive?.close();
  }
  if (typeof flags.plot === 'string') await saveText([plot.svg()], flags.plot, '--plot');
  const files = [flags.out, flags.plot].filter((file) => typeof file === 'string');
  const where = files.length === 0 ? '' : `Wrote ${files.join(' and ')}: `;
  voice.note(`${where}${counted(movements, 'movement')}. Balances and movements add up.`);
  for (const one of notLookedAt) voice.note(`Not looked at: ${one}.`);
  return exitCodes.done;
}

function formOf({ format = 'jsonl' }: Flags): Form {
  if (isForm(format)) return format;
  throw new InputError(
    `--format: ${String(format)} is not one of ${Object.keys(forms).join(', ')}.`,
  );
}

function isForm(word: Flags[string]): word is Form {
  return typeof word === 'string' && Object.hasOwn(forms, word);
}
