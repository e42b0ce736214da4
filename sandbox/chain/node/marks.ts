import { z } from 'zod';
import { callNode, callNodeInOrder } from './callNode';
import type { LiveNode } from './liveNode';
import { fixBaseFee, fixGasLimit } from './mineBlock';

/** A state of the chain that its node can be put back to, for as long as that node lives. */
export type Mark = { nodePid: number; id: string };

const idSchema = z.string();

/** Marks the states of whichever node there is. Nobody may mine meanwhile. */
export function createMarks(live: Pick<LiveNode, 'askOnce'>) {
  /** In the order of their states. */
  const kept: Mark[] = [];
  const keep = (mark: Mark): Mark => {
    kept.push(mark);
    return mark;
  };
  return {
    set: (): Promise<Mark> =>
      live.askOnce(async (node) => {
        const id = idSchema.parse(
          await callNode(node.rpcUrl, { method: 'evm_snapshot', params: [] }),
        );
        return keep({ nodePid: node.pid, id });
      }),
    /** False where the node is another by now, or has given the mark up. */
    goBack: (mark: Mark): Promise<boolean> =>
      live.askOnce(async (node) => {
        const place = kept.indexOf(mark);
        if (place === -1 || node.pid !== mark.nodePid) return false;
        // The node uses this one up, and those after it are of blocks that will be no more.
        kept.splice(place);
        const [reverted, , , , again] = await callNodeInOrder(node.rpcUrl, [
          { method: 'evm_revert', params: [mark.id] },
          { method: 'anvil_dropAllTransactions', params: [] },
          fixBaseFee(node),
          // The node takes over that of the block it is back at, which may be the first one.
          fixGasLimit,
          { method: 'evm_snapshot', params: [] },
        ]);
        if (!reverted?.ok || reverted.result !== true || !again?.ok) return false;
        mark.id = idSchema.parse(again.result);
        keep(mark);
        return true;
      }),
  };
}
