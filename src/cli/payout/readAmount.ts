/** Spaces and apostrophes that people put between thousands. */
const gaps = /[ '’\u00a0\u202f]/g;

/**
 * The mark before the decimals of a file's amounts. It is not known of a file of which nobody says
 * so, until one of its amounts shows a comma.
 */
export type Decimals = 'point' | 'comma' | 'unknown';

/** True for an amount that has a comma before its decimals, such as "12,50" and "1.000,5". */
export function hasDecimalComma(text: string): boolean {
  const [, whole = '', rest = ''] = /^(.*),(\d+)$/.exec(text.replace(/[^\d.,]/g, '')) ?? [];
  if (rest === '') return false;
  return rest.length !== 3 || whole.includes('.') || /^0?$/.test(whole) || /\d{4}/.test(whole);
}

/** The fault of an amount that a spreadsheet or a locale has reformatted, with its right form. */
export function spoiltAmount(text: string, decimals: Decimals): string | undefined {
  if (/^[+-]?\d+([.,]\d+)?e[+-]?\d+$/i.test(text)) return shortened;
  const plain = text.replace(gaps, '');
  const isGapped = plain !== text;
  if (/^[1-9]\d{0,2},\d{3}$/.test(plain)) return eitherOf(plain, ',');
  if (isGapped && /^\d+([.,]\d+)?$/.test(plain)) {
    return `has gaps between its digits: write "${plain.replace(',', '.')}".`;
  }
  if (/^[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(text)) {
    return `has commas between thousands: write "${text.replaceAll(',', '')}".`;
  }
  if (/^\d{1,3}(\.\d{3})+(,\d+)?$/.test(text) && /,|\..*\./.test(text)) {
    const written = text.replaceAll('.', '').replace(',', '.');
    return `has points between thousands: write "${written}".`;
  }
  if (/^\d+,\d+$/.test(text)) {
    return `has a comma for its decimals: write "${text.replace(',', '.')}".`;
  }
  // With decimal commas, points may separate thousands.
  if (decimals === 'comma' && /^[1-9]\d{0,2}\.\d{3}$/.test(text)) return eitherOf(text, '.');
  return undefined;
}

export const shortened =
  'is a number that a spreadsheet has shortened. Format the column as text, fill it in again, ' +
  'and export it again.';

function eitherOf(text: string, mark: ',' | '.'): string {
  const [whole = '', rest = ''] = text.split(mark);
  const decimal = `${whole}.${rest}`.replace(/0+$/, '').replace(/\.$/, '');
  return `may mean "${whole}${rest}" or "${decimal}": write one of these.`;
}
