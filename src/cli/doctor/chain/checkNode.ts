import { type ChainNode, openNode } from '../../../books/chain/node';
import { nodeAt } from '../../../chain/node/node';
import { publicLimits } from '../../../chain/publicNode';
import { networks } from '../../../custody/networks/networks';
import { broken, fine, firstLine, type HealthFinding } from '../../../health/finding';
import { tellDuration } from '../../show/tellTime';

/** Calls that are made at once. A node that takes all of them is fast enough. */
const burst = 20;
/** Nodes with archives are seldom asked for more. */
const spanWanted = 50_000;
const patienceMs = 20_000;

/**
 * Measures the pace of the node, the span of its logs, and the depth of its history. None of them
 * is a fault: all readings go at the node's pace.
 */
export async function checkNode(rpcUrl: string, blockchain: string): Promise<HealthFinding> {
  const { pace, span, origin } = nodeAt(rpcUrl);
  const node = openNode(rpcUrl, { patienceMs });
  try {
    const head = await node.head();
    await Promise.all(
      Array.from({ length: burst }, (_, at) => node.timeMsOf(Math.max(0, head - at))),
    );
    const from = Math.max(0, head - spanWanted + 1);
    await node.blocksWith({ address: [nobody], topics: [] }, [from, head]);
    const oldest = await oldestOf(head, (block) => node.serves(block));
    const state = await oldestOf(head, (block) => node.keepsStateOf(block));
    const perSecond = pace.perSecond();
    const calls =
      perSecond === undefined
        ? 'refuses no call as too many'
        : `takes about ${Number(perSecond.toPrecision(2))} calls a second`;
    const learnt = span.isLearnt() ? `${span.blocks()}` : `at least ${span.answeredMax()}`;
    const ageOf = (block: number): string =>
      tellDuration((head - block) * (networks[blockchain]?.blockMs ?? 0));
    const history = oldest === 0 ? 'all blocks' : `blocks from ${oldest} on (${ageOf(oldest)})`;
    const balances =
      state === 0 ? 'all balances' : `balances from block ${state} on (${ageOf(state)})`;
    const shared =
      publicLimits(origin) === undefined
        ? ''
        : '. Everybody shares this node: give workers one of their own';
    return fine(
      'Node',
      `${calls}, tells logs of ${learnt} blocks at a time, and keeps ${history} and ${balances}` +
        shared,
    );
  } catch (error) {
    return broken('Node', `not measured: ${firstLine(error)}`, 'Try again, or give another node.');
  }
}

const nobody = '0x0000000000000000000000000000000000000001';

/** The oldest block that a node has something of. It is as good as found within a few blocks. */
async function oldestOf(head: number, has: ChainNode['serves']): Promise<number> {
  if (await has(0)) return 0;
  let [low, high] = [0, head];
  while (high - low > Math.max(1, (head - low) / near)) {
    const middle = Math.floor((low + high) / 2);
    if (await has(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The depth of the history is told to within such a part. */
const near = 64;
