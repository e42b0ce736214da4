import { shown } from '../../orders/input/shown';
import { InputError } from '../exit';
import { type FlagList, type Flags, listOf, numberOf } from '../flags';
import type { Fields, OrderCommand } from '../order/fields';
import { noRates, payingRates } from '../rates/ratesFlags';

/** Flags that say how a file is read. Somebody who compares a file gives the same ones. */
export const columnFlags: FlagList = [
  ['--token <token>', 'the token of lines that name none'],
  ['--map <field=column>', 'the column that holds a field, such as to="Wallet Address"', 'several'],
  ['--ignore <column>', 'a column of the file that is to be left alone', 'several'],
  ['--currency <code>', 'with --rates: the currency of amounts whose lines name none, such as EUR'],
];

/** Flags of every command that reads a file of lines to pay or to sign. */
export const linesFlags: FlagList = [...columnFlags, ...payingRates];

/** Pays many lines from one or more wallets. */
export const payCommand: OrderCommand = {
  name: 'payout',
  summary: 'pay the lines of a file (CSV, JSON Lines or a JSON list), each once',
  example: 'steadfast payout january.csv --id january --wallet <id> --max-total USDC=50000',
  flags: [
    [
      '--wallet <id>',
      'a wallet that pays; several share the lines. A smart account (SCA) sends one at a time, so speed grows with their number',
      'several',
    ],
    ['--max-total <limit>', 'the highest total of all lines, such as USDC=1000', 'several'],
    ['--reserve <amount>', 'what each wallet keeps of each token that is paid'],
    [
      '--rate <lines>',
      'lines sent per second, on average: a batch goes at once (default: as many as the service accepts)',
    ],
    ['--batch <lines>', 'pay so many lines with one transaction at most, or off (default: 100)'],
    ['--memo', "let the chain's contract Memo name each line of an EOA wallet"],
    ['--strict', 'refuse what the checks find, instead of a warning'],
    ...linesFlags,
    ['--all-faults', 'show every fault of the file, instead of the first twenty'],
    ['--yes', 'do not ask whether the totals are right'],
  ],
  flagOf: {
    payoutId: '--id',
    wallets: '--wallet',
    reservePerWallet: '--reserve',
    linesPerS: '--rate',
    batch: '--batch',
  },
  kind: () => 'payout',
  read: { wallets: listOf, maxTotal: limitsOf, linesPerS: numberOf, batch: batchOf },
  noFields: [
    ...['--token', '--map', '--ignore', '--currency', ...noRates],
    ...['--all-faults', '--yes'],
  ],
};

/** Flags that a schedule has no use for. Its stored lines would keep the rates of one day. */
const unscheduled = ['--yes', '--currency', ...noRates];

/** The flags of a payout that is kept with its schedule. */
export const scheduledFlags: FlagList = [
  ...payCommand.flags.filter(([flag]) => !unscheduled.includes(flag.split(' ')[0] ?? '')),
  ['--fee-level <level>', 'LOW, MEDIUM or HIGH (default MEDIUM)'],
  ['--reference <text>', 'your own word for it, shown to operators; {period} in it is filled'],
];

function batchOf(text: Flags[string]): Fields | false {
  const linesMax = numberOf(text);
  if (text === 'off') return false;
  if (typeof linesMax === 'number' && linesMax >= 2 && linesMax <= 250) return { linesMax };
  throw new InputError(`--batch: ${shown(text)} must be a number of lines from 2 to 250, or off.`);
}

function limitsOf(text: Flags[string]): Fields | undefined {
  const limits = listOf(text)?.map((limit) => {
    const [, token, amount] = /^([^=]+)=([^=]+)$/.exec(limit) ?? [];
    if (token !== undefined) return [token, amount] as const;
    throw new InputError(
      `--max-total: ${shown(limit)} must be a token and an amount, such as USDC=1000.`,
    );
  });
  const twice = limits?.find(([token], at) => limits.findIndex(([name]) => name === token) < at);
  if (twice === undefined) return limits && Object.fromEntries(limits);
  throw new InputError(`--max-total: ${shown(twice[0])} is given twice. Give each token once.`);
}
