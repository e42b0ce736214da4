import { ApplicationFailure } from '@temporalio/activity';
import type { Write } from '../../src/orders/kind';
import type { FailureFacts, FailureType } from '../attempt';
import type { Found, LookUpActivities } from '../lookUp';
import type { Ready } from './resolveOrder';

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
  try {
    const found = await lookUp(service, opened, write);
    return found && { path: write.path, found };
  } catch (error) {
    if (!(error instanceof ApplicationFailure) || error.type !== 'Refused') throw error;
    // A list that cannot be read says nothing about the order.
    throw ApplicationFailure.create({
      message: error.message,
      type: 'NeedsOperator' satisfies FailureType,
      nonRetryable: true,
      details: [{ ambiguous: true } satisfies FailureFacts],
    });
  }
}

async function lookUp(
  service: LookUpActivities,
  { workflowId, order, blockchain }: Ready,
  { path, makes, from }: Write,
): Promise<Found<unknown> | undefined> {
  const [step = '', item = ''] = path.split('/');
  const generation = order.generations[path] ?? 0;
  const search = { parts: { workflowId, step, item, generation } };
  if (makes === 'walletSet') return service.findWalletSet(search);
  if (from === undefined || makes === 'wallets') return undefined;
  if (makes !== 'deployment') return service.findTransaction(search);
  return service.findDeployment({ ...search, deployer: from.address, blockchain });
}
