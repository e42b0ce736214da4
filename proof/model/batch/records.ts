import type { FoundLines, FoundPayment } from '../../../activities/payout/findLines';
import {
  aggregate,
  batchIn,
  executeBatch,
  markOf,
  multicallFrom,
} from '../../../src/custody/batch';
import { idOf } from '../loop/records';
import type { Asked } from './part';
import { blockchain, recipientOf, tokenAddress, walletOf, workflowId } from './partOrder';
import type { BatchScope } from './scopes';
import type { Attempt, BatchWorld, Record, Request } from './world';

/** The request that an attempt sends. */
export function requestOf({ parts, input }: Asked): Request {
  const { step, item, generation } = parts;
  const payments = batchIn(input)?.payments ?? [];
  const pays: readonly Attempt[] =
    step === 'line'
      ? [[Number(item), generation]]
      : payments.flatMap(({ mark }) => attempts.filter((one) => marks.get(one) === mark));
  return { path: `${step}/${item}`, generation, pays };
}

/** As many as there are in the worlds, with their marks. */
const attempts: readonly Attempt[] = [0, 1, 2].flatMap((line) =>
  [0, 1, 2, 3, 4].map((generation) => [line, generation] as const),
);
const marks = new Map(
  attempts.map((one) => [one, markOf(workflowId, String(one[0]), one[1])] as const),
);

/** Every record is older than the grace period, so that nobody waits for a stranger's. */
const createDate = new Date(0).toISOString();

/** A record, as the list shows it. */
export function recordOf(record: Record, index: number, { accountType, lines }: BatchScope) {
  const { state, pays, path, isLoose } = record;
  const { walletId, address: sourceAddress } = walletOf(accountType);
  const [[line] = [0]] = pays;
  const isSmart = accountType === 'SCA';
  const own = path.startsWith('line')
    ? { destinationAddress: recipientOf(lines[line] ?? ''), amounts: ['1'] }
    : {
        contractAddress: isSmart ? sourceAddress : multicallFrom,
        abiFunctionSignature: isSmart ? executeBatch : aggregate,
      };
  const isOnChain = state === 'COMPLETE' || state === 'FAILED';
  const txHash = isOnChain ? { txHash: `0x${index}${isLoose ? '' : pays.length}` } : {};
  const known = { id: idOf(index), state, blockchain, walletId, sourceAddress, createDate };
  return { ...known, ...own, ...txHash };
}

/** The answer to a look-up of some lines. Only their own payments have names. */
export function foundIn({ records }: BatchWorld, lineIds: string[], scope: BatchScope): FoundLines {
  const searched = new Set(lineIds);
  const listed = records.flatMap((record, index) => {
    const [step, item = ''] = record.path.split('/');
    const shown = { generation: record.generation, record: recordOf(record, index, scope) };
    return record.isListed ? [{ step, item, shown, pays: record.pays }] : [];
  });
  const traces = listed.flatMap(({ step, item, shown }) =>
    step === 'line' && searched.has(item) ? [{ lineId: item, ...shown }] : [],
  );
  const batches = listed.flatMap(({ step, item, shown, pays }) => {
    const payments = pays.map(([line, generation]): FoundPayment => {
      const lineId = String(line);
      const to = recipientOf(scope.lines[line] ?? '');
      const paid = { to, baseUnits: '1000000', mark: markOf(workflowId, lineId, generation) };
      return searched.has(lineId) ? { ...paid, line: { lineId, generation } } : paid;
    });
    const isOwn = step === 'batch' && payments.some(({ line }) => line);
    return isOwn ? [{ item, tokenAddress, ...shown, payments }] : [];
  });
  return { seen: listed.length, traces, batches };
}
