import { emptyBook } from '../../checks/book';
import { runChecks } from '../../checks/check';
import { isOfLines } from '../../client/lines/linesFile';
import { orderBytesMax } from '../../orders/input/read';
import { ownLinesMax, type ReadLine } from '../../orders/payout';
import { counted } from '../../orders/progress/doing';
import { refuseFindings } from '../check/checkOrder';
import { payCommand } from '../commands/payout';
import { InputError } from '../exit';
import type { Flags } from '../flags';
import type { Fields } from '../order/fields';
import { mergeFields } from '../order/takeOrder';
import { readPayout } from './takePayout';
import { tellSurvey } from './tellPayout';

/** The order of every period, and its totals as lines of text. */
export type Scheduled = { order: Fields; told: string[] };

/**
 * Reads the payout of a schedule from flags and file. The schedule stores the lines. Fields that
 * are known from elsewhere may be missing.
 */
export async function takeScheduled(
  id: string,
  given: Flags,
  known: Fields = {},
): Promise<Scheduled> {
  const path = String(given.file);
  if (!isOfLines(path)) return { order: mergeFields(payCommand, given), told: [] };
  const { file: _, ...flags } = given;
  const fields = mergeFields(payCommand, flags);
  const sample = { ...known, ...fields, payoutId: 'period' };
  const { order, surveyed, lines } = await readPayout(sample, { linesPath: path, flags });
  const kept: ReadLine[] = [];
  if (surveyed.lines <= ownLinesMax) for await (const line of lines?.() ?? []) kept.push(line);
  const bytes = Buffer.byteLength(JSON.stringify(kept));
  if (kept.length < surveyed.lines || bytes > orderBytesMax - besidesBytes) {
    throw new InputError(
      `FILE: ${path} has ${surveyed.lines} lines, and a schedule has room for ${ownLinesMax} ` +
        `lines and ${orderBytesMax} bytes. Have a cron job of your own pay it, with the period of ` +
        'that day. Under its id each period is paid once, however often it is started: ' +
        `npx --no-install steadfast payout ${path} --id ${id}:<period> --wallet <id>`,
    );
  }
  // A period is paid again and again, so that only the lines themselves are checked.
  const asked = { payments: surveyed.payments };
  const checked = await runChecks(asked, { book: emptyBook, paid: undefined, nowMs: Date.now() });
  if (order.strict === true) refuseFindings(checked, '--strict');
  const own = counted(order.wallets.length, 'wallet');
  const payers = fields.wallets === undefined ? 'the wallets of its schedule' : own;
  const told = tellSurvey(`payout:${id}:{period}`, payers, {
    surveyed,
    checked,
    nameOf: emptyBook.nameOf,
  });
  return { order: { ...fields, lines: kept }, told };
}

/** Bytes for an order's other fields: a hundred wallets, limits and names. */
const besidesBytes = 10_000;
