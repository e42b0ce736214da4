import { createHash } from 'node:crypto';
import { shown } from '../../../orders/input/shown';
import type { LineSource } from '../../../orders/payout/lineBeside';
import type { Row } from '../columns';
import { plainDecimal, type Texts, textOf } from './texts';

/** Tokens that stand for a currency. Any other currency has to be XXX, with --token. */
const tokenOf: Readonly<Record<string, string>> = { USD: 'USDC', EUR: 'EURC' };

/** Parts of a transaction that money on a chain cannot follow. */
const unfit =
  /^(Amt\/EqvtAmt|CdtrAcct\/Id|XchgRateInf|ChqInstr|IntrmyAgt\d|UltmtCdtr|InstrForCdtrAgt)/;

/** Elements that are there once in each transaction. */
const single = ['PmtId/EndToEndId', 'Amt/InstdAmt', 'Amt/InstdAmt@Ccy', 'CdtrAcct/Prxy/Id'];

/** The amount of a transaction, in plain digits. */
export function amountIn(own: Texts): string {
  return plainDecimal(textOf(own, 'Amt/InstdAmt') ?? '');
}

/** A credit transfer as a row of a payout, or its first fault with its path. */
export function rowOf(
  row: number,
  own: Texts,
  { at, source, token }: { at: string; source: LineSource; token: string | undefined },
): Row {
  const currency = textOf(own, 'Amt/InstdAmt@Ccy') ?? '';
  const named = currency === 'XXX' ? token : tokenOf[currency];
  const isNamed = named !== undefined && (token === undefined || token === named);
  const fault = strangeIn(own, at) ?? (isNamed ? undefined : currencyFault(at, currency));
  if (fault !== undefined) return { row, fault };
  const endToEndId = textOf(own, 'PmtId/EndToEndId') ?? '';
  const lineId = lineIdOf(endToEndId);
  const instructionId = textOf(own, 'PmtId/InstrId');
  return {
    row,
    values: {
      lineId,
      to: textOf(own, 'CdtrAcct/Prxy/Id') ?? '',
      amount: amountIn(own),
      token: named ?? '',
      reference: referenceIn(own),
      name: textOf(own, 'Cdtr/Nm') ?? '',
    },
    source: {
      ...source,
      ...(lineId === endToEndId ? {} : { endToEndId }),
      ...(instructionId && { instructionId }),
    },
  };
}

/** Every remittance text. The creditor references where there is none. */
function referenceIn(own: Texts): string {
  const texts = own.get('RmtInf/Ustrd') ?? own.get('RmtInf/Strd/CdtrRefInf/Ref') ?? [];
  return texts.filter((text) => text !== '').join(' ');
}

const digestCharacters = 16;
const readableCharacters = 40;

/**
 * The line of an EndToEndId. ISO 20022 allows any letters in it. An id with others than
 * a line's id has gets what is readable of it and a digest. So it is always the same line.
 */
function lineIdOf(endToEndId: string): string {
  if (/^[A-Za-z0-9._:-]*$/.test(endToEndId)) return endToEndId;
  const readable = endToEndId.replace(/[^A-Za-z0-9._]+/g, '-').replace(/^-|-$/g, '');
  const digest = createHash('sha256').update(endToEndId).digest('hex').slice(0, digestCharacters);
  return `${readable.slice(0, readableCharacters)}:${digest}`;
}

/** The first part of a transaction that cannot be paid, or the part that is missing. */
function strangeIn(own: Texts, at: string): string | undefined {
  const strange = [...own.keys()].find((path) => unfit.test(path));
  if (strange !== undefined) {
    return `${at}/${strange} cannot be paid: the payee is an address in CdtrAcct/Prxy/Id.`;
  }
  const twice = single.find((path) => (own.get(path)?.length ?? 0) > 1);
  if (twice !== undefined) return `${at}/${twice} is there twice. Leave one.`;
  if (own.has('CdtrAcct/Prxy/Id')) return undefined;
  return `${at}/CdtrAcct/Prxy/Id is missing. An address of 42 characters fits only there.`;
}

function currencyFault(at: string, currency: string): string {
  const place = `${at}/Amt/InstdAmt/@Ccy ${shown(currency)}`;
  return `${place} is not the token. Use USD for USDC, EUR for EURC, or XXX with --token.`;
}
