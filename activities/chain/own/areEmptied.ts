import type { Hash } from 'viem';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { passing } from '../../../src/custody/list';
import { sameText } from '../../../src/custody/objects/sameMoney';
import { finalState } from '../../../src/custody/objects/state';
import type { Transaction } from '../../../src/custody/objects/transaction';
import { everyPage, inSlices } from '../../reading';
import { operationExecution } from '../execution';
import { readChain } from '../readChain';
import { readMined } from './mined';

type Operation = { transactionHash: Hash; args: { userOpHash: Hash } };

const atOnceMax = 20;
/** A record that was made so long before the call may be cancelled beside it. */
const beforeMs = 86_400_000;

/**
 * True if the chain shows the end of every operation that the service calls cancelled. It signs an
 * operation without a call under the same nonce. No record has the hash of that one, so both are
 * counted. An account has one operation in flight at a time.
 */
export async function areEmptied(
  rpcUrl: string,
  custody: Pick<CustodyApi, 'listTransactions'>,
  { sender, sinceMs, operations }: { sender: string; sinceMs: number; operations: Operation[] },
): Promise<boolean> {
  const empty = await inSlices(operations, atOnceMax, async ({ transactionHash, args }) => {
    const mined = await readChain(rpcUrl, (chain) => readMined(chain, transactionHash));
    const execution = operationExecution(mined, { sender, userOpHash: args.userOpHash });
    return typeof execution !== 'string' && execution.calls?.length === 0;
  });
  const emptied = empty.filter(Boolean).length;
  return emptied > 0 && emptied >= (await countCancelled(custody, { sender, sinceMs }));
}

/** Counts the signed operations of an account that the service calls cancelled. */
async function countCancelled(
  { listTransactions }: Pick<CustodyApi, 'listTransactions'>,
  { sender, sinceMs }: { sender: string; sinceMs: number },
): Promise<number> {
  const isOlder = passing(sinceMs - beforeMs);
  const records = await everyPage<Transaction>(async (page, how) => {
    const asked = { ...page, includeAll: true, txType: 'OUTBOUND' };
    return (await listTransactions(asked, how)).transactions;
  }, isOlder);
  return records.filter(
    ({ sourceAddress, state, userOpHash }) =>
      sameText(sourceAddress, sender) && finalState(state) === 'CANCELLED' && userOpHash,
  ).length;
}
