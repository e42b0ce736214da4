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
  return all.map(questionOf);
}

/** A question, named as pages name it. */
export function questionOf(asking: Asking): Question {
  return { ...asking, digest: digestOf(asking) };
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
  const kept = new Map<string, Promise<Looked>>();
  const look = async (id: string, { statement }: Question): Promise<Looked> => {
    const lines = await linesToSign(steadfast, id, statement);
    const payments = paymentsAsked(statement, lines);
    const order = { orderId: id, payments, wallets: [] };
    const checked = await runChecks(order, { book, paid: undefined, nowMs: Date.now() });
    const number = lines.length === 0 ? undefined : linesDigest(lines);
    return { lines, checked, linesDigest: number };
  };
  return (id: string, question: Question): Promise<Looked> => {
    const { digest } = question;
    const known = kept.get(digest);
    if (known !== undefined) return known;
    const [oldest] = kept.keys();
    if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest);
    const looked = look(id, question);
    kept.set(digest, looked);
    // The next page reads again where this one could not.
    looked.catch(() => kept.delete(digest));
    return looked;
  };
}

/** SHA-256 of a statement without its end, which moves each time the order asks. */
function digestOf({ statement }: Asking): string {
  return createHash('sha256')
    .update(textOf({ ...statement, expires: '' }))
    .digest('hex');
}
