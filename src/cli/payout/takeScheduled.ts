import { runChecks } from '../../checks/check';
import { addressesIn } from '../../checks/payment';
import { isOfLines } from '../../client/lines/linesFile';
import { orderBytesMax } from '../../orders/input/read';
import { ownLinesMax, type ReadLine } from '../../orders/payout';
import { counted } from '../../orders/progress/doing';
import type { Call } from '../call';
import { bookIn, refuseFindings } from '../check/checkOrder';
import { namesIn } from '../check/names';
import { payCommand } from '../commands/payout';
import { InputError } from '../exit';
import type { Fields } from '../order/fields';
import { mergeFields } from '../order/takeOrder';
import { readPayout } from './takePayout';
import { tellSurvey } from './tellPayout';

/**
 * Reads the payout of a schedule from flags and file. It tells the totals, payees and findings of
 * the lines, which the schedule stores. The id has a period, or its place. Fields that are known
 * from elsewhere may be missing.
 */
export async function takeScheduled(id: string, call: Call, known: Fields = {}): Promise<Fields> {
  const path = String(call.flags.file);
  if (!isOfLines(path)) return mergeFields(payCommand, call.flags);
  const { file: _, ...flags } = call.flags;
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
        `npx --no-install steadfast payout ${path} --id ${id.replace(place, '<period>')} --wallet <id>`,
    );
  }
  // A period is paid again and again, so that it is not compared with what was paid before.
  const asked = { payments: surveyed.payments, wallets: addressesIn(order.wallets) };
  const book = bookIn(call.terminal.env);
  const checked = await runChecks(asked, { book, paid: undefined, nowMs: Date.now() });
  if (order.strict === true) refuseFindings(checked, '--strict');
  const own = counted(order.wallets.length, 'wallet');
  const payers = fields.wallets === undefined ? 'the wallets of its schedule' : own;
  const told = { surveyed, checked, nameOf: namesIn(call, book) };
  for (const line of tellSurvey(`payout:${id}`, payers, told)) call.voice.note(line);
  return { ...fields, lines: kept };
}

/** Stands for the period in the id of an order that each period has. */
export const place = '{period}';

/** Bytes for an order's other fields: a hundred wallets, limits and names. */
const besidesBytes = 10_000;
