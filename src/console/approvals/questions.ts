import { createHash } from 'node:crypto';
import { checkWithPaid } from '../../books/archive/checkWithPaid';
import type { Checked } from '../../checks/check';
import { linesDigest } from '../../checks/digest';
import { type Asking, askingsIn } from '../../client/asking/askings';
import { type AskedLine, linesToSign } from '../../client/asking/linesToSign';
import { paymentsAsked } from '../../client/asking/payments';
import { textOf } from '../../writer/signing/statement';
import type { ConsoleParts } from '../parts';
import { Refusal } from '../refusal';

/** A question of an order to people, with the digest by which a page names it. */
export type Question = Asking & { digest: string };

/** The lines of a question, the number over them, and what the checks find. */
export type QuestionLines = {
  lines: readonly AskedLine[];
  linesDigest: string | undefined;
  checked: Checked;
};

type Read = Pick<QuestionLines, 'lines' | 'linesDigest'>;
/** Pages that are made at the same time share one reading. */
type Kept = { lines: Promise<Read>; checked: Promise<Checked>; atMs: number };

const keptMax = 8;
/** The findings of checks are shown for this long before they are looked for again. */
const checkedMs = 30_000;

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
  const { all, unread, stands } = askingsIn(await parts.steadfast.status(id), parts);
  if (unread !== undefined) throw new Refusal(503, `${unread} Nothing was signed.`);
  const found = all.map(questionOf).find(({ wanted }) => wanted.target === shown.target);
  if (found === undefined) {
    throw new Refusal(409, `${id} does not ask about ${shown.target} now: it ${stands}.`);
  }
  if (found.digest === shown.digest) return found;
  throw new Refusal(
    409,
    `${id} asks for something else than this page shows. Nothing was signed. Load the page again.`,
  );
}

/** Reads and checks the lines of questions. The root in a statement names its lines for ever. */
export function lookingAt({ steadfast, book, store }: ConsoleParts) {
  const kept = new Map<string, Kept>();
  const read = async (id: string, { statement }: Question): Promise<Read> => {
    const lines = await linesToSign(steadfast, id, statement);
    return { lines, linesDigest: lines.length === 0 ? undefined : linesDigest(lines) };
  };
  const check = async ({ statement }: Question, reading: Promise<Read>) => {
    const payments = paymentsAsked(statement, (await reading).lines);
    const order = { orderId: statement.order, payments };
    return (await checkWithPaid(order, { book: book(), store })).checked;
  };
  return async (id: string, question: Question): Promise<QuestionLines> => {
    const { digest } = question;
    const known = kept.get(digest);
    // The lines are the same for ever. What was paid meanwhile is not.
    const isFresh = known !== undefined && Date.now() - known.atMs < checkedMs;
    const lines = known?.lines ?? read(id, question);
    const checked = isFresh ? known.checked : check(question, lines);
    const [oldest] = kept.keys();
    if (!known && kept.size >= keptMax && oldest !== undefined) kept.delete(oldest);
    if (!isFresh) kept.set(digest, { lines, checked, atMs: Date.now() });
    try {
      const [found, told] = await Promise.all([lines, checked]);
      return { ...found, checked: told };
    } catch (error) {
      // The next page reads again where this one could not.
      kept.delete(digest);
      throw error;
    }
  };
}

/** SHA-256 of a statement without its end, which moves each time the order asks. */
function digestOf({ statement }: Asking): string {
  return createHash('sha256')
    .update(textOf({ ...statement, expires: '' }))
    .digest('hex');
}
