import { isDecimal, toBaseUnits } from '../../../custody/objects/amount';
import { shown } from '../../../orders/input/shown';
import { finest } from '../../../orders/payout/tally';

/** The texts of some elements, by their paths. An element may be there several times. */
export type Texts = Map<string, string[]>;

/** The text of an element that is there once. */
export function elementText(texts: Texts, path: string): string | undefined {
  return texts.get(path)?.[0];
}

/** A number as XML may write it (xs:decimal), in plain digits: "+01.50" is "1.50". */
export function plainDecimal(text: string): string {
  const [, whole = '', , rest = ''] = /^\+?(\d*)(\.(\d*))?$/.exec(text) ?? [];
  if (whole + rest === '') return text;
  return `${whole.replace(/^0+(?=\d)/, '') || '0'}${rest === '' ? '' : `.${rest}`}`;
}

/** Counts transactions and adds up their amounts, to compare them with what a file states. */
export function paymentTally() {
  let count = 0;
  let sum = 0n;
  let isWhole = true;
  return {
    count: () => count,
    add: (amount: string): void => {
      count += 1;
      if (isDecimal(amount)) sum += toBaseUnits(amount, finest);
      else isWhole = false;
    },
    /** The faults of each NbOfTxs and CtrlSum, with the codes that ISO 20022 has for them. */
    faults: (at: string, texts: Texts): string[] => {
      const isCount = (text: string) => /^\d{1,15}$/.test(text) && Number(text) === count;
      const isSum = (text: string) => {
        const plain = plainDecimal(text);
        return isDecimal(plain) && toBaseUnits(plain, finest) === sum;
      };
      const counts = (texts.get('NbOfTxs') ?? []).filter((text) => !isCount(text));
      // An amount that is none has a fault of its own.
      const sums = isWhole ? (texts.get('CtrlSum') ?? []).filter((text) => !isSum(text)) : [];
      return [
        ...counts.map((text) => `${at}/NbOfTxs is ${shown(text)}, but there are ${count} (AM18).`),
        ...sums.map(
          (text) => `${at}/CtrlSum is ${shown(text)}, which is not the sum of the amounts (AM10).`,
        ),
      ];
    },
  };
}
