import { batchIn, beginningOf } from '../../custody/batch';
import type { CustodyApi } from '../../custody/endpoints';
import { RefusedError } from '../../custody/errors';
import { isDecimal, toBaseUnits } from '../../custody/objects/amount';
import { blockchains } from '../../custody/objects/blockchain';
import { sameText } from '../../custody/objects/sameMoney';
import type { Money, Monies } from '../money';
import type { Moved, SentRecord } from './source';

/** One movement that a record says it has made. A payment of a batch has a mark. */
export type Expected = { money: Money; to: string; units: bigint; mark?: string };

/** Reads the movements that a record says it has made. Undefined for calls of other functions. */
export type Expecting = (record: SentRecord) => Promise<Expected[] | undefined>;

/** Reads records by the listed monies of the chain. Each token is asked for once. */
export function expecting(
  custody: Pick<CustodyApi, 'getToken'>,
  { monies, blockchain }: { monies: Monies; blockchain: string },
): Expecting {
  const moneyOf = (address: string): Money | undefined =>
    address === '' ? monies.coin : monies.ofToken(address)?.money;
  const known = new Map<string, Promise<string | undefined>>();
  for (const { id, address } of blockchains[blockchain]?.tokens ?? []) {
    if (id !== undefined) known.set(id, Promise.resolve(address));
  }
  const ask = async (id: string): Promise<string | undefined> => {
    try {
      const { token } = await custody.getToken({ id });
      return token.isNative ? '' : token.tokenAddress;
    } catch (error) {
      if (error instanceof RefusedError) return undefined;
      throw error;
    }
  };
  const addressOf = (id: string): Promise<string | undefined> => {
    const asked = known.get(id) ?? ask(id);
    known.set(id, asked);
    return asked;
  };
  return async (record) => {
    const batch = batchIn(record);
    const unitsEach = (address: string): bigint => monies.ofToken(address)?.unitsEach ?? 1n;
    if (batch !== undefined) {
      const money = moneyOf(batch.tokenAddress);
      const each = unitsEach(batch.tokenAddress);
      return (
        money &&
        batch.payments.map(({ to, baseUnits, mark }) => ({
          ...paid(money, to, BigInt(baseUnits) * each),
          mark: beginningOf(mark),
        }))
      );
    }
    const { operation, tokenId, destinationAddress, amounts } = record;
    if (operation !== 'TRANSFER' || !destinationAddress || !amounts?.length) return undefined;
    const address = tokenId ? await addressOf(tokenId) : undefined;
    const money = address === undefined ? undefined : moneyOf(address);
    if (money === undefined || !amounts.every(isDecimal)) return undefined;
    return amounts.map((text) =>
      paid(money, destinationAddress, toBaseUnits(text, money.decimals)),
    );
  };
}

function paid(money: Money, to: string, units: bigint): Expected {
  return { money, to: to.toLowerCase(), units };
}

/** The movements that have happened as expected, those that have not, and all others. */
export type Comparison = {
  made: ReadonlyMap<Moved, Expected>;
  missing: readonly Expected[];
  strange: readonly Moved[];
};

/** Finds each expected movement among those that the chain shows. */
export function compare(expected: readonly Expected[], moved: readonly Moved[]): Comparison {
  const made = new Map<Moved, Expected>();
  const missing = expected.filter((one) => {
    const { money, to, units } = one;
    const found = moved.find(
      (each) =>
        !made.has(each) &&
        each.token === money.symbol &&
        sameText(each.counterparty, to) &&
        BigInt(each.change) === -units,
    );
    if (found !== undefined) made.set(found, one);
    return found === undefined;
  });
  return { made, missing, strange: moved.filter((each) => !made.has(each)) };
}
