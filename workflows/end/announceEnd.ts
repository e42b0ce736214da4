import { workflowInfo } from '@temporalio/workflow';
import type { EndType } from '../../src/client/answers/end';
import type { LiveOrder } from '../order/liveOrder';
import { noteFault } from '../order/show';
import { mayTryAgain, startAnswer, tryAgain } from './startAnswer';

/** Has the receiver told how an order ends, if there is one. Without it, the order ends as well. */
export async function announceEnd(
  live: LiveOrder,
  type: Extract<EndType, `order.${string}`>,
  { receipt, reason }: { receipt?: object; reason?: string },
): Promise<void> {
  if (!live.answers) return;
  const { workflowId, workflowType: kind } = workflowInfo();
  const { reference, generations, continued } = orderedIn(live);
  const end = {
    type,
    // A retry or a continuation is another attempt, so that its end is another one too.
    attempt: JSON.stringify([generations, continued]),
    timestamp: new Date().toISOString(),
    data: {
      kind,
      ...(reference === undefined ? {} : { reference }),
      ...(reason === undefined ? {} : { reason }),
      ...(receipt === undefined ? {} : { receipt: withoutParts(receipt) }),
    },
  };
  const fault = await startAnswer(workflowId, [end]);
  if (fault === undefined) return;
  noteFault(live, `its receiver is not told of its end: ${fault}`);
  await tryAgain(workflowId, [end], { fault, mayWait: mayTryAgain() });
}

/** The receipt of a payout without its parts, which may be thousands, and which only we need. */
function withoutParts(receipt: { parts?: unknown }): object {
  const { parts: _, ...told } = receipt;
  return told;
}

type Ordered = { reference?: string; generations: object; continued?: number | undefined };

/** The fields of an order that an end tells. A refused order may have none. */
function orderedIn({ carried }: LiveOrder): Ordered {
  const { order } = carried.opened ?? {};
  if (order === undefined) return { generations: {} };
  const { reference, generations } = order;
  return {
    ...(reference === undefined ? {} : { reference }),
    generations,
    ...('continued' in order ? { continued: order.continued } : {}),
  };
}
