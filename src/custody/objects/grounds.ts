/** The reasons for which the policy of a writer has let a write out. */
export type Grounds = {
  /** Its version and its digest. */
  policy: string;
  /** The limits that count the write. */
  rules: string[];
  /** The person who has signed the order. */
  signedBy?: string | undefined;
  approvedBy?: string[] | undefined;
  /** The verdict of each screen. People have approved what was to be reviewed. */
  screened?: Record<string, 'clear' | 'review'> | undefined;
  /** The verdict of each check, and SHA-256 of the writer's address book. */
  checked?: { found: Record<string, 'clear' | 'review'>; book?: string | undefined } | undefined;
  seal?: Seal | undefined;
};

/** The signature of the writer's ledger. The id of the ledger follows from the public key. */
export type Seal = { ledger: string; publicKey: string; signature: string };

/** Grounds as one sentence, for people. */
export function groundsInWords({ policy, rules, ...found }: Grounds): string {
  const { signedBy, approvedBy = [], screened = {}, checked } = found;
  const said = (verdicts: Record<string, string>): string =>
    Object.entries(verdicts)
      .map(([name, verdict]) => `${name} ${verdict}`)
      .join(', ');
  const book = checked?.book === undefined ? '' : ` with address book ${checked.book.slice(0, 16)}`;
  const [version] = policy.split(' ');
  return [
    `allowed by ${[...rules, `policy ${version}`].join(', ')}`,
    ...(signedBy === undefined ? [] : [`signed by ${signedBy}`]),
    ...(approvedBy.length === 0 ? [] : [`approved by ${approvedBy.join(', ')}`]),
    ...(said(screened) === '' ? [] : [`screened: ${said(screened)}`]),
    ...(checked === undefined ? [] : [`checked: ${said(checked.found)}${book}`]),
  ].join('; ');
}
