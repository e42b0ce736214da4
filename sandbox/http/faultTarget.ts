import { getAddress, isAddress } from 'viem';
import { type Endpoint, type EndpointName, endpoints } from '../../src/custody/endpoints';
import { isRecord } from '../../src/custody/isRecord';
import type { FaultTarget } from '../faults/faults';
import { walletsAt } from '../store/records/walletBlockchain';
import type { Store } from '../store/store';
import { keyOf } from './calls';
import type { ApiCall } from './carryOut';

/** The endpoints that a fate has anything to decide for. */
const createTransactions: readonly EndpointName[] = [
  'createTransfer',
  'executeContract',
  'deployTemplate',
  'deployContract',
  'upgradeWallet',
];

export function createsTransaction({ name }: ApiCall): boolean {
  return createTransactions.includes(name);
}

export function faultTarget(
  store: Pick<Store, 'wallets'>,
  { name, request }: ApiCall,
): FaultTarget {
  const endpoint: Endpoint = endpoints[name];
  const params = isRecord(request.params) ? request.params : {};
  const body = isRecord(request.body) ? request.body : {};
  const inPath = endpoint.path.includes('/wallets/:id') ? params.id : undefined;
  const named = inPath ?? body.walletId;
  return {
    method: request.method,
    path: request.url.split('?', 1)[0] ?? '',
    walletId: typeof named === 'string' ? named.toLowerCase() : walletIdAt(store, body),
    idempotencyKey: keyOf(request.body)?.toLowerCase(),
  };
}

type Place = { walletAddress?: unknown; blockchain?: unknown; sourceBlockchain?: unknown };

function walletIdAt(store: Pick<Store, 'wallets'>, place: Place): string | undefined {
  const { walletAddress, sourceBlockchain, blockchain = sourceBlockchain } = place;
  if (typeof walletAddress !== 'string' || typeof blockchain !== 'string') return undefined;
  if (!isAddress(walletAddress, { strict: false })) return undefined;
  return walletsAt(store, { address: getAddress(walletAddress), blockchain })[0]?.id;
}
