import { createHash } from 'node:crypto';
import { type Checked, runChecks } from '../../checks/check';
import { linesDigest } from '../../checks/digest';
import { type Asking, readAskings } from '../../client/asking/askings';
import { linesToSign } from '../../client/asking/linesToSign';
import { paymentsAsked } from '../../client/asking/payments';
import type { TreeLine } from '../../writer/signing/lineTree';
import { textOf } from '../../writer/signing/statement';
import type { ConsoleParts } from '../parts';
import { Refusal } from '../refusal';

/** A question of an order to people, with the digest by which a page names it. */
export type Question = Asking & { digest: string };

/** The lines of a question, the number over them, and what the checks find. */
export type Looked = {
  lines: readonly TreeLine[];
  linesDigest: string | undefined;
  checked: Checked;
};

const keptMax = 8;

/** All that an order asks people now. None where it asks for nothing. */
export async function questionsOf(
  { steadfast, namespace, blockchain, entity }: ConsoleParts,
  id: string,
): Promise<Question[]> {
  const { all } = await readAskings(steadfast, id, { namespace, blockchain, entity });
  return all.map((asking) => ({ ...asking, digest: digestOf(asking) }));
}

/**
 * The question of an order about a target, as a page has shown it. Throws a Refusal where the
 * order asks for something else by now.
 */
export async function questionShown(
  parts: ConsoleParts,
  id: string,
  shown: { target: string; digest: string },
): Promise<Question> {
  const all = await questionsOf(parts, id);
  const found = all.find(({ wanted }) => wanted.target === shown.target);
  if (found === undefined) throw new Refusal(409, `${id} does not ask about ${shown.target} now.`);
  if (found.digest === shown.digest) return found;
  throw new Refusal(
    409,
    `${id} asks for something else than this page shows. Nothing was signed. Load the page again.`,
  );
}

/** Reads and checks the lines of questions. The root in a statement names its lines for ever. */
export function lookingAt({ steadfast, book }: ConsoleParts) {
  const kept = new Map<string, Looked>();
  return async (id: string, { statement, digest }: Question): Promise<Looked> => {
    const known = kept.get(digest);
    if (known !== undefined) return known;
    const lines = await linesToSign(steadfast, id, statement);
    const payments = paymentsAsked(statement, lines);
    const order = { orderId: id, payments, wallets: [] };
    const checked = await runChecks(order, { book, paid: undefined, nowMs: Date.now() });
    const looked = {
      lines,
      checked,
      linesDigest: lines.length === 0 ? undefined : linesDigest(lines),
    };
    const [oldest] = kept.keys();
    if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest);
    kept.set(digest, looked);
    return looked;
  };
}

/** SHA-256 of a statement without its end, which moves each time the order asks. */
function digestOf({ statement }: Asking): string {
  return createHash('sha256')
    .update(textOf({ ...statement, expires: '' }))
    .digest('hex');
}
