import { linesDigest } from '../../checks/digest';
import type { Survey } from '../../client/lines/survey';
import type { ExchangeSum } from '../../orders/exchange/sums';
import type { CheckedLines } from '../../orders/input/checkedLines';
import { type PayoutReceipt, payoutReceipt } from '../../orders/payout';
import { mayBePaid } from '../../orders/payout/mayBePaid';
import type { Tally } from '../../orders/payout/tally';
import { counted } from '../../orders/progress/doing';
import type { PayoutProgress, Progress } from '../../orders/progress/status';
import { tellChecked, tellKnown, tellPayees } from '../check/tellChecked';
import { pc } from '../show/colors';
import { tellDuration } from '../show/tellTime';
import { visible } from '../show/visible';
import type { TakenPayout } from './takePayout';

const barCells = 20;
const number = new Intl.NumberFormat('en-GB');

/** "10,000". For counts only: amounts of money have no commas. */
export function tellCount(count: number): string {
  return number.format(count);
}

export function tellLineCount(count: number): string {
  return count === 1 ? '1 line' : `${tellCount(count)} lines`;
}

/** A share as a bar: "██████░░░░░░░░░░░░░░ 31 %". It is full only when all is done. */
export function tellBar(done: number, all: number): string {
  const share = all === 0 ? 0 : Math.min(done / all, 1);
  const full = Math.floor(share * barCells);
  return `${'█'.repeat(full)}${'░'.repeat(barCells - full)} ${Math.floor(share * 100)} %`;
}

/** The number of lines with each outcome. */
export type Counts = Omit<Tally, 'amounts' | 'batched'>;

/** "3,100 of 10,000 paid, 3 failed". */
export function tellCounts({ lines, paid, failed, unknown, skipped }: Counts): string {
  const others = Object.entries({ failed, unknown, skipped }).filter(([, count]) => count > 0);
  return [
    `${tellCount(paid)} of ${tellCount(lines)} paid`,
    ...others.map(([outcome, count]) => `${tellCount(count)} ${outcome}`),
  ].join(', ');
}

/** "2,000 in 20 batches, 48,212,000 gas saved". Nothing for a payout without batches. */
function tellBatched({ batched }: Pick<Tally, 'batched'>): string[] {
  if (batched === undefined) return [];
  const { lines, batches, gasSaved } = batched;
  const saved = gasSaved > 0 ? `, ${tellCount(gasSaved)} gas saved` : '';
  return [`${tellCount(lines)} in ${tellCount(batches)} batch${batches === 1 ? '' : 'es'}${saved}`];
}

/** The progress of a payout in one line. */
export function tellPayoutProgress({
  status,
  payout,
}: Progress & { payout: PayoutProgress }): string {
  const { lines, waiting, sealed, linesPerS, leftS } = payout;
  if (!sealed) {
    const parts = lines === 0 ? '' : ` in ${counted(payout.parts, 'part')}`;
    const paid = payout.mayHavePaid ? `. ${mayBePaid}` : ', and nothing is paid before the seal';
    return `${tellLineCount(lines)} handed over${parts}${paid}`;
  }
  const amounts = Object.entries(payout.totals).map(([token, { paid }]) => `${paid} ${token}`);
  const pace = linesPerS === undefined ? [] : [`${linesPerS} lines/s`];
  const left = leftS === undefined ? [] : [`${tellDuration(leftS * 1_000)} left`];
  const isUsual = status === 'Waiting' || status === 'Settling';
  return [
    `${isUsual ? '' : `${status}: `}${tellBar(lines - waiting, lines)}  ${tellCounts(payout)}`,
    ...amounts,
    ...tellBatched(payout),
    ...pace,
    ...left,
  ].join(' · ');
}

/** The effect of a cancellation on a payout's lines. Undefined if all of them have ended. */
export function tellLeft(
  id: string,
  { payout }: Pick<Progress, 'payout'>,
): { before: string; after: string } | undefined {
  if (payout === undefined || payout.waiting === 0) return undefined;
  const left = `up to ${tellCount(payout.waiting)} of ${tellLineCount(payout.lines)} unpaid`;
  return {
    before:
      `To cancel ${id} leaves ${left}: what was sent settles. To hold it back and let it go on ` +
      `later, pause it instead: npx --no-install steadfast pause ${id} --reason "…"`,
    after:
      `It leaves ${left}. To pay them after all, under the same id: npx --no-install steadfast payout ` +
      `continue ${id.replace(/^payout:/, '')}`,
  };
}

