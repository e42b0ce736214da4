import { shown } from '../../orders/shown';
import { InputError } from '../exit';
import { type Fields, type Flags, given, type OrderCommand } from '../orderCommand';

/** Pays many lines from one or more wallets. */
export const payout: OrderCommand = {
  name: 'payout',
  summary: 'pay the lines of a file (CSV, JSON Lines or a JSON list), each once',
  example: 'steadfast payout january.csv --id january --wallet <id> --max-total USDC=50000',
  flags: [
    ['--wallet <id>', 'a wallet that pays; give several, and they share the lines', 'several'],
    ['--token <token>', 'the token of lines that name none'],
    ['--max-total <limit>', 'the most that all lines may come to, such as USDC=1000', 'several'],
    ['--reserve <amount>', 'what each wallet keeps of each token that is paid'],
    ['--rate <lines>', 'send so many lines in a second (default: what the service takes)'],
    ['--strict', 'refuse lines that are alike but for their ids; else they are warned of'],
    ['--ignore <column>', 'a column of the file that is to be left alone', 'several'],
    ['--yes', 'do not ask whether what the lines come to is right'],
  ],
  kind: () => 'payout',
  fields: (flags) =>
    given({
      payoutId: flags.id === undefined ? undefined : payoutIdOf(String(flags.id)),
      wallets: listOf(flags.wallet),
      maxTotal: limitsOf(flags.maxTotal),
      reservePerWallet: flags.reserve,
      linesPerS: numberOf(flags.rate),
      strict: flags.strict,
    }),
};

/** The id of a payout, which may be given as that of its workflow: "payout:january". */
export function payoutIdOf(id: string): string {
  return id.replace(/^payout:/, '');
}

export function listOf(text: Flags[string]): string[] | undefined {
  return typeof text === 'string' ? text.split(',') : undefined;
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

/** What is no number stays text, so that the schema's sentence shows what was typed. */
export function numberOf(text: Flags[string]): unknown {
  return typeof text === 'string' && /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
