import { spanInWords } from '../../books/chain/period';
import type { Ended } from '../../client/find/closes';
import { counted } from '../../orders/progress/doing';
import { type ExitCode, exitCodes } from '../exit';
import { pc } from '../show/colors';
import { inColumns } from '../show/columns';
import { tellRow } from '../statement/reconcile';

/** A close as lines: its result, its balances, and the first rows of each class. */
export function tellClose({ workflowId, execution, result, error }: Ended): string[] {
  const title = `${pc.bold(workflowId)} ${pc.dim('·')} ${execution}`;
  if (result === undefined) {
    return [title, execution === 'RUNNING' ? 'It is being compared.' : pc.red(error ?? execution)];
  }
  const { blocks, wallets, balances, rows, isBalanced, summary, hasArchive } = result;
  const table = inColumns([
    ['', 'opening', 'in', 'out', 'fees', 'closing'],
    ...balances.map(({ token, wallet, opening = '?', closing = '?', ...sums }) => [
      wallet === undefined ? token : `${token} of ${wallet}`,
      ...[opening, sums.in, sums.out, sums.fees, closing],
    ]),
  ]);
  return [
    title,
    isBalanced ? pc.green(summary) : pc.red(summary),
    `${spanInWords(blocks)}, ${counted(wallets, 'wallet')}`,
    ...table.map((cells) => `  ${cells.join('  ')}`.trimEnd()),
    ...(hasArchive
      ? []
      : ['The workers keep no archive, so receipts and older payments were not compared.']),
    ...rows.map(tellRow),
  ];
}

/** The exit code, as `reconcile` has it. */
export function exitCodeOf({ execution, result, needsOperator }: Ended): ExitCode {
  if (execution === 'RUNNING') return exitCodes.stoppedWaiting;
  if (needsOperator === true) return exitCodes.needsOperator;
  if (result === undefined) return exitCodes.failed;
  return result.isBalanced ? exitCodes.done : exitCodes.needsOperator;
}
