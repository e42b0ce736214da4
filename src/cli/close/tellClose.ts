import { type Client, WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { spanInWords } from '../../books/chain/period';
import type { Closed } from '../../books/reconcile/closeDay';
import { isRecord } from '../../custody/isRecord';
import { counted } from '../../orders/progress/doing';
import type { Valuing } from '../../rates/valued';
import { type ValuedTotal, valueTotals } from '../../rates/valuedTotals';
import { type ExitCode, exitCodes, messageOf } from '../exit';
import { pc } from '../show/colors';
import { inColumns } from '../show/columns';
import { tellRow } from '../statement/reconcile';

/** A close as Temporal knows it. */
export type Ended = {
  workflowId: string;
  /** Temporal's word, such as COMPLETED. */
  execution: string;
  result?: Omit<Closed, 'balances'> & { balances: ValuedTotal[] };
  /** Why there is no result. */
  error?: string;
  /** Set if a person has to mend something first. */
  needsOperator?: true;
};

/** Reads the result of a run of a close, by default the newest one. */
export async function readEnd(client: Client, workflowId: string, runId?: string): Promise<Ended> {
  const handle = client.workflow.getHandle(workflowId, runId);
  const execution = (await handle.describe()).status.name;
  if (execution === 'RUNNING') return { workflowId, execution };
  try {
    const result: unknown = await handle.result();
    return isClosed(result) ? { workflowId, execution, result } : { workflowId, execution };
  } catch (error) {
    const cause = error instanceof WorkflowFailedError ? error.cause : error;
    const needsOperator = cause instanceof ApplicationFailure && cause.type === 'NeedsOperator';
    const told = { workflowId, execution, error: messageOf(cause) };
    return needsOperator ? { ...told, needsOperator } : told;
  }
}

function isClosed(result: unknown): result is Closed {
  return isRecord(result) && typeof result.summary === 'string' && Array.isArray(result.rows);
}

/** A close with its balances in a currency, where rates are given. */
export function withValues(end: Ended, valuing: Valuing | undefined): Ended {
  const { result } = end;
  if (result === undefined || valuing === undefined) return end;
  return {
    ...end,
    result: { ...result, balances: valueTotals(result.balances, valuing, result.day) },
  };
}

/** A close as lines: its result, its balances, and the first rows of each class. */
export function tellClose({ workflowId, execution, result, error }: Ended): string[] {
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
    ...rows.map(tellRow),
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
export function exitCodeOf({ execution, result, needsOperator }: Ended): ExitCode {
  if (execution === 'RUNNING') return exitCodes.stoppedWaiting;
  if (needsOperator === true) return exitCodes.needsOperator;
  if (result === undefined) return exitCodes.failed;
  return result.isBalanced ? exitCodes.done : exitCodes.needsOperator;
}
