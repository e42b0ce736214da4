import { isOfLines } from '../../client/lines/linesFile';
import type { Instead } from '../../client/schedules/overrides/override';
import { InputError } from '../exit';
import type { Flags } from '../flags';
import { readOrderFile } from '../order/orderFile';
import { takeScheduled } from '../payout/takeScheduled';

/** The deed of a period as flags say it, and its totals as lines of text. */
type Taken = { instead: Instead | 'usual'; told: string[] };

const ways = ['amount', 'file', 'skip', 'remove'] as const;

/** Stands for the wallets of a schedule, which its payout keeps. */
const anyWallet = '00000000-0000-4000-8000-000000000000';

/** Reads what one period does instead. Throws an InputError unless exactly one way is given. */
export async function takeInstead(id: string, flags: Flags): Promise<Taken> {
  const given = ways.filter((way) => flags[way] !== undefined);
  const [way] = given;
  if (way === undefined || given.length > 1) {
    const which = given.map((one) => `--${one}`).join(' and ');
    throw new InputError(
      `${which || '--amount'}: give exactly one of --amount, --file, --skip and --remove.`,
    );
  }
  if (way === 'skip') return { instead: 'nothing', told: [] };
  if (way === 'remove') return { instead: 'usual', told: [] };
  if (way === 'amount') return { instead: { change: { amount: flags.amount } }, told: [] };
  const path = String(flags.file);
  if (!isOfLines(path)) return { instead: { order: readOrderFile(path) }, told: [] };
  const { amount: _, skip: __, remove: ___, period, ...ofPayout } = flags;
  const { order, told } = await takeScheduled(id, ofPayout, { wallets: [anyWallet] });
  const name = String(period);
  return { instead: { change: order }, told: told.map((line) => line.replace('{period}', name)) };
}
