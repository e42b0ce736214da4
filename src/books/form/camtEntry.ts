import type { StatementRow } from '../statement';
import { type CamtForm, currencyOf, idElement, places, proxyElements, signed } from './camtParts';
import { movedInWords, orderInWords, placeInWords } from './words';
import { cut, element, inPieces } from './xml';

/** Characters that fields of the schema have room for. */
const [idMax, textMax, remittanceMax] = [35, 500, 140];

type Parts = {
  id: string;
  units: bigint;
  code: string;
  details: readonly string[];
  words: string;
};

/** A movement as an entry of camt.053. Its id names it for ever. */
export function entryOf(
  row: StatementRow,
  { id, units }: Pick<Parts, 'id' | 'units'>,
  form: CamtForm,
): string {
  const { counterparty, order, line } = row;
  const exact = `exactly ${row.amount} ${row.token}, ${placeInWords(row)}`;
  const words = [exact, order, line, row.reference].filter((one) => one !== undefined).join(' · ');
  const endToEnd = element('EndToEndId', cut(line ?? order ?? 'NOTPROVIDED', idMax));
  const reason = row.reference || (orderInWords(row) ?? movedInWords(row));
  const remittance = inPieces(reason, remittanceMax).map((piece) => element('Ustrd', piece));
  const details = [
    element('Refs', [element('AcctSvcrRef', id), endToEnd]),
    ...(counterparty === undefined ? [] : [partiesOf(row, counterparty, form)]),
    element('RmtInf', remittance),
    element('AddtlTxInf', cut(words, textMax)),
  ];
  const code = row.row === 'fee' ? 'GAS' : 'TRANSFER';
  return ntry(row, { id, units, code, details, words: cut(words, textMax) }, form);
}

/** The entry of what cutting amounts has left out. */
export function roundingOf(
  closing: StatementRow,
  { id, units }: Pick<Parts, 'id' | 'units'>,
  form: CamtForm,
): string {
  const words =
    `Cut to ${places} decimals: each amount of this statement, and both balances. ` +
    'This entry is the sum of what that left out.';
  const details = [element('RmtInf', [element('Ustrd', words)])];
  return ntry(closing, { id, units, code: 'ROUNDING', details, words }, form);
}

function ntry(row: StatementRow, parts: Parts, form: CamtForm): string {
  const { id, units, code, details, words } = parts;
  const status = form.version === '02' ? 'BOOK' : [element('Cd', 'BOOK')];
  return element('Ntry', [
    element('NtryRef', id),
    ...signed(units, currencyOf(row, form)),
    element('Sts', status),
    element('BookgDt', [element('DtTm', row.time)]),
    element('ValDt', [element('Dt', row.time.slice(0, 10))]),
    element('AcctSvcrRef', id),
    element('BkTxCd', [element('Prtry', [element('Cd', code)])]),
    element('NtryDtls', [element('TxDtls', details)]),
    element('AddtlNtryInf', words),
  ]);
}

/** The other party: its address as a name, and its account. */
function partiesOf(row: StatementRow, counterparty: string, form: CamtForm): string {
  const role = row.row === 'in' ? 'Dbtr' : 'Cdtr';
  const name = element('Nm', counterparty);
  const account = [idElement(row, counterparty, form), ...proxyElements(counterparty, form)];
  return element('RltdPties', [
    element(role, form.version === '02' ? [name] : [element('Pty', [name])]),
    element(`${role}Acct`, account),
  ]);
}
