import { batchIn } from '../../custody/batch';
import type { CustodyApi } from '../../custody/endpoints';
import { orAbsent } from '../../custody/errors';
import { networks } from '../../custody/networks/networks';
import { isDecimal, toBaseUnits } from '../../custody/objects/amount';
import { sameText } from '../../custody/objects/sameText';
import type { ChainNode } from '../chain/node';
import type { Money, Monies } from '../money';
import { unnamedInWords } from '../notLookedAt';
import type { ReadPace } from '../records/pace';
import type { Moved, SentRecord } from './source';

/** One movement that a record says it has made. */
export type ExpectedMovement = { money: Money; to: string; units: bigint };

/** Reads the movements that a record says it has made. Undefined for calls of other functions. */
export type Expecting = (record: SentRecord) => Promise<ExpectedMovement[] | undefined>;

type Source = {
  monies: Monies;
  blockchain: string;
  node: Pick<ChainNode, 'decimals'>;
  pace: ReadPace;
};

/**
 * Reads records by the monies of the chain. Each token is asked for once. Tells in words the
 * records whose token the service does not name. Their amounts are compared with nothing.
 */
export function expecting(
  custody: Pick<CustodyApi, 'getToken'>,
  { monies, blockchain, node, pace }: Source,
): { expectedOf: Expecting; notLookedAt: () => string[] } {
  const unnamed = new Set<string>();
  const moneyAt = async (address: string) => {
    if (address === '') return { money: monies.coin, unitsEach: 1n };
    if (!monies.knows(address)) monies.learn(address, await node.decimals(address));
    return monies.of(address);
  };
  const tokenOf = tokens(custody, { blockchain, pace });
  const expectedOf: Expecting = async (record) => {
    const batch = batchIn(record);
    if (batch !== undefined) {
      const { money, unitsEach } = await moneyAt(batch.tokenAddress);
      return batch.payments.map(({ to, baseUnits }) =>
        paid(money, to, BigInt(baseUnits) * unitsEach),
      );
    }
    const { operation, tokenId, destinationAddress, amounts } = record;
    if (operation !== 'TRANSFER' || !destinationAddress || !amounts?.length) return undefined;
    const token = tokenId ? await tokenOf(tokenId) : undefined;
    if (token === undefined) unnamed.add(record.id);
    if (token === undefined || token.isItem) return undefined;
    const { money } = await moneyAt(token.address);
    // The service may know decimals that the contract of an unlisted token does not tell.
    const decimals = money.isListed ? money.decimals : (token.decimals ?? money.decimals);
    // An amount that is none of the token is no movement that could have happened.
    return amounts
      .filter((text) => isDecimal(text) && (text.split('.')[1] ?? '').length <= decimals)
      .map((text) => paid(money, destinationAddress, toBaseUnits(text, decimals)));
  };
  return { expectedOf, notLookedAt: () => unnamedInWords(unnamed.size) };
}

type Token = { address: string; decimals?: number | undefined; isItem?: boolean };

/** Tokens by the service's ids. Undefined for one that nobody knows. */
function tokens(
  custody: Pick<CustodyApi, 'getToken'>,
  { blockchain, pace }: Pick<Source, 'blockchain' | 'pace'>,
) {
  const known = new Map<string, Promise<Token | undefined>>();
  for (const { id, address } of networks[blockchain]?.tokens ?? []) {
    if (id !== undefined) known.set(id, Promise.resolve({ address }));
  }
  const ask = async (id: string): Promise<Token | undefined> => {
    const answer = await pace(() => custody.getToken({ id })).catch(orAbsent);
    if (answer === undefined) return undefined;
    const { isNative, tokenAddress, standard, decimals } = answer.token;
    if (isNative) return { address: '' };
    const isItem = standard === 'ERC721' || standard === 'ERC1155';
    return tokenAddress === undefined ? undefined : { address: tokenAddress, decimals, isItem };
  };
  return (id: string): Promise<Token | undefined> => {
    const asked = known.get(id) ?? ask(id);
    known.set(id, asked);
    return asked;
  };
}

function paid(money: Money, to: string, units: bigint): ExpectedMovement {
  return { money, to: to.toLowerCase(), units };
}

/** True if a movement is the expected one. */
export function isMade({ money, to, units }: ExpectedMovement, moved: Moved): boolean {
  const { token, counterparty, change } = moved;
  return token === money.name && sameText(counterparty, to) && BigInt(change) === -units;
}

/** The expected movements that have not happened, and those that nobody expected. */
export type Comparison = { missing: readonly ExpectedMovement[]; strange: readonly Moved[] };

/** Finds each expected movement among those that the chain shows. */
export function compare(
  expected: readonly ExpectedMovement[],
  moved: readonly Moved[],
): Comparison {
  const left = [...moved];
  const missing = expected.filter((one) => {
    const at = left.findIndex((each) => isMade(one, each));
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
  return { missing, strange: left };
}
