import type { StatementRow } from '../statement';
import {
  type CamtForm,
  currencyOf,
  entryElement,
  idElement,
  partyElement,
  places,
  proxyElements,
  remittance,
} from './camtParts';
import { movedInWords, orderInWords, placeInWords } from './words';
import { cut, element } from './xml';

/** Characters that fields of the schema have room for. */
const [idMax, textMax, nameMax] = [35, 500, 70];

/** The id of an entry, and its units of the last decimal of the schema. */
type Parts = { id: string; units: bigint };

/** A movement as an entry of camt.053. Its id names it for ever. */
export function entryOf(row: StatementRow, { id, units }: Parts, form: CamtForm): string {
  const { counterparty, order, line } = row;
  const exact = `exactly ${row.amount} ${row.token}, ${placeInWords(row)}`;
  const words = [exact, order, line, row.reference].filter((one) => one !== undefined).join(' · ');
  const endToEnd = element('EndToEndId', cut(line ?? order ?? 'NOTPROVIDED', idMax));
  const reason = row.reference || (orderInWords(row) ?? movedInWords(row));
  const details = [
    element('Refs', [element('AcctSvcrRef', id), endToEnd]),
    ...valueElements(row, form),
    ...(counterparty === undefined ? [] : [partiesOf(row, counterparty, form)]),
    remittance(reason),
    element('AddtlTxInf', cut(words, textMax)),
  ];
  const code = row.row === 'fee' ? 'GAS' : 'TRANSFER';
  const { time } = row;
  const currency = currencyOf(row, form);
  const isDebit = row.row !== 'in';
  return entryElement(
    {
      id,
      isMovement: true,
      units,
      isDebit,
      currency,
      time,
      code,
      details,
      words: cut(words, textMax),
    },
    form,
  );
}

/** Digits of a rate in the schema, and those of them behind its point. */
const [rateDigitsMax, ratePlacesMax] = [11, 10];

/** The value in a currency. A rate with more digits than the schema has stays out. */
function valueElements(row: StatementRow, form: CamtForm): string[] {
  const { value, valueCurrency: currency, valueRate: rate = '' } = row;
  if (value === undefined || currency === undefined) return [];
  const [, part = ''] = rate.split('.');
  const isShort = rate.replace('.', '').length <= rateDigitsMax && part.length <= ratePlacesMax;
  const exchange = element('CcyXchg', [
    element('SrcCcy', currencyOf(row, form)),
    element('TrgtCcy', currency),
    element('UnitCcy', currency),
    element('XchgRate', rate),
  ]);
  const amount = element('Amt', value, { Ccy: currency });
  return [element('AmtDtls', [element('CntrValAmt', [amount, ...(isShort ? [exchange] : [])])])];
}

/** The entry of what cutting amounts has left out. */
export function roundingOf(closing: StatementRow, { id, units }: Parts, form: CamtForm): string {
  const words =
    `Cut to ${places} decimals: each amount of this statement, and both balances. ` +
    'This entry is the sum of what that left out.';
  const details = [element('RmtInf', [element('Ustrd', words)])];
  const { time } = closing;
  const currency = currencyOf(closing, form);
  const entry = {
    id,
    isMovement: true,
    units,
    isDebit: units < 0n,
    currency,
    time,
    code: 'ROUNDING',
  };
  return entryElement({ ...entry, details, words }, form);
}

/** The other party: its name, or its address as one, and its account. */
function partiesOf(row: StatementRow, counterparty: string, form: CamtForm): string {
  const role = row.row === 'in' ? 'Dbtr' : 'Cdtr';
  const account = [idElement(row, counterparty, form), ...proxyElements(counterparty, form)];
  return partyElement(role, { name: partyName(row, counterparty, form), account }, form);
}

/** The oldest version of the schema has no other place for a whole address. */
function partyName({ counterpartyName: own }: StatementRow, address: string, form: CamtForm) {
  if (own === undefined) return address;
  return form.version === '02' ? `${address} ${cut(own, nameMax - 43)}` : cut(own, nameMax);
}
