import { ownLinesMax, type ReadLine } from '../../orders/payout';
import { orderBytesMax } from '../../orders/read';
import { payout } from '../commands/payout';
import { InputError } from '../exit';
import type { Fields, Flags } from '../orderCommand';
import { orderOf } from '../takeOrder';
import { isOfLines } from './linesFile';
import { readPayout } from './takePayout';
import { tellSurvey } from './tellPayout';

/** The order of every period, and what it comes to, as lines of text. */
export type Scheduled = { order: Fields; told: string[] };

/**
 * Reads the payout that a schedule starts, from flags and file. The lines of a file are read now,
 * and kept with the schedule: nobody hands a file over when a period comes.
 */
export async function takeScheduled(id: string, given: Flags): Promise<Scheduled> {
  const path = String(given.file);
  if (!isOfLines(path)) return { order: orderOf(payout, given), told: [] };
  const { file: _, ...flags } = given;
  const fields = orderOf(payout, flags);
  const sample = { ...fields, payoutId: 'period' };
  const { order, surveyed, lines } = await readPayout(sample, { linesPath: path, flags });
  const kept: ReadLine[] = [];
  if (surveyed.lines <= ownLinesMax) for await (const line of lines?.() ?? []) kept.push(line);
  const bytes = Buffer.byteLength(JSON.stringify(kept));
  if (kept.length < surveyed.lines || bytes > orderBytesMax - besidesBytes) {
    throw new InputError(
      `FILE: ${path} has ${surveyed.lines} lines, and a schedule has room for ${ownLinesMax} ` +
        `lines and ${orderBytesMax} bytes. Have a cron job of your own pay it instead: npx ` +
        `steadfast payout ${path} --id ${id}:<period>, with the period of that day. Under its id ` +
        'each period is paid once, however often it is started.',
    );
  }
  return {
    order: { ...fields, lines: kept },
    told: tellSurvey(`payout:${id}:{period}`, order.wallets.length, surveyed),
  };
}

/** Room for what an order holds besides its lines: a hundred wallets, its limits and its names. */
const besidesBytes = 10_000;
