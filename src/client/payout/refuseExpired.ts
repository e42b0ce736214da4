import { BadOrderError } from '../../orders/input/read';
import { signedBefore } from '../signing/signedBefore';

/**
 * Refuses to retry lines of a payout whose request has expired, for a client that cannot sign it
 * again. Writers would refuse each new attempt.
 */
export function refuseExpired(workflowId: string, request: unknown): void {
  const before = signedBefore(request);
  if (before === undefined) return;
  const { expires } = before.statement;
  if (Date.parse(expires) > Date.now()) return;
  const alone = 'Pay its failed lines in a payout of their own';
  const way =
    before.console === undefined
      ? `${alone}, or retry them with the key that has signed it (STEADFAST_SIGN_KEY).`
      : `${alone}.`;
  throw new BadOrderError(
    `id: ${workflowId} is not retried. Its request has expired at ${expires}. ${way}`,
  );
}
