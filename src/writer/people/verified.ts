import { createRecent } from '../../custody/sharing';
import type { Signed } from '../../orders/input/signed';
import { signatureOf } from '../signing/signatureOf';
import { type Purpose, type RequestStatement, readRequest } from '../signing/statement';

const keptMax = 100;

/** A verified signature, as `signatureOf`. All lines of a payout carry the same one. */
export const verifiedSignature = kept((signed: Signed, purpose: Purpose) =>
  signatureOf(signed, purpose),
);

/** The statement of a request, as `readRequest`. Nobody may change it. */
export const verifiedRequest = kept(
  (statement: string): Readonly<RequestStatement> => readRequest(statement),
);

/** Keeps the latest answers of a check that depends on its input alone. An error is not kept. */
function kept<Input extends unknown[], Answer>(
  check: (...input: Input) => Answer,
): (...input: Input) => Answer {
  const answers = createRecent<string, { answer: Answer }>(keptMax);
  return (...input) => {
    const text = JSON.stringify(input);
    const known = answers.get(text);
    if (known !== undefined) return known.answer;
    const answer = check(...input);
    answers.set(text, { answer });
    return answer;
  };
}
