import { signedBefore } from './signedBefore';

/**
 * Tells until when the request in an order of Temporal counts. Undefined if there is none, if it
 * has expired, or if it is by the key that has just withdrawn it.
 */
export function stillCounting(
  request: unknown,
  { id, key }: { id: string; key: string | undefined },
): string | undefined {
  const before = signedBefore(request);
  if (before === undefined || before.key === key) return undefined;
  const { expires } = before.statement;
  if (Date.parse(expires) <= Date.now()) return undefined;
  return (
    `What was signed for it counts until ${expires}: whoever reads it in Temporal can still have ` +
    'it sent. To withdraw it, set STEADFAST_SIGN_KEY to the key of its signer, and cancel it: ' +
    `npx steadfast cancel ${id} --reason "withdrawn"`
  );
}
