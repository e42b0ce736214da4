/**
 * The sentence about a payout that nobody may start again under another id. Workflows may use it,
 * since it imports nothing.
 */
export const mayBePaid =
  'An earlier run of this payout may have paid lines of it. With the same lines, none of them is ' +
  'paid again. Under another id they would be.';
