import { z } from 'zod';
import { canonicalJson } from '../../custody/canonicalJson';
import { toBaseUnits } from '../../custody/objects/amount';
import { BadOrderError } from '../../orders/input/read';
import type { OrderKind, ReadOrder } from '../../orders/kinds';
import { finest, sumByToken } from '../../orders/payout/tally';
import { type TreeLine, treeOf } from './lineTree';

/** All lines of a payout: the root of their tree, their number, and their sums by token. */
export const signedLines = z.strictObject({
  root: z.string().regex(/^[0-9a-f]{64}$/),
  count: z.string().regex(/^[1-9]\d{0,6}$/),
  totals: z.record(z.string(), z.string().min(1).max(1_000)),
});
export type SignedLines = z.output<typeof signedLines>;

/**
 * The lines of a payout, as a statement names them. The lines of a strict payout must differ in
 * more than their ids, since each of them could be sent by itself. Throws a BadOrderError
 * otherwise.
 */
export function signedLinesOf(
  lines: readonly TreeLine[],
  { strict = false }: { strict?: boolean | undefined } = {},
): SignedLines {
  if (strict) refuseAlike(lines);
  return { root: treeOf(lines).hash, count: String(lines.length), totals: sumByToken(lines) };
}

function refuseAlike(lines: readonly TreeLine[]): void {
  const first = new Map<string, string>();
  for (const { lineId, to, amount, token } of lines) {
    const payment = canonicalJson([to, amount, token]);
    const earlier = first.get(payment);
    if (earlier !== undefined) {
      throw new BadOrderError(
        `strict: the lines ${earlier} and ${lineId} both pay ${amount} ${token} to ${to}. Correct ` +
          'them, or leave strict out if both are meant.',
      );
    }
    first.set(payment, lineId);
  }
}

/** Nobody signs a payout that its own maxTotal forbids: its lines could be sent one by one. */
export function refuseAboveMost(order: ReadOrder<OrderKind>, lines: SignedLines | undefined): void {
  const most = 'payoutId' in order ? order.maxTotal : undefined;
  for (const [token, amount] of Object.entries(most ?? {})) {
    const total = lines?.totals[token] ?? '0';
    if (toBaseUnits(total, finest) <= toBaseUnits(amount, finest)) continue;
    throw new BadOrderError(
      `maxTotal.${token}: the lines come to ${total}, and at most ${amount} is allowed.`,
    );
  }
}
