/** Spaces and apostrophes that people put between thousands. */
const gaps = /[ '’\u00a0\u202f]/g;

/** The fault of an amount that a spreadsheet or a locale has reformatted, with its right form. */
export function spoiltAmount(text: string, isEuropean: boolean): string | undefined {
  if (/^[+-]?\d+([.,]\d+)?e[+-]?\d+$/i.test(text)) return shortened;
  const plain = text.replace(gaps, '');
  const isGapped = plain !== text;
  if (isGapped && /^\d+([.,]\d+)?$/.test(plain)) {
    return `has gaps between its digits: write "${plain.replace(',', '.')}".`;
  }
  if (/^\d{1,3},\d{3}$/.test(text)) return eitherOf(text, ',');
  if (/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text)) {
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
  if (isEuropean && /^[1-9]\d{0,2}\.\d{3}$/.test(text)) return eitherOf(text, '.');
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
