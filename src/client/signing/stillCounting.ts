import { type SignedBefore, signedBefore } from './signedBefore';

/**
 * Tells until when the request in an order of Temporal counts. Undefined if there is none, if it
 * has expired, or if it is by the key that has just withdrawn it. The way withdraws it.
 */
export function stillCounting(
  request: unknown,
  { key, way }: { key: string | undefined; way: string },
): string | undefined {
  const before = unexpiredRequest(request);
  if (before === undefined || before.key === key) return undefined;
  const { statement, console: page } = before;
  const { expires } = statement;
  // A person may have several keys, and only the policy of the writers knows that.
  const unless = key === undefined ? '' : ', unless your key is of the same person';
  const how =
    page === undefined
      ? `set STEADFAST_SIGN_KEY to the key of its signer: ${way}`
      : `its signer withdraws it with their passkey at ${page}, whatever its state.`;
  return (
    `What was signed for it counts until ${expires}${unless}. Anyone who reads it in Temporal can ` +
    `still have it sent. To withdraw it, ${how}`
  );
}

/**
 * Tells that a request in an order of Temporal is dated after the withdrawal by its own key, which
 * does not reach it. Undefined for any other request.
 */
export function datedAfter(
  request: unknown,
  { key, until, way }: { key: string | undefined; until: string | undefined; way: string },
): string | undefined {
  const before = unexpiredRequest(request);
  if (before === undefined || until === undefined || before.key !== key) return undefined;
  const { signedAt, order } = before.statement;
  if (Date.parse(signedAt) <= Date.parse(until)) return undefined;
  return (
    `The withdrawal reaches what was signed for ${order} until ${until}, and its request is dated ` +
    `${signedAt}, which is later. The writer refuses it until then. Set the clock of the machine ` +
    `that has signed it. Once that moment has come, withdraw it again: ${way}`
  );
}

/** A request that has not expired, if it is one. It may have been withdrawn. */
export function unexpiredRequest(request: unknown): SignedBefore | undefined {
  const before = signedBefore(request);
  const isOver = before === undefined || Date.parse(before.statement.expires) <= Date.now();
  return isOver ? undefined : before;
}
