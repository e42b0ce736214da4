import { ApplicationFailure } from '@temporalio/activity';
import type { CustodyApi } from '../../src/custody/endpoints';
import type { Write } from '../../src/orders/kind';
import type { FailureFacts, FailureType } from '../attempt';
import { type Found, lookUpActivities } from '../lookUp';
import type { Ready } from './resolveOrder';

/** The service's records of the first write of an order. */
export type FirstLook = { path: string; found: Found<unknown> };

/**
 * Looks up the first write of an order in the service's list, which outlives every other record.
 * Returns undefined if the guard cannot look it up.
 */
export async function lookFirst(
  custody: CustodyApi,
  opened: Ready,
): Promise<FirstLook | undefined> {
  const [write] = opened.writes;
  if (write === undefined) return undefined;
  try {
    const found = await lookUp(custody, opened, write);
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
  custody: CustodyApi,
  { workflowId, order, blockchain }: Ready,
  write: Write,
): Promise<Found<unknown> | undefined> {
  const service = lookUpActivities(custody);
  const [step = '', item = ''] = write.path.split('/');
  const generation = order.generations[write.path] ?? 0;
  const search = { parts: { workflowId, step, item, generation } };
  if (write.makes === 'walletSet') return service.findWalletSet(search);
  const { from } = write;
  if (from === undefined || write.makes === 'wallets') return undefined;
  const { walletId, address: deployer } = from;
  switch (write.makes) {
    case 'deployment':
      return service.findDeployment({ ...search, walletId, deployer, blockchain });
    case 'call':
      return service.findTransaction({ ...search, walletId, operation: 'CONTRACT_EXECUTION' });
    case 'transfer': {
      const way = { walletId, destinationAddress: write.to, operation: 'TRANSFER' } as const;
      return service.findTransaction({ ...search, ...way });
    }
  }
}
