import { isOfLines } from '../../client/lines/linesFile';
import type { Instead } from '../../client/schedules/overrides/override';
import type { Call } from '../call';
import { InputError } from '../exit';
import { readOrderFile } from '../order/orderFile';
import { takeScheduled } from '../payout/takeScheduled';

const ways = ['amount', 'file', 'skip', 'remove'] as const;

/** Stands for the wallets of a schedule, which its payout keeps. */
const anyWallet = '00000000-0000-4000-8000-000000000000';

/** Reads what one period does instead. Throws an InputError unless exactly one way is given. */
export async function takeInstead(id: string, call: Call): Promise<Instead | 'usual'> {
  const { flags } = call;
  const given = ways.filter((way) => flags[way] !== undefined);
  const [way] = given;
  if (way === undefined || given.length > 1) {
    const which = given.map((one) => `--${one}`).join(' and ');
    throw new InputError(
      `${which || '--amount'}: give exactly one of --amount, --file, --skip and --remove.`,
    );
  }
  if (way === 'skip') return 'nothing';
  if (way === 'remove') return 'usual';
  if (way === 'amount') return { change: { amount: flags.amount } };
  const path = String(flags.file);
  if (!isOfLines(path)) return { order: readOrderFile(path) };
  const { amount: _, skip: __, remove: ___, period, ...ofPayout } = flags;
  const own = { ...call, flags: ofPayout };
  return { change: await takeScheduled(`${id}:${period}`, own, { wallets: [anyWallet] }) };
}
