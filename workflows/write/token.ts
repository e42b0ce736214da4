import type { Activities } from '../../activities';
import { sameMoney } from '../../src/custody/objects/money';
import { type Compared, mismatches } from './machine/compare';
import { once } from './once';
import type { Transacting } from './step';

/** Reads the token of an id. */
type ReadToken = (token: { id: string }) => ReturnType<Activities['readToken']>;

/** A token, as the service tells of it. */
export type ServiceToken = Awaited<ReturnType<ReadToken>>;

type Read = { step: Transacting; record: Compared & { tokenId?: string | undefined } };

/** The id of a record's token, unless it is one of the ordered token's own. */
export function strangeToken({ step, record }: Read): string | undefined {
  const { token } = step.expected;
  const { tokenId: id } = record;
  return token === undefined || id === undefined || token.ids.includes(id) ? undefined : id;
}

/** Looks a token up, once in the life of an order. */
export function learnToken(
  live: Parameters<typeof once>[0],
  id: string,
  readToken: ReadToken,
): ReturnType<ReadToken> {
  return once(live, `token ${id}`, () => readToken({ id }));
}

/**
 * The differences between a record and its write, as sentences. The record names its token by id
 * only. A token of another id was looked up before.
 */
export function faultsBy(
  { blockchain }: { blockchain: string },
  { step, record, token: actual }: Read & { token: ServiceToken | undefined },
): string[] {
  const faults = mismatches(record, step.expected);
  const { token } = step.expected;
  if (token === undefined || actual === undefined) return faults;
  const address = actual.isNative ? '' : (actual.tokenAddress ?? '');
  if (sameMoney(address, token.address, blockchain)) return faults;
  const name = actual.symbol ?? record.tokenId;
  return [...faults, `token is ${name} ${address}, ordered was ${token.name}`];
}
