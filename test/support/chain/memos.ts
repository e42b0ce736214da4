import { createPublicClient, type Hex, http, parseAbiItem } from 'viem';
import type { PayoutLine } from '../../../src/client/client';
import { memoIdOf } from '../../../src/custody/batch';
import { memoContract } from '../../../src/custody/memo';

const memoEvent = parseAbiItem(
  'event Memo(address indexed sender, address indexed target, bytes32 callDataHash, bytes32 indexed memoId, bytes memo, uint256 memoIndex)',
);

/** The memos of lines on the chain: by line, the hashes of their transactions. */
export async function memosOf(
  { rpcUrl }: { rpcUrl: string },
  workflowId: string,
  { lines, generation = 0 }: { lines: readonly PayoutLine[]; generation?: number },
): Promise<Record<string, string[]>> {
  const chain = createPublicClient({ transport: http(rpcUrl) });
  const ids = lines.map(({ lineId }): Hex => `0x${memoIdOf(workflowId, lineId, generation)}`);
  const logs = await chain.getLogs({
    address: memoContract,
    event: memoEvent,
    args: { memoId: ids },
    fromBlock: 0n,
    strict: true,
  });
  return Object.fromEntries(
    lines.map(({ lineId }, at) => [
      lineId,
      logs
        .filter((log) => log.args.memoId === ids[at])
        .map(({ transactionHash }) => transactionHash),
    ]),
  );
}
