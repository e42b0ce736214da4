import { moniesOf } from '../../../src/books/money';
import { expecting } from '../../../src/books/reconcile/expected';
import { pacing } from '../../../src/books/records/pace';
import { RefusedError } from '../../../src/custody/errors';
import { quietNode } from '../../support/books/quietDay';
import { blockchain, transferRecord } from '../../support/service/scriptedCustody';

const eurc = '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a';
const record = { ...transferRecord({ tokenId: 'own' }), operation: 'TRANSFER' };

function refusal(status: number): RefusedError {
  return new RefusedError('Not now.', { code: status, status, retryAfterMs: 1 });
}

/** The movements that a record is to have made, by a service that first answers with some refusals. */
function reading(refusals: readonly number[], standard?: string) {
  const left = refusals.map(refusal);
  const dates = { createDate: '2026-01-01T00:00:00Z', updateDate: '2026-01-01T00:00:00Z' };
  const token = { id: 'own', blockchain, isNative: false, tokenAddress: eurc, ...dates };
  const getToken = async () => {
    const refused = left.shift();
    if (refused !== undefined) throw refused;
    return { token: { ...token, ...(standard === undefined ? {} : { standard }) } };
  };
  const source = { monies: moniesOf(blockchain), blockchain, node: quietNode, pace: pacing() };
  return expecting({ getToken }, source);
}

describe('a record of a token that the network does not list by its id', () => {
  test('is compared once the service is no longer busy', async () => {
    const { expectedOf, notLookedAt } = reading([429, 429]);
    expect(await expectedOf(record)).toMatchObject([{ units: 5_000_000n }]);
    expect(notLookedAt()).toEqual([]);
  });

  test.each([401, 403, 500, 503])(
    'ends the reading where the service answers %d',
    async (status) => {
      await expect(reading([status]).expectedOf(record)).rejects.toThrow('Not now.');
    },
  );

  test.each([400, 404])('is told as not looked at where the service answers %d', async (status) => {
    const { expectedOf, notLookedAt } = reading([status]);
    expect(await expectedOf(record)).toBeUndefined();
    expect(await expectedOf(record)).toBeUndefined();
    expect(notLookedAt()).toEqual(['amounts of one record whose token the service does not name']);
  });

  test('moves no money where the token is one of items', async () => {
    const { expectedOf, notLookedAt } = reading([], 'ERC721');
    expect(await expectedOf(record)).toBeUndefined();
    expect(notLookedAt()).toEqual([]);
  });
});
