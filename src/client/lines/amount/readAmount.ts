import {
  type Decimals,
  eitherFault,
  eitherForm,
  eitherOf,
} from '../../../orders/exchange/eitherFault';

/** Spaces and apostrophes that people put between thousands. */
const gaps = /[ '’\u00a0\u2007\u2009\u202f]/g;
/** Gaps between thousands, or around the whole number. "12 34" may be 12.34. */
const gappedForm = new RegExp(
  `^${gaps.source}*\\d{1,3}(${gaps.source}?\\d{3})*([.,]\\d+)?${gaps.source}*$`,
);

const commasBetween = /^\d{1,3}((,\d{3})+\.\d+|(,\d{3}){2,})$/;

/**
 * The mark before decimals that an amount shows, whatever else stands beside its digits. Without a
 * mark it shows nothing. An amount such as "1,500" may be European, and so is held to be.
 */
export function decimalMark(text: string): 'point' | 'comma' | 'either' | undefined {
  const plain = text.replace(/[^\d.,]/g, '');
  if (eitherForm.test(plain)) return 'either';
  if (commasBetween.test(plain) || /^\d*\.\d+$/.test(plain)) return 'point';
  return /,|\..*\./.test(plain) ? 'comma' : undefined;
}

/** The fault of an amount that a spreadsheet or a locale has reformatted, with its right form. */
export function spoiltAmount(text: string, decimals: Decimals): string | undefined {
  if (/^[+-]?\d+([.,]\d+)?e[+-]?\d+$/i.test(text)) return shortened;
  const plain = text.replace(gaps, '');
  const isGapped = plain !== text;
  if (/^[1-9]\d{0,2},\d{3}$/.test(plain)) return eitherOf(plain, ',');
  if (isGapped && gappedForm.test(text)) {
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
  return eitherFault(text, decimals);
}

export const shortened =
  'is a number that a spreadsheet has shortened. Format the column as text, fill it in again, ' +
  'and export it again.';
