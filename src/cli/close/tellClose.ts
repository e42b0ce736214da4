import { spanInWords } from '../../books/chain/period';
import type { Valuing } from '../../books/rates/valued';
import { type ValuedTotal, valueTotals } from '../../books/rates/valuedTotals';
import type { Closed } from '../../books/reconcile/closeDay';
import type { Ended } from '../../client/find/closes';
import { counted } from '../../orders/progress/doing';
import { type ExitCode, exitCodes } from '../exit';
import { pc } from '../show/colors';
import { inColumns } from '../show/columns';
import { tellRow } from '../statement/reconcile';

/** A close as Temporal knows it, whose balances may have values in a currency. */
export type ValuedEnd = Omit<Ended, 'result'> & {
  result?: Omit<Closed, 'balances'> & { balances: ValuedTotal[] };
};

/** A close with its balances in a currency, where rates are given. */
export function withValues(end: Ended, valuing: Valuing | undefined): ValuedEnd {
  const { result } = end;
  if (result === undefined || valuing === undefined) return end;
  return {
    ...end,
    result: { ...result, balances: valueTotals(result.balances, valuing, result.day) },
  };
}

/** A close as lines: its result, its balances, and the first rows of each class. */
export function tellClose({ workflowId, execution, result, error }: ValuedEnd): string[] {
  const title = `${pc.bold(workflowId)} ${pc.dim('·')} ${execution}`;
  if (result === undefined) {
    return [title, execution === 'RUNNING' ? 'It is being compared.' : pc.red(error ?? execution)];
  }
  const { blocks, wallets, balances, rows, isBalanced, summary, hasArchive } = result;
  const table = inColumns([
    ['', 'opening', 'in', 'out', 'fees', 'closing'],
    ...balances.flatMap(balanceRows),
  ]);
  return [
    title,
    isBalanced ? pc.green(summary) : pc.red(summary),
    `${spanInWords(blocks)}, ${counted(wallets, 'wallet')}`,
    ...table.map((cells) => `  ${cells.join('  ')}`.trimEnd()),
    ...(hasArchive
      ? []
      : ['The workers keep no archive, so receipts and older payments were not compared.']),
    ...balances.flatMap(({ fault }) => (fault === undefined ? [] : [`Without a value: ${fault}`])),
    ...rows.flatMap(tellRow),
  ];
}

/** The row of a money, and one of its values below it. */
function balanceRows({ token, wallet, values, ...sums }: ValuedTotal): string[][] {
  const own = wallet === undefined ? token : `${token} of ${wallet}`;
  const rowOf = (name: string, { opening = '?', closing = '?', ...moved }: Sums): string[] => [
    ...[name, opening, moved.in ?? '', moved.out ?? '', moved.fees ?? '', closing],
  ];
  if (values === undefined) return [rowOf(own, sums)];
  const { currency, rate, rateDay } = values;
  return [rowOf(own, sums), rowOf(`in ${currency}, at ${rate} of ${rateDay}`, values)];
}

type Sums = Partial<Pick<ValuedTotal, 'opening' | 'in' | 'out' | 'fees' | 'closing'>>;

/** The exit code, as `reconcile` has it. */
export function exitCodeOf({ execution, result, needsOperator }: ValuedEnd): ExitCode {
  if (execution === 'RUNNING') return exitCodes.stoppedWaiting;
  if (needsOperator === true) return exitCodes.needsOperator;
  if (result === undefined) return exitCodes.failed;
  return result.isBalanced ? exitCodes.done : exitCodes.needsOperator;
}
