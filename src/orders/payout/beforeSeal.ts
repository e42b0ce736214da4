/** Says what a payout has paid before its seal. Imports nothing, so that workflows may use it. */
export function beforeSeal({ mayHavePaid }: { mayHavePaid?: boolean | undefined }): string {
  return mayHavePaid === true ? mayBePaid : 'Nothing is paid before the seal.';
}

/** The sentence about a payout that nobody may start again under another id. */
export const mayBePaid =
  'An earlier run of this payout may have paid lines of it. With the same lines, none of them is ' +
  'paid again. Under another id they would be.';
