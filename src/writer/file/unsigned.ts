import type { Policy } from './policy';

/** On a main network each order must carry a signature. The fault of a policy that wants none. */
export function unsignedFault({ limits }: Pick<Policy, 'limits'>): string | undefined {
  const unsigned = limits.filter(({ signedBy }) => signedBy === undefined).map(({ id }) => id);
  if (unsigned.length === 0) return undefined;
  const [first, ...others] = unsigned;
  const named = others.length === 0 ? `rule ${first} names` : `rules ${unsigned.join(', ')} name`;
  return (
    `the ${named} no signedBy, which a main network needs. ` +
    'Name the group whose signature an order must carry.'
  );
}
