import { metricMeter, workflowInfo } from '@temporalio/workflow';
import { finalState } from '../../src/custody/objects/state';
import { givenName, type LabelsOf, type MetricName, metrics } from '../../src/telemetry/metrics';
import type { Expected } from '../write/machine/compare';
import type { FinalRecord } from '../write/machine/writeState';

// Nothing here is a command: a replay goes through without it, and a history says nothing of it.

/** Counts an order that has ended. */
export function countEnd(outcome: string): void {
  count('steadfast_orders_total', { kind: kindNow(), outcome });
}

/** Counts a line of a payout that has an outcome. */
export function countLine(outcome: string): void {
  count('steadfast_payout_lines_total', { outcome });
}

/**
 * Counts a daily close that has ended, and its rows by class. A class without rows counts nothing,
 * and shows from then on, so that a later row of it is an increase.
 */
export function countClose(outcome: string, rows: Readonly<Record<string, number>> = {}): void {
  count('steadfast_closes_total', { outcome });
  for (const [name, times] of Object.entries(rows)) {
    count('steadfast_close_rows_total', { class: name }, times);
  }
}

/** Counts a group of ends for the receiver that is told, given up or lost. */
export function countAnswer(outcome: 'told' | 'givenUp' | 'lost'): void {
  count('steadfast_answers_total', { outcome });
}

/** Notes that a transaction is final: how long that took, and how long nobody had noticed. */
export function noteFinal({ state: word, createDate = '', updateDate = '' }: FinalRecord): void {
  const state = finalState(word) ?? 'other';
  const [acceptedMs, finalMs] = [Date.parse(createDate), Date.parse(updateDate)];
  const kind = kindNow();
  observe('steadfast_settle_seconds', (finalMs - acceptedMs) / 1_000, { kind, state });
  observe('steadfast_notice_lag_seconds', (Date.now() - finalMs) / 1_000, { kind });
}

/** Notes that a line of a payout is final. Its record is small, and has no times. */
export function noteLine(word: string, bornAtMs: number | undefined): void {
  const state = finalState(word) ?? 'other';
  const settled = (Date.now() - (bornAtMs ?? Number.NaN)) / 1_000;
  observe('steadfast_settle_seconds', settled, { kind: 'payoutLine', state });
}

const knownTokens = ['USDC', 'EURC', 'native'];

/** Notes what a transfer has moved. */
export function noteMoney({ token, amount }: Pick<Expected, 'token' | 'amount'>): void {
  if (token === undefined || amount === undefined) return;
  const label = knownTokens.includes(token.name) ? token.name : 'other';
  observe('steadfast_settled_amount', Number(amount), { token: label });
}

function kindNow(): string {
  return workflowInfo().workflowType;
}

function count<Name extends MetricName>(name: Name, labels: LabelsOf<Name>, times = 1): void {
  metricMeter.createCounter(givenName(name), '', metrics[name].help).add(times, labels);
}

/**
 * A time that a stranger's clock makes negative counts as 0. A time that is no number is left out.
 */
function observe<Name extends MetricName>(name: Name, value: number, labels: LabelsOf<Name>): void {
  if (Number.isNaN(value)) return;
  const histogram = metricMeter.createHistogram(givenName(name), 'float', '', metrics[name].help);
  histogram.record(Math.max(value, 0), labels);
}
