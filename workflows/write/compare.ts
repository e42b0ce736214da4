import { toBaseUnits } from '../../src/custody/objects/amount';
import { finalState } from '../../src/custody/objects/state';
import type { Transaction } from '../../src/custody/objects/transaction';
import type { ResolvedToken } from '../../src/orders/kind';

/** What the record of an accepted write must say. Fields that are not given are not compared. */
export type Expected = {
  blockchain: string;
  walletId?: string;
  sourceAddress?: string;
  destinationAddress?: string;
  token?: ResolvedToken;
  /** In the token's own units. */
  amount?: string;
  contractAddress?: string;
  abiFunctionSignature?: string;
  abiParameters?: readonly unknown[];
};

/** As much of a record as can be compared. */
type Compared = Pick<Transaction, 'blockchain' | 'state'> &
  Partial<
    Pick<
      Transaction,
      | ('walletId' | 'sourceAddress' | 'destinationAddress' | 'amounts' | 'txHash')
      | ('contractAddress' | 'abiFunctionSignature' | 'abiParameters')
    >
  >;

/**
 * How a record differs from what was ordered, as sentences. The service replays a key without
 * looking at the body, so an accepted id proves nothing until its record has been compared.
 * A field that the record does not carry (yet) is not a difference.
 */
export function mismatches(record: Compared, expected: Expected): string[] {
  const plain = (['blockchain', 'walletId', 'abiFunctionSignature'] as const).flatMap((field) =>
    differing(field, record[field], expected[field]),
  );
  const addresses = (['sourceAddress', 'destinationAddress', 'contractAddress'] as const).flatMap(
    (field) => differing(field, record[field]?.toLowerCase(), expected[field]?.toLowerCase()),
  );
  const parameters = differing(
    'abiParameters',
    record.abiParameters && inText(record.abiParameters),
    expected.abiParameters && inText(expected.abiParameters),
  );
  return [
    ...plain,
    ...addresses,
    ...parameters,
    ...amountMismatch(record, expected),
    ...missing(record, expected),
  ];
}

/** Parameters of a call as text throughout: 5 and "5" are one number, true and "true" one truth. */
function inText(parameters: readonly unknown[]): string {
  const texts = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(texts) : String(value).toLowerCase();
  return JSON.stringify(texts(parameters));
}

/** By the time it is complete, a record must say what went where. */
function missing(record: Compared, expected: Expected): string[] {
  if (finalState(record.state) !== 'COMPLETE') return [];
  const told = {
    sourceAddress: record.sourceAddress,
    destinationAddress: record.destinationAddress,
    amount: record.amounts?.[0],
    contractAddress: record.contractAddress,
  };
  const hash = record.txHash ? [] : ['txHash is missing'];
  const fields = (['sourceAddress', 'destinationAddress', 'amount', 'contractAddress'] as const)
    .filter((field) => expected[field] !== undefined && !told[field])
    .map((field) => `${field} is missing, ordered was ${expected[field]}`);
  return [...hash, ...fields];
}

/** Whether two token addresses (empty: native) are one money; on Arc, USDC is the native coin. */
export function sameMoney(one: string, other: string, nativeTwins: readonly string[]): boolean {
  const money = (address: string): string => {
    const lower = address.toLowerCase();
    return nativeTwins.some((twin) => twin.toLowerCase() === lower) ? '' : lower;
  };
  return money(one) === money(other);
}

function amountMismatch(record: Compared, expected: Expected): string[] {
  const { amount, token } = expected;
  if (amount === undefined || token === undefined || !record.amounts) return [];
  const same =
    record.amounts.length === 1 &&
    record.amounts.every((given) => baseUnits(given, token) === baseUnits(amount, token));
  return same ? [] : [`amount is ${record.amounts.join(', ')}, ordered was ${amount}`];
}

/** Undefined for what is no amount of the token, which equals nothing that was ordered. */
function baseUnits(amount: string, token: ResolvedToken): bigint | undefined {
  try {
    return toBaseUnits(amount, token.decimals);
  } catch {
    return undefined;
  }
}

function differing(field: string, actual: unknown, ordered: unknown): string[] {
  if (ordered === undefined || actual === undefined || actual === null) return [];
  if (actual === '' || actual === ordered) return [];
  return [`${field} is ${actual}, ordered was ${ordered}`];
}
