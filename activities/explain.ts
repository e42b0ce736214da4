import type { Resolved } from '../src/orders/kind';
import { isKind, type OrderKind, type ReadOrder, readOrderOf } from '../src/orders/kinds';

/** The word of this process's policy about each write of an order, by its path. */
export type Explain = (
  kind: OrderKind,
  order: ReadOrder<OrderKind>,
  resolved: Resolved,
) => Promise<{ path: string; words: string }[]>;

export function explainActivities(explain: Explain | undefined) {
  return {
    /** Tells what the policy says about an order, for a dry run. Nothing without a policy. */
    async explainOrder(asked: {
      kind: string;
      order: unknown;
      resolved: Resolved;
    }): ReturnType<Explain> {
      const { kind, order, resolved } = asked;
      if (!isKind(kind)) return [];
      return explain?.(kind, readOrderOf(kind, order), resolved) ?? [];
    },
  };
}
