/**
 * The mark before the decimals of a file's amounts. It is not known of a file of which nobody says
 * so, until its amounts show it.
 */
export type Decimals = 'point' | 'comma' | 'unknown';

/** A point before three digits: "1.500" is one and a half, or fifteen hundred. */
export const eitherForm = /^[1-9]\d{0,2}\.\d{3}$/;

/** The fault of a number whose point may separate thousands, where commas are for decimals. */
export function eitherFault(text: string, decimals: Decimals): string | undefined {
  return decimals === 'comma' && eitherForm.test(text) ? eitherOf(text, '.') : undefined;
}

/** The words for a number of two meanings, with the right form of each. */
export function eitherOf(text: string, mark: ',' | '.'): string {
  const [whole = '', rest = ''] = text.split(mark);
  // Three decimals would be asked about again.
  const decimal = rest.endsWith('0')
    ? `${whole}.${rest}`.replace(/\.?0+$/, '')
    : `${whole}.${rest}0`;
  return `may mean "${whole}${rest}" or "${decimal}": write one of these.`;
}
