import type { Archive } from '../books/archive/archive';
import type { CustodyApi } from '../custody/endpoints';
import { checkChain } from './checkChain';
import { checkContradictions } from './checkContradictions';
import { checkNotices } from './checkNotices';
import { checkStuck } from './checkStuck';
import { broken, fine, firstLine, type HealthFinding, skipped } from './finding';

type Reads = Pick<
  CustodyApi,
  'getEntityConfig' | 'listTransactions' | 'getLowestNonceTransaction' | 'listSubscriptions'
>;

/** The places of a worker. */
export type WorkerPlaces = {
  baseUrl: string;
  blockchain: string;
  chainRpcUrl: string | undefined;
  archive?: Archive | undefined;
};

/** Checks what a worker reaches: the service, its notices, the node, the archive. Moves nothing. */
export async function examineService(api: Reads, places: WorkerPlaces): Promise<HealthFinding[]> {
  const { blockchain, chainRpcUrl, archive } = places;
  const absent = (name: string, variable: string): HealthFinding =>
    skipped(name, `not checked: ${variable} is not set for this worker`);
  const found = await Promise.all([
    checkService(api, places),
    checkStuck(api),
    checkNotices(api),
    chainRpcUrl === undefined
      ? absent('Chain', 'CHAIN_RPC_URL')
      : checkChain(chainRpcUrl, blockchain),
    archive === undefined ? absent('Archive', 'STEADFAST_STORE') : checkKept(archive),
  ]);
  return found.flat();
}

async function checkService(
  api: Pick<CustodyApi, 'getEntityConfig'>,
  { baseUrl, blockchain }: Pick<WorkerPlaces, 'baseUrl' | 'blockchain'>,
): Promise<HealthFinding> {
  const { host } = new URL(baseUrl);
  try {
    const { appId } = await api.getEntityConfig({});
    return fine('Service', `${host} answers for the account ${appId}, on ${blockchain}`);
  } catch (error) {
    return broken(
      'Service',
      `${host} gives no usable answer: ${firstLine(error)}`,
      'Check CUSTODY_BASE_URL and CUSTODY_API_KEY of the workers. They tell more by: ' +
        'npx --no-install steadfast doctor',
    );
  }
}

async function checkKept(archive: Archive): Promise<HealthFinding> {
  try {
    return await checkContradictions(archive);
  } catch (error) {
    return broken('Archive', firstLine(error), 'Restore it, or find out who has changed it.');
  }
}
