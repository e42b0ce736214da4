import { createHash } from 'node:crypto';
import { tokenOfCurrency } from '../../../books/form/camtParts';
import { isCurrency } from '../../../orders/exchange/exchange';
import { shown } from '../../../orders/input/shown';
import type { LineSource } from '../../../orders/payout/lineBeside';
import type { FileReading } from '../columns';
import type { FileRow } from '../row';
import { strangeFaults } from './places';
import { elementText, plainDecimal, type Texts } from './texts';

/** Elements that are there once in each transaction. */
const single = ['PmtId/EndToEndId', 'Amt/InstdAmt', 'Amt/InstdAmt@Ccy', 'CdtrAcct/Prxy/Id'];

/** The amount of a transaction, in plain digits. */
export function amountIn(own: Texts): string {
  return plainDecimal(elementText(own, 'Amt/InstdAmt') ?? '');
}

/** A credit transfer as a row of a payout, or its first fault with its path. */
export function rowOf(
  row: number,
  own: Texts,
  { at, source, reading }: { at: string; source: LineSource; reading: FileReading },
): FileRow {
  const { token } = reading;
  const currency = elementText(own, 'Amt/InstdAmt@Ccy') ?? '';
  // No currency stands for a token without a rate where rates are given.
  const isConverted = reading.convert !== undefined && isCurrency(currency);
  // Any currency without a token has to be XXX, with --token.
  const named = isConverted || currency === 'XXX' ? token : tokenOfCurrency[currency];
  const isNamed = isConverted || (named !== undefined && (token === undefined || token === named));
  const fault =
    strangeIn(own, at) ??
    (isNamed ? undefined : currencyFault(at, currency)) ??
    accountFault(own, { at, currency });
  if (fault !== undefined) return { row, fault };
  const endToEndId = elementText(own, 'PmtId/EndToEndId') ?? '';
  const lineId = lineIdOf(endToEndId);
  const instructionId = elementText(own, 'PmtId/InstrId');
  return {
    row,
    values: {
      lineId,
      to: elementText(own, 'CdtrAcct/Prxy/Id') ?? '',
      amount: amountIn(own),
      token: named ?? '',
      // XXX with --token says that the amount is in the token itself, whatever rates are given.
      ...(reading.convert === undefined ? {} : { currency: isConverted ? currency : named }),
      reference: referenceIn(own),
      name: elementText(own, 'Cdtr/Nm') ?? '',
    },
    source: {
      ...source,
      ...(lineId === endToEndId ? {} : { endToEndId }),
      ...(instructionId && { instructionId }),
    },
  };
}

/** Remittance texts, and the ids of invoices and creditors, each once. */
const remittance = ['Ustrd', 'Strd/RfrdDocInf/Nb', 'Strd/CdtrRefInf/Ref', 'Strd/AddtlRmtInf'];

function referenceIn(own: Texts): string {
  const texts = remittance.flatMap((path) => own.get(`RmtInf/${path}`) ?? []);
  return [...new Set(texts)].filter((text) => text !== '').join(' ');
}

const digestCharacters = 16;
const readableCharacters = 40;

/**
 * The line of an EndToEndId. ISO 20022 allows any letters in it. An id with others than
 * a line's id has gets what is readable of it and a digest. So it is always the same line.
 */
function lineIdOf(endToEndId: string): string {
  if (/^[A-Za-z0-9._:-]*$/.test(endToEndId)) return endToEndId;
  const readable = endToEndId
    .normalize('NFC')
    .replace(/[^A-Za-z0-9._]+/g, '-')
    .replace(/^-|-$/g, '');
  // One text in two forms of Unicode is one text.
  const digest = createHash('sha256')
    .update(endToEndId.normalize('NFC'))
    .digest('hex')
    .slice(0, digestCharacters);
  return `${readable.slice(0, readableCharacters)}:${digest}`;
}

/** The first part of a transaction that cannot be paid, or the part that is missing. */
function strangeIn(own: Texts, at: string): string | undefined {
  const [strange] = strangeFaults('CdtTrfTxInf', own, at);
  if (strange !== undefined) return strange;
  const twice = single.find((path) => (own.get(path)?.length ?? 0) > 1);
  if (twice !== undefined) return `${at}/${twice} is there twice. Leave one.`;
  if (own.has('CdtrAcct/Prxy/Id')) return undefined;
  return `${at}/CdtrAcct/Prxy/Id is missing. An address of 42 characters fits only there.`;
}

function currencyFault(at: string, currency: string): string {
  const place = `${at}/Amt/InstdAmt/@Ccy ${shown(currency)}`;
  return `${place} is not the token. Use USD for USDC, EUR for EURC, or XXX with --token.`;
}

/** The fault of a payee who wants another currency than the amount's. */
function accountFault(
  own: Texts,
  { at, currency }: { at: string; currency: string },
): string | undefined {
  const wanted = own.get('CdtrAcct/Ccy')?.find((one) => one !== currency);
  return wanted === undefined
    ? undefined
    : `${at}/CdtrAcct/Ccy ${shown(wanted)} is not the currency of the amount, and nothing is ` +
        'exchanged. Give the amount in it.';
}
