import { ApplicationFailure } from '@temporalio/activity';
import { stop } from '../failure';
import type { Found, LookUpActivities } from '../lookUp';
import { keyPartsOf, type Ready } from './resolveOrder';

/** The service's records of the first write of an order. */
export type FirstLook = { path: string; found: Found<unknown> };

/**
 * Looks up the first write of an order in the service's list, which outlives every other record.
 * Returns undefined if the guard cannot look it up.
 */
export async function lookFirst(
  service: LookUpActivities,
  opened: Ready,
): Promise<FirstLook | undefined> {
  const [write] = opened.writes;
  if (write === undefined) return undefined;
  const { path, makes, from } = write;
  const search = { parts: keyPartsOf(opened, path) };
  const { blockchain } = opened;
  try {
    if (makes === 'walletSet') return { path, found: await service.findWalletSet(search) };
    if (from === undefined || makes === 'wallets') return undefined;
    if (makes !== 'deployment') return { path, found: await service.findTransaction(search) };
    const deployment = { ...search, deployer: from.address, blockchain };
    return { path, found: await service.findDeployment(deployment) };
  } catch (error) {
    if (!(error instanceof ApplicationFailure) || error.type !== 'Refused') throw error;
    // A list that cannot be read says nothing about the order.
    throw stop('NeedsOperator', error.message);
  }
}
