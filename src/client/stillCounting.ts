import { type SignedBefore, signedBefore } from './signedBefore';

/**
 * Tells until when the request in an order of Temporal counts. Undefined if there is none, if it
 * has expired, or if it is by the key that has just withdrawn it. The way withdraws it.
 */
export function stillCounting(
  request: unknown,
  { key, way }: { key: string | undefined; way: string },
): string | undefined {
  const before = counting(request);
  if (before === undefined || before.key === key) return undefined;
  const { expires } = before.statement;
  // A person may have several keys, and only the policy of the writers knows that.
  const unless = key === undefined ? '' : ', unless your key is of the same person';
  return (
    `What was signed for it counts until ${expires}${unless}: whoever reads it in Temporal can ` +
    `still have it sent. To withdraw it, set STEADFAST_SIGN_KEY to the key of its signer: ${way}`
  );
}

/** A request that has not expired, if it is one. It may have been withdrawn. */
export function counting(request: unknown): SignedBefore | undefined {
  const before = signedBefore(request);
  const isOver = before === undefined || Date.parse(before.statement.expires) <= Date.now();
  return isOver ? undefined : before;
}

/** The command that withdraws all that was signed for an order. */
export function wayToWithdraw(id: string): string {
  return `npx steadfast cancel ${id} --reason "withdrawn"`;
}
