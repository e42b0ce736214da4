import type { Fact } from '../../client/asking/facts';
import type { OrderStatus } from '../../client/orderStatus';
import { pc } from '../show/colors';
import { tellDuration } from '../show/tellTime';

const indent = '    ';

/** Facts as aligned lines. */
export function tellFacts(facts: readonly Fact[]): string[] {
  const width = Math.max(0, ...facts.map(([label]) => label.length));
  return facts.map(([label, value]) => `${indent}${pc.dim(label.padEnd(width))}  ${value}`);
}

/** The cost of the workflow: time, polls and events. The last fact is its address in the UI. */
export function workflowFacts(
  status: OrderStatus,
  facts: { polls: string; uiUrl: string | undefined; namespace: string },
): Fact[] {
  const tookMs = Date.parse(status.closedAt ?? status.startedAt) - Date.parse(status.startedAt);
  const { uiUrl, namespace, polls } = facts;
  const path = `${encodeURIComponent(status.workflowId)}/${status.runId}/history`;
  return [
    ['took', `${tellDuration(tookMs)}, ${status.historyEvents} history events, ${polls}`],
    ...(uiUrl === undefined
      ? []
      : [['in Temporal UI', `${uiUrl}/namespaces/${namespace}/workflows/${path}`] as const]),
  ];
}

/** "1000000" as "1,000,000". Decimals stay as they are. */
export function grouped(amount: string): string {
  const [whole = '', ...decimals] = amount.split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...decimals].join('.');
}
