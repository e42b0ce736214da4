import { decimal, type StatementRow } from '../statement';
import { StatementError } from '../statementError';
import { accountIdOf } from './accountId';
import { element, inPieces } from './xml';

/** Versions of camt.053 that programs read, the newest last. */
export const camtVersions = ['02', '08', '12'] as const;
export type CamtVersion = (typeof camtVersions)[number];

/** The form of a document. The schema has no currency for a token, so it is XXX unless named. */
export type CamtForm = {
  blockchain: string;
  version: CamtVersion;
  /** Currencies by the symbols of listed tokens. */
  currencies: ReadonlyMap<string, string>;
};

/** The token that a currency of a pain.001 stands for. */
export const tokenOfCurrency: Readonly<Record<string, string>> = { USD: 'USDC', EUR: 'EURC' };

/** Characters of one piece of a reason. */
const remittanceMax = 140;

/** Decimals of an amount in the schema. */
export const places = 5;
/** Digits of an amount in the schema. */
export const camtDigitsMax = 18;

/** Base units cut to the decimals of the schema, in units of the last of them. */
export function cutUnits(baseUnits: string, decimals: number): bigint {
  const units = BigInt(baseUnits);
  return decimals <= places
    ? units * 10n ** BigInt(places - decimals)
    : units / 10n ** BigInt(decimals - places);
}

export function digitsIn(units: bigint): number {
  return units.toString().replace('-', '').length;
}

export function currencyOf(
  { token, contract }: Pick<StatementRow, 'token' | 'contract'>,
  { currencies }: CamtForm,
): string {
  return (contract === undefined ? currencies.get(token) : undefined) ?? 'XXX';
}

/**
 * An amount and its direction, which an amount below the last decimal has too. Throws a
 * StatementError where the schema has no room for it.
 */
export function signed(units: bigint, currency: string, isDebit = units < 0n): string[] {
  if (digitsIn(units) > camtDigitsMax) {
    throw new StatementError(
      `--format: camt053 has room for ${camtDigitsMax} digits, and ${decimal(units, places)} has more. ` +
        'Use another format.',
    );
  }
  const amount = decimal(units < 0n ? -units : units, places);
  return [
    element('Amt', amount, { Ccy: currency }),
    element('CdtDbtInd', isDebit ? 'DBIT' : 'CRDT'),
  ];
}

/** The id of the account of an address in the token of a row. */
export function idElement(
  row: Pick<StatementRow, 'token' | 'contract'>,
  holder: string,
  { blockchain }: CamtForm,
): string {
  const id = accountIdOf({ ...row, holder, blockchain });
  return element('Id', [element('Othr', [element('Id', id)])]);
}

/** One entry of an account: money that went in or out, with its details. */
type Entry = {
  id: string;
  /** True for the id of a movement in all statements. */
  isMovement: boolean;
  units: bigint;
  isDebit: boolean;
  currency: string;
  /** Empty where nobody knows it. */
  time: string;
  /** The kind of the movement, in words of our own. */
  code: string;
  details: readonly string[];
  words?: string;
};

/** An entry. The id of a movement names it for ever. */
export function entryElement(entry: Entry, { version }: Pick<CamtForm, 'version'>): string {
  const { id, isMovement, units, isDebit, currency, time, code, details, words } = entry;
  const dates = [
    element('BookgDt', [element('DtTm', time)]),
    element('ValDt', [element('Dt', time.slice(0, 10))]),
  ];
  return element('Ntry', [
    ...(isMovement ? [element('NtryRef', id)] : []),
    ...signed(units, currency, isDebit),
    element('Sts', version === '02' ? 'BOOK' : [element('Cd', 'BOOK')]),
    ...(time === '' ? [] : dates),
    element('AcctSvcrRef', id),
    element('BkTxCd', [element('Prtry', [element('Cd', code)])]),
    element('NtryDtls', [element('TxDtls', details)]),
    ...(words === undefined ? [] : [element('AddtlNtryInf', words)]),
  ]);
}

/** The reason of a payment, in pieces that the schema has room for. */
export function remittance(reason: string): string {
  return element(
    'RmtInf',
    inPieces(reason, remittanceMax).map((piece) => element('Ustrd', piece)),
  );
}

/** The other party: its name, and its account. */
export function partyElement(
  role: 'Dbtr' | 'Cdtr',
  party: { name: string; account: string[] },
  { version }: Pick<CamtForm, 'version'>,
): string {
  const name = element('Nm', party.name);
  return element('RltdPties', [
    element(role, version === '02' ? [name] : [element('Pty', [name])]),
    element(`${role}Acct`, party.account),
  ]);
}

/** A whole address. The oldest version has no room for one. */
export function proxyElements(address: string, { version }: CamtForm): string[] {
  if (version === '02') return [];
  const type = element('Tp', [element('Prtry', 'EVM address')]);
  return [element('Prxy', [type, element('Id', address)])];
}
