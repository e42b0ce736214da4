import type { CustodyApi } from '../../../custody/endpoints';
import { RefusedError } from '../../../custody/errors';
import { isMainNetwork } from '../../../custody/networks/demands';
import { networks } from '../../../custody/networks/networks';
import {
  fine,
  firstLine,
  type HealthFinding,
  misconfigured,
  skipped,
} from '../../../health/finding';

type Prices = Pick<CustodyApi, 'getFeeParameters'>;

/**
 * Asks the service for the price of gas on each network of the table, which moves nothing. No page
 * tells whether it serves a network for an account. A refusal is a fault for the own network alone.
 */
export async function checkNetworks(api: Prices, own: string): Promise<HealthFinding[]> {
  const others = Object.keys(networks).filter((name) => name !== own);
  return Promise.all(
    [own, ...others].map((name) => checkNetwork(api, name, { isOwn: name === own })),
  );
}

async function checkNetwork(
  api: Prices,
  blockchain: string,
  { isOwn }: { isOwn: boolean },
): Promise<HealthFinding> {
  const name = `Network ${blockchain}`;
  try {
    await api.getFeeParameters({ blockchain });
    return fine(name, 'the service serves it for this key');
  } catch (error) {
    const code = error instanceof RefusedError ? error.code : undefined;
    const meaning = meanings(blockchain)[code ?? 0];
    const words =
      meaning === undefined ? `not known: ${firstLine(error)}` : `code ${code}: ${meaning}`;
    if (!isOwn || code === undefined) return skipped(name, words);
    return misconfigured(
      name,
      words,
      'Set CUSTODY_BLOCKCHAIN to a network that the service serves for this key, or the other key.',
    );
  }
}

/** The meaning of the codes that people have met for a network, by code. */
function meanings(blockchain: string): Readonly<Record<number, string>> {
  const wants = isMainNetwork(blockchain) ? 'LIVE_' : 'TEST_';
  return {
    156006: `the service serves it to ${wants} keys, and CUSTODY_API_KEY is none`,
    156016:
      'the entity secret is registered for the other environment. ' +
      `Keys of ${wants} have an entity secret of their own: register one in the console`,
    156027: 'the service does not serve it for this account',
  };
}