/** The totals of a payout before it is handed over, as lines. */
export function tellSurvey(
  id: string,
  payers: string,
  { surveyed, checked, nameOf }: Pick<TakenPayout, 'surveyed' | 'checked' | 'nameOf'>,
): string[] {
  const { lines, payments } = surveyed;
  return [
    `${pc.bold(id)} pays ${tellLineCount(lines)} from ${payers}:`,
    ...tellSums(surveyed),
    `  digest of the lines: ${pc.bold(linesDigest(payments))}`,
    ...tellPayees(payments, nameOf).map((payee) => `  ${pc.dim('·')} ${payee}`),
    ...tellChecked(checked),
    ...(/\bSCA\b/.test(payers) ? [`  ${speedOfSca}`] : []),
  ];
}

/** The sums of lines by token, and the rates at which some were exchanged. */
export function tellSums({ totals, exchanges }: Pick<Survey, 'totals' | 'exchanges'>): string[] {
  const width = Math.max(...totals.map(({ amount }) => amount.length));
  return [
    ...totals.map(
      ({ token, lines, amount }) =>
        `  ${amount.padStart(width)} ${token} in ${tellLineCount(lines)}`,
    ),
    ...exchanges.map((sum) => `  ${pc.dim('·')} ${tellExchange(sum)}`),
  ];
}

/** "1 EUR = 1.08 USDC, the rate of 2026-01-30 (ECB): 1200 EUR in 2 lines pay 1296 USDC". */
function tellExchange({ currency, token, rate, day, source, ...sum }: ExchangeSum): string {
  const from = source === undefined ? '' : ` (${visible(source)})`;
  const pay = sum.lines === 1 ? 'pays' : 'pay';
  return (
    `1 ${currency} = ${rate} ${token}, the rate of ${day}${from}: ${sum.asked} ${currency} in ` +
    `${tellLineCount(sum.lines)} ${pay} ${sum.paid} ${token}`
  );
}

/** The digest and the checks of a payout's lines, as the worker has sealed them. */
function tellSealed(checks: CheckedLines): string[] {
  return [
    `  digest of the lines: ${pc.bold(checks.digest)}`,
    `  ${pc.dim(`${tellKnown(checks)}, at the seal`)}`,
  ];
}

const speedOfSca =
  'An SCA wallet has one transaction in flight at a time, so more wallets pay faster.';

/** The receipt of a payout, or undefined for another kind of order. */
export function readPayoutReceipt(receipt: unknown): PayoutReceipt | undefined {
  return payoutReceipt.safeParse(receipt).data;
}

/** True for the receipt of a payout that was cancelled before all of its lines were sent. */
export function isCutShort(receipt: unknown): boolean {
  return readPayoutReceipt(receipt)?.stopped !== undefined;
}

/** A payout's receipt as lines, without its parts. */
export function tellPayoutReceipt(receipt: PayoutReceipt): string[] {
  const { payoutId, totals, warnings, stopped, checks } = receipt;
  const sums = Object.entries(totals).map(
    ([token, { ordered, paid }]) => `  ${paid} of ${ordered} ${token}`,
  );
  const payout = 'npx --no-install steadfast payout';
  const retry = `  retry the failed lines:        ${payout} retry ${payoutId}`;
  const rest = `  pay the lines that it left:    ${payout} continue ${payoutId}`;
  return [
    `  ${tellCounts(receipt)}`,
    ...sums,
    ...tellBatched(receipt).map((words) => `  ${words}`),
    ...(checks === undefined ? [] : tellSealed(checks)),
    ...(isCutShort(receipt) ? [`  ${pc.yellow('!')} stopped: ${stopped}`] : []),
    ...warnings.map((warning) => `  ${pc.yellow('!')} ${warning}`),
    `  what became of each line:      npx --no-install steadfast payout results ${payoutId}`,
    ...(receipt.failed === 0 ? [] : [retry]),
    ...(isCutShort(receipt) ? [rest] : []),
  ];
}
