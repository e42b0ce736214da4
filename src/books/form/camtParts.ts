import { decimal, type StatementRow } from '../statement';
import { StatementError } from '../statementError';
import { accountIdOf } from './accountId';
import { element } from './xml';

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

export function currencyOf({ token, contract }: StatementRow, { currencies }: CamtForm): string {
  return (contract === undefined ? currencies.get(token) : undefined) ?? 'XXX';
}

/** An amount and its direction. Throws a StatementError where the schema has no room for it. */
export function signed(units: bigint, currency: string): string[] {
  if (digitsIn(units) > camtDigitsMax) {
    throw new StatementError(
      `--format: camt053 has room for ${camtDigitsMax} digits, and ${decimal(units, places)} has more. ` +
        'Use another format.',
    );
  }
  const amount = decimal(units < 0n ? -units : units, places);
  return [
    element('Amt', amount, { Ccy: currency }),
    element('CdtDbtInd', units < 0n ? 'DBIT' : 'CRDT'),
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

/** A whole address. The oldest version has no room for one. */
export function proxyElements(address: string, { version }: CamtForm): string[] {
  if (version === '02') return [];
  const type = element('Tp', [element('Prtry', 'EVM address')]);
  return [element('Prxy', [type, element('Id', address)])];
}
