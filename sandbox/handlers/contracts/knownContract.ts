import { getAddress, isAddress } from 'viem';
import { fault } from '../../errors/errors';
import { requireServed } from '../../errors/requireServed';
import type { ContractRow } from '../../store/records/contractRecord';
import type { Hex } from '../../store/records/records';
import type { Service } from '../service';

/** The address of a contract that a request names, on the chain that is served. */
export function contractAddress(
  { shown }: Service,
  { address, blockchain }: { address: string; blockchain: string },
): Hex {
  requireServed({ blockchain, served: shown.blockchain, side: 'contracts' });
  return requireAddress(address);
}

export function requireAddress(text: string): Hex {
  if (!isAddress(text, { strict: false })) throw fault('addressInvalid');
  return getAddress(text);
}

/**
 * The record of the contract at an address, if it has one. Refuses one that is archived (175006),
 * and one that is not there yet (175009).
 */
export function knownContract({ store }: Service, address: Hex): ContractRow | undefined {
  const [row] = store.contracts.where('contractAddress', address);
  if (row?.archived) throw fault('contractArchived');
  if (row?.status === 'PENDING' && !row.mined) throw fault('deploymentPending');
  return row;
}
