import { canonicalJson } from '../../custody/canonicalJson';
import { BadOrderError } from '../../orders/input/read';
import type { TreeLine } from '../../writer/signing/lineTree';
import { type SignedLines, signedLinesOf } from '../../writer/signing/signedLines';
import type { ApprovalStatement } from '../../writer/signing/statement';
import type { Steadfast } from '../steadfast';

/** A line that people sign, with the name of its payee, which nobody signs. */
export type AskedLine = TreeLine & { name?: string | undefined };

/**
 * All lines of a payout that waits for people, read from its parts. Throws a BadOrderError where
 * they are others than its statement says, so that nobody signs what was not shown. None for an
 * order of another kind.
 */
export async function linesToSign(
  steadfast: Pick<Steadfast, 'payoutLines'>,
  id: string,
  { lines: signed }: Pick<ApprovalStatement, 'lines'>,
): Promise<AskedLine[]> {
  if (signed === undefined) return [];
  const most = Number(signed.count);
  const lines: AskedLine[] = [];
  for await (const { lineId, to, amount, token, name } of steadfast.payoutLines(id)) {
    // Anybody in Temporal can start a payout that answers lines without end.
    if (lines.length === most) throw otherLines(id, `more than ${most}`, signed);
    lines.push({ lineId, to, amount, token, name });
  }
  if (isSigned(lines, signed)) return lines;
  throw otherLines(id, String(lines.length), signed);
}

function otherLines(id: string, count: string, signed: SignedLines): BadOrderError {
  return new BadOrderError(
    `id: ${id} has ${count} lines, and they are not the ${signed.count} that are to be ` +
      'signed. Do not approve it.',
  );
}

/** True for the lines that a statement has: the same in the same order. */
export function isSigned(lines: readonly TreeLine[], signed: SignedLines): boolean {
  return lines.length > 0 && canonicalJson(signedLinesOf(lines)) === canonicalJson(signed);
}
