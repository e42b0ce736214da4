import { isRecord } from '../custody/isRecord';
import { kindOf, type OrderKind, type ReadOrder } from './kinds';

const summaryMax = 180;

/** An order as a sentence and as a list of its fields, for the header of its page in Temporal UI. */
export function describeOrder(
  kind: OrderKind,
  order: ReadOrder<OrderKind>,
): { summary: string; details: string } {
  const { reference } = order;
  const sentence = kindOf(kind).sentence(order);
  const summary = reference === undefined ? sentence : `${sentence} · ${reference}`;
  return {
    summary: summary.length > summaryMax ? `${summary.slice(0, summaryMax)}…` : summary,
    details: fieldsOf(order)
      .map(([field, value]) => `- **${field}**: ${value}`)
      .join('\n'),
  };
}

/** The fields of an order in one line. */
export function inOneLine(order: object): string {
  return fieldsOf(order)
    .map(([field, value]) => `${field} ${value}`)
    .join(' · ');
}

/**
 * The fields of an order. The lines of a payout are only counted, and a signature is only named, to
 * keep the text short.
 */
function fieldsOf(order: object) {
  return Object.entries(order)
    .filter(([field, value]) => field !== 'generations' && value !== undefined)
    .map(([field, value]) => {
      if (field === 'request') return [field, 'signed'] as const;
      const isLong = field === 'lines' && Array.isArray(value);
      return [field, isLong ? `${value.length}` : shown(value)] as const;
    });
}

/** A value in words. A wallet is named by its id or its address. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map(shown).join(', ');
  if (!isRecord(value)) return String(value);
  const wallet = value.walletId ?? value.walletAddress;
  if (wallet !== undefined) return shown(wallet);
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([field, inner]) => `${field} ${shown(inner)}`)
    .join(', ');
}
