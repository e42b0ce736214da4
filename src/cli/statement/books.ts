import { setFlagsFromString } from 'node:v8';
import { openPlaces, type ReadingPlaces } from '../../books/archive/places';
import { type ChainNode, openNode } from '../../books/chain/node';
import { type Period, readPeriod } from '../../books/chain/period';
import type { StatedWallet } from '../../books/statement';
import { readCustodyConfig } from '../../config';
import { createCustodyClient } from '../../custody/client';
import type { CustodyApi } from '../../custody/endpoints';
import { orAbsent } from '../../custody/errors';
import { shown } from '../../orders/input/shown';
import { withSecrets } from '../../variables';
import type { Call } from '../call';
import { InputError } from '../exit';
import { serviceFault } from '../reachService';
import { progressLine } from '../show/progressLine';
import { tellDuration } from '../show/tellTime';

/** All that is needed to read books: the service without its secret, a node, and a period. */
export type Books = {
  custody: CustodyApi;
  host: string;
  baseUrl: string;
  blockchain: string;
  node: ChainNode;
  places: ReadingPlaces;
  period: Period;
};

/** A share of the heap in use: V8 would let garbage grow while memory is free. */
const heapGrowthPercent = 30;

/** Opens what the environment and the flags name. */
export function openBooks({ flags, terminal }: Call): Books {
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`);
  const period = readPeriod(
    String(flags.from),
    flags.to === undefined ? undefined : String(flags.to),
  );
  const given = flags.rpc === undefined ? {} : { CHAIN_RPC_URL: String(flags.rpc) };
  const config = readCustodyConfig({ ...terminal.env, ...given }, { signs: false });
  const { baseUrl, blockchain, chainRpcUrl } = config;
  if (chainRpcUrl === undefined) {
    throw new InputError(
      'CHAIN_RPC_URL: is not set. The books are read from the chain: set it, or give --rpc.',
    );
  }
  const host = new URL(baseUrl).host;
  const custody = createCustodyClient(config);
  const { STEADFAST_STORE: store } = withSecrets(['STEADFAST_STORE'], terminal.env);
  const places = openPlaces(store, { url: chainRpcUrl, fromMs: period.fromMs });
  const node = openNode(chainRpcUrl, places);
  return { custody, host, baseUrl, blockchain, node, places, period };
}

/** The wallets that a flag names, by ids or addresses. */
export async function findWallets(
  names: readonly string[],
  account: Account,
): Promise<StatedWallet[]> {
  return withService(account.host, () =>
    Promise.all(names.map((name) => findWallet(name, account))),
  );
}

type Account = Pick<Books, 'blockchain' | 'host'> & {
  custody: Pick<CustodyApi, 'listWallets' | 'getWallet'>;
};

async function findWallet(
  name: string,
  { custody, blockchain, host }: Account,
): Promise<StatedWallet> {
  const found = /^0x[0-9a-fA-F]{40}$/.test(name)
    ? (await custody.listWallets({ address: name, blockchain })).wallets[0]
    : (await custody.getWallet({ id: name }).catch(orAbsent))?.wallet;
  if (found !== undefined && found.blockchain !== blockchain) {
    throw new InputError(
      `--wallet: ${shown(name)} is a wallet of ${found.blockchain}, and CUSTODY_BLOCKCHAIN names ` +
        `${blockchain}. Give a wallet of that network, or name the other one and its node.`,
    );
  }
  if (found !== undefined) return { id: found.id, address: found.address.toLowerCase() };
  throw new InputError(
    `--wallet: ${shown(name)} is no wallet of this account at ${host}. ` +
      'Give the id or the address of one, as provision printed it.',
  );
}

/** Asks the service. Its failures become sentences that say what to do. */
export async function withService<T>(host: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw serviceFault(error, host);
  }
}

/** A line that tells how much is done, and the time that is left. */
export function countdown({ voice }: Call) {
  const line = progressLine(voice);
  const startedMs = Date.now();
  return {
    told: (what: string, done: number, all: number): void => {
      const passedMs = Date.now() - startedMs;
      const left =
        done > 0 ? tellDuration((passedMs * Math.max(all - done, 0)) / done) : 'unknown time';
      const share = Math.floor((100 * done) / Math.max(all, 1));
      line.measure(`${what}: ${Math.min(share, 100)} %, ${left} left`);
    },
    clear: line.clear,
  };
}
