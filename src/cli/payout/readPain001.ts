import { createReadStream } from 'node:fs';
import { SaxesParser } from 'saxes';
import { isDecimal, toBaseUnits } from '../../custody/objects/amount';
import { shown } from '../../orders/input/shown';
import { finest } from '../../orders/payout/tally';
import { type Row, rowCharactersMax } from './columns';

/** Deeper than any pain.001. Limits a file of a million nested tags. */
const depthMax = 24;

const transaction = 'Document/CstmrCdtTrfInitn/PmtInf/CdtTrfTxInf';
const namespaceForm = /^urn:iso:std:iso:20022:tech:xsd:pain\.001\.001\.\d\d$/;

/** Tokens that stand for a currency. Any other currency has to be XXX, with --token. */
const tokenOf: Readonly<Record<string, string>> = { USD: 'USDC', EUR: 'EURC' };

/** A place in the file at which it cannot be paid, as a sentence with its path. */
class Misfit extends Error {}

/**
 * Reads the credit transfers of a pain.001 as rows of a payout. EndToEndId is the line, the proxy
 * of the creditor's account the address, and the remittance text the reference. Whatever cannot
 * be paid so is a fault with its path. The parser knows no entities of a file, and no DOCTYPE.
 */
export async function* readPain001(
  path: string,
  { token }: { token: string | undefined },
): AsyncGenerator<Row, void> {
  const reader = createReader(token);
  try {
    for await (const chunk of createReadStream(path, 'utf8')) {
      reader.write(String(chunk));
      yield* reader.rows();
    }
    reader.close();
    yield* reader.rows();
  } catch (error) {
    yield* reader.rows();
    const words = error instanceof Error ? error.message : String(error);
    const fault = error instanceof Misfit ? words : `is no XML that can be read: ${words}`;
    yield { row: reader.count() + 1, fault };
  }
}

type Texts = Map<string, string>;

function createReader(token: string | undefined) {
  const parser = new SaxesParser({ xmlns: true });
  const open: string[] = [];
  const rows: Row[] = [];
  const header: Texts = new Map();
  let own: Texts = new Map();
  let text = '';
  let count = 0;
  let sum = 0n;

  parser.on('doctype', () => {
    throw new Misfit('has a DOCTYPE, and no pain.001 needs one. Leave it out.');
  });
  parser.on('error', (error) => {
    throw new Misfit(`is no XML that can be read: ${error.message}.`);
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    open.push(local);
    if (open.length > depthMax) throw new Misfit(`is nested deeper than ${depthMax} elements.`);
    if (open.length === 1 && !(local === 'Document' && namespaceForm.test(uri))) {
      throw new Misfit('is no pain.001 of ISO 20022: its first element is another one.');
    }
    text = '';
    const at = open.join('/');
    if (at === transaction) own = new Map();
    const currency = attributes.Ccy?.value;
    if (currency !== undefined) own.set(`${inTransaction(at)}@Ccy`, currency);
  });
  parser.on('text', (more) => {
    text += more;
    if (text.length > rowCharactersMax) {
      throw new Misfit(`${open.join('/')} is longer than ${rowCharactersMax} characters.`);
    }
  });
  parser.on('closetag', () => {
    const at = open.join('/');
    const value = text.trim();
    text = '';
    open.pop();
    if (at === transaction) {
      count += 1;
      const row = rowOf(count, own, { header, token });
      if ('values' in row && isDecimal(String(row.values.amount))) {
        sum += toBaseUnits(String(row.values.amount), finest);
      }
      rows.push(row);
    } else if (at.startsWith(`${transaction}/`)) own.set(inTransaction(at), value);
    else if (value !== '') header.set(at, value);
  });
  return {
    write: (chunk: string): void => {
      parser.write(chunk);
    },
    close: (): void => {
      parser.close();
      refuseTotals(header, { count, sum });
    },
    count: () => count,
    *rows(): Generator<Row> {
      yield* rows.splice(0);
    },
  };
}

function inTransaction(path: string): string {
  return path.slice(transaction.length + 1);
}

/** Parts of a transaction that money on a chain cannot follow. */
const unfit =
  /^(Amt\/EqvtAmt|CdtrAcct\/Id|XchgRateInf|ChqInstr|IntrmyAgt\d|UltmtCdtr|InstrForCdtrAgt)/;

function rowOf(
  row: number,
  own: Texts,
  { header, token }: { header: Texts; token: string | undefined },
): Row {
  const at = `PmtInf/CdtTrfTxInf[${row}]`;
  const currency = own.get('Amt/InstdAmt@Ccy') ?? '';
  const named = currency === 'XXX' ? token : tokenOf[currency];
  const isNamed = named !== undefined && (token === undefined || token === named);
  const fault =
    strangeIn(own, at) ??
    methodFault(header) ??
    (isNamed ? undefined : currencyFault(at, currency));
  if (fault !== undefined) return { row, fault };
  return {
    row,
    values: {
      lineId: own.get('PmtId/EndToEndId') ?? '',
      to: own.get('CdtrAcct/Prxy/Id') ?? '',
      amount: own.get('Amt/InstdAmt') ?? '',
      token: named ?? '',
      reference: own.get('RmtInf/Ustrd') ?? '',
    },
  };
}

/** The first part of a transaction that cannot be paid, or the part that is missing. */
function strangeIn(own: Texts, at: string): string | undefined {
  const strange = [...own.keys()].find((path) => unfit.test(path));
  if (strange !== undefined) {
    return `${at}/${strange} cannot be paid: the payee is an address in CdtrAcct/Prxy/Id.`;
  }
  if (own.get('CdtrAcct/Prxy/Id') !== undefined) return undefined;
  return `${at}/CdtrAcct/Prxy/Id is missing. An address of 42 characters fits only there.`;
}

function methodFault(header: Texts): string | undefined {
  const method = header.get('Document/CstmrCdtTrfInitn/PmtInf/PmtMtd');
  const day = header.get('Document/CstmrCdtTrfInitn/PmtInf/ReqdExctnDt/Dt');
  if (method !== undefined && method !== 'TRF') {
    return `PmtInf/PmtMtd ${shown(method)} cannot be paid: it must be TRF.`;
  }
  if (day === undefined || Date.parse(day) <= Date.now()) return undefined;
  const place = `PmtInf/ReqdExctnDt/Dt ${shown(day)}`;
  return `${place} is later than today. Start it then, or schedule it.`;
}

function currencyFault(at: string, currency: string): string {
  const place = `${at}/Amt/InstdAmt/@Ccy ${shown(currency)}`;
  return `${place} is not the token. Use USD for USDC, EUR for EURC, or XXX with --token.`;
}

/** Compares the totals that the file states. */
function refuseTotals(header: Texts, { count, sum }: { count: number; sum: bigint }): void {
  const told = (name: string) => header.get(`Document/CstmrCdtTrfInitn/GrpHdr/${name}`);
  const transactions = told('NbOfTxs');
  if (transactions !== undefined && transactions !== String(count)) {
    throw new Misfit(`GrpHdr/NbOfTxs is ${shown(transactions)}, but there are ${count}.`);
  }
  const control = told('CtrlSum');
  if (control === undefined) return;
  if (isDecimal(control) && toBaseUnits(control, finest) === sum) return;
  throw new Misfit(`GrpHdr/CtrlSum is ${shown(control)}, which is not the sum of the amounts.`);
}
