import { batchIn } from '../../custody/batch';
import type { CustodyApi } from '../../custody/endpoints';
import { RefusedError } from '../../custody/errors';
import { isDecimal, toBaseUnits } from '../../custody/objects/amount';
import { blockchains } from '../../custody/objects/blockchain';
import { sameText } from '../../custody/objects/sameMoney';
import type { Money, Monies } from '../money';
import type { SentRecord } from './tables';

/** One movement that a record says it has made. */
export type Expected = { money: Money; to: string; units: bigint };

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
        money && batch.payments.map((one) => paid(money, one.to, BigInt(one.baseUnits) * each))
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

/** Expected movements that did not happen, and others that happened. */
export function compare<Own extends { token: string; counterparty?: string; change: string }>(
  expected: readonly Expected[],
  moved: readonly Own[],
): { missing: Expected[]; strange: Own[] } {
  const strange = [...moved];
  const missing = expected.filter(({ money, to, units }) => {
    const at = strange.findIndex(
      (one) =>
        one.token === money.symbol &&
        sameText(one.counterparty, to) &&
        BigInt(one.change) === -units,
    );
    if (at !== -1) strange.splice(at, 1);
    return at === -1;
  });
  return { missing, strange };
}
