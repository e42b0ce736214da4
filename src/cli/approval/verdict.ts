import { setTimeout as sleep } from 'node:timers/promises';
import type { Steadfast } from '../../client/client';
import type { OrderStatus } from '../../client/orderStatus';
import type { Decision } from '../../orders/input/signed';
import { isEnd } from '../../orders/progress/status';
import { type ExitCode, exitCodes } from '../exit';

/** A signature that an order was given. */
type Given = Pick<Decision, 'purpose' | 'target'> & { digest: string };
type Verdict = { code: ExitCode; words: string };

const lookEveryMs = 300;
/** The worker that signs verifies it within a second or two, if it runs. */
const patienceMs = 30_000;

/** Waits for the worker that signs to verify a signature, and says whether it counts. */
export async function awaitVerdict(
  steadfast: Steadfast,
  id: string,
  given: Given,
): Promise<Verdict> {
  const untilMs = Date.now() + patienceMs;
  while (Date.now() < untilMs) {
    const verdict = verdictIn(await steadfast.status(id), given);
    if (verdict !== undefined) return verdict;
    await sleep(lookEveryMs);
  }
  const words = `The ${given.purpose} was handed in, and no worker that signs has verified it yet.`;
  return { code: exitCodes.stoppedWaiting, words };
}

function verdictIn(status: OrderStatus, { purpose, target, digest }: Given): Verdict | undefined {
  const { workflowId: id, progress, execution, error = '' } = status;
  if (execution !== 'RUNNING') {
    const isRejected = purpose === 'rejection' && execution === 'FAILED';
    if (isRejected) return counts(`The rejection counts: ${error}`);
    if (execution === 'COMPLETED') return counts('The approval counts, and the order is done.');
    return { code: exitCodes.failed, words: `The order has ended without it: ${error}` };
  }
  if (progress === undefined || isEnd(progress.status)) return undefined;
  const wanted = progress.approvals?.find((one) => one.target === target);
  const found = wanted?.weighed.find((one) => one.digest === digest);
  if (found?.fault !== undefined) {
    return { code: exitCodes.failed, words: `The ${purpose} does not count: ${found.fault}.` };
  }
  if (wanted !== undefined && found?.person !== undefined) {
    const { given, need } = wanted;
    return counts(`The approval of ${found.person} counts: ${given.length} of ${need} so far.`);
  }
  const goesOn = progress.status === 'Settling' || progress.approvals !== undefined;
  if (wanted !== undefined || !goesOn) return undefined;
  return counts(`The ${purpose} counts, and ${id} asks about ${target} no more.`);
}

const counts = (words: string): Verdict => ({ code: exitCodes.done, words });
