import { ApplicationFailure } from '@temporalio/activity';
import type { CustodyApi } from '../src/custody/endpoints';
import type { FailureFacts, FailureType } from './attempt';
import { type Found, lookUpActivities } from './lookUp';
import type { Ready } from './resolveOrder';

/** What the service's list shows of the first write of an order. */
export type FirstLook = { path: string; found: Found<unknown> };

/**
 * Looks for the first write of an order in the service's list, the memory that outlives all others.
 * Where that is not there, nothing is that follows from it. Undefined for an order that begins with
 * no write.
 */
export async function lookFirst(
  custody: CustodyApi,
  opened: Ready,
): Promise<FirstLook | undefined> {
  try {
    return await look(custody, opened);
  } catch (error) {
    if (!(error instanceof ApplicationFailure) || error.type !== 'Refused') throw error;
    // That the list cannot be read says nothing of the order.
    throw ApplicationFailure.create({
      message: error.message,
      type: 'NeedsOperator' satisfies FailureType,
      nonRetryable: true,
      details: [{ ambiguous: true } satisfies FailureFacts],
    });
  }
}

async function look(custody: CustodyApi, opened: Ready): Promise<FirstLook | undefined> {
  const service = lookUpActivities(custody);
  const { kind, order, wallet, treasury, blockchain } = opened;
  // Its shards send, and look for themselves.
  if (kind === 'payout') return undefined;
  if (wallet === undefined) {
    const found = await service.findWalletSet(searchOf(opened, 'walletSet'));
    return { path: 'walletSet/1', found };
  }
  const { walletId, address } = wallet;
  if (kind === 'deployContract') {
    const search = { ...searchOf(opened, 'deploy'), walletId, deployer: address, blockchain };
    return { path: 'deploy/1', found: await service.findDeployment(search) };
  }
  if (kind === 'mintTokens' || kind === 'executeContract') {
    const step = kind === 'mintTokens' ? 'mint' : 'execute';
    const search = {
      ...searchOf(opened, step),
      walletId,
      operation: 'CONTRACT_EXECUTION',
    } as const;
    return { path: `${step}/1`, found: await service.findTransaction(search) };
  }
  const way =
    treasury === undefined
      ? 'from' in order && { step: 'transfer', walletId, destinationAddress: order.to }
      : { step: 'fund', walletId: treasury.walletId, destinationAddress: address };
  if (!way) return undefined;
  const { step, ...narrowed } = way;
  const search = { ...searchOf(opened, step), ...narrowed, operation: 'TRANSFER' } as const;
  return { path: `${step}/1`, found: await service.findTransaction(search) };
}

function searchOf({ workflowId, order }: Ready, step: string) {
  const generation = order.generations[`${step}/1`] ?? 0;
  return { parts: { workflowId, step, item: '1', generation } };
}
