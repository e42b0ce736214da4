import { coinDecimals, toBaseUnits } from '../../../src/custody/objects/amount';
import { inText } from '../../../src/custody/objects/sameText';
import { finalState } from '../../../src/custody/objects/state';
import type { Transaction } from '../../../src/custody/objects/transaction';
import type { ResolvedToken } from '../../../src/orders/kind';

/** The fields that the record of an accepted write must have. Fields that are not given are not compared. */
export type Expected = {
  blockchain: string;
  walletId?: string;
  sourceAddress?: string;
  destinationAddress?: string;
  token?: ResolvedToken;
  /** In the token's own units. */
  amount?: string;
  /** The native coin that goes with the call of a contract, in its own units. */
  value?: string;
  contractAddress?: string;
  abiFunctionSignature?: string;
  abiParameters?: readonly unknown[];
};

/** A field that is compared as text. `isDue`: a completed record must have it. */
type Field = { name: keyof Expected & keyof Transaction; isAnyCase?: true; isDue?: true };

const fields: readonly Field[] = [
  { name: 'blockchain' },
  { name: 'walletId' },
  { name: 'abiFunctionSignature' },
  { name: 'sourceAddress', isAnyCase: true, isDue: true },
  { name: 'destinationAddress', isAnyCase: true, isDue: true },
  { name: 'contractAddress', isAnyCase: true, isDue: true },
  { name: 'abiParameters', isAnyCase: true },
];

/** As much of a record as can be compared. */
export type Compared = Pick<Transaction, 'blockchain' | 'state'> &
  Partial<Pick<Transaction, Field['name'] | 'amounts' | 'txHash'>>;

/** The fault of a complete record that does not say where on the chain it is. */
export const noHash = 'txHash is missing';

/**
 * The differences between a record and its order, as sentences. The service replays a key without
 * looking at the body, so an accepted id proves nothing until its record has been compared.
 * A field that the record does not carry (yet) is not a difference, until it is complete.
 */
export function mismatches(record: Compared, expected: Expected): string[] {
  const isComplete = finalState(record.state) === 'COMPLETE';
  const faults = fields.flatMap(({ name, isAnyCase = false, isDue = false }) => {
    const [actual, ordered] = [record[name], expected[name]].map((value) => text(value, isAnyCase));
    if (ordered === undefined || actual === ordered) return [];
    if (actual !== undefined) return [`${name} is ${actual}, ordered was ${ordered}`];
    return isDue && isComplete ? [`${name} is missing, ordered was ${expected[name]}`] : [];
  });
  const hash = isComplete && !record.txHash ? [noHash] : [];
  const amounts = [
    ...amountMismatch(record, expected, isComplete),
    ...valueMismatch(record, expected),
  ];
  return [...faults, ...amounts, ...hash];
}

/** A field as text. Undefined for one that is empty. */
function text(value: unknown, isAnyCase: boolean): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return isAnyCase ? inText(value).toLowerCase() : inText(value);
}

function amountMismatch(record: Compared, expected: Expected, isComplete: boolean): string[] {
  const { amount, token } = expected;
  if (amount === undefined) return [];
  const { amounts } = record;
  if (isComplete && !amounts?.[0]) return [`amount is missing, ordered was ${amount}`];
  if (token === undefined || !amounts) return [];
  const [units, ordered] = [amounts.join(', '), amount].map((given) => baseUnits(given, token));
  return units === ordered ? [] : [`amount is ${amounts.join(', ')}, ordered was ${amount}`];
}

/** Records of calls without the coin may show no amount, or an empty one. */
function valueMismatch({ amounts }: Compared, { value }: Expected): string[] {
  const shown = amounts?.filter((amount) => amount !== '') ?? [];
  if (value === undefined || shown.length === 0) return [];
  const [units, ordered] = [shown.join(', '), value].map((given) =>
    baseUnits(given, { decimals: coinDecimals }),
  );
  return units === ordered ? [] : [`its value is ${shown.join(', ')}, ordered was ${value}`];
}

/** Undefined for what is no amount of the token, which equals nothing that was ordered. */
function baseUnits(
  amount: string,
  { decimals }: Pick<ResolvedToken, 'decimals'>,
): bigint | undefined {
  try {
    return toBaseUnits(amount, decimals);
  } catch {
    return undefined;
  }
}
