import type { OrderKind, ReadOrder } from './kinds';

const summaryMax = 180;

/** An order in one line and in markdown, for the header of its page in Temporal UI. */
export function describeOrder(
  kind: OrderKind,
  order: ReadOrder<OrderKind>,
): { summary: string; details: string } {
  const fields = Object.entries(order)
    .filter(([field, value]) => field !== 'generations' && value !== undefined)
    .map(([field, value]) => [field, shown(value)] as const);
  const summary = [kind, ...fields.map(([field, value]) => `${field} ${value}`)].join(' · ');
  return {
    summary: summary.length > summaryMax ? `${summary.slice(0, summaryMax)}…` : summary,
    details: fields.map(([field, value]) => `- **${field}**: ${value}`).join('\n'),
  };
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
