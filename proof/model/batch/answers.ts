import type { ReceiptAnswer } from '../../../activities/chain/receipt';
import { outdatedWords } from '../../../activities/sendRefusal';
import { idOf, indexIn } from '../loop/records';
import type { Failure } from '../loop/temporal/told';
import { graceMs, nowMs } from '../world';
import type { Asked, PartCall } from './part';
import { foundIn, recordOf, requestOf } from './records';
import type { BatchScope } from './scopes';
import { deliver } from './serviceSteps';
import { type BatchWorld, type Record, underWay, wordsOf } from './world';

/** One way in which a call can end, told as a sentence, with the world as it is then. */
export type Ending = { words: string; world: BatchWorld; value?: unknown; failure?: Failure };

type Ways = (call: PartCall, world: BatchWorld, scope: BatchScope) => Ending[];

/** The ways in which a call of a part can end in a world. */
export const endingsOf: Ways = (call, world, scope) => {
  const ways = activities[call.name];
  if (ways === undefined) throw new Error(`The model has no activity ${call.name}.`);
  return ways(call, world, scope);
};

/** The things that a call asks for. */
export function askedBy({ given }: Pick<PartCall, 'given'>): readonly Asked[] {
  return [given].flat();
}

const activities: { readonly [name: string]: Ways } = {
  findLines: (call, world, scope) =>
    askedBy(call).map(({ lineIds }) => {
      return { words: 'A look-up', world, value: foundIn(world, lineIds, scope) };
    }),
  sizeBatches: (call, world, { skips }) => {
    const value = askedBy(call).map(() => ({ gasLimit: '1' }));
    const failure = { type: 'Again', message: 'away', facts: { ambiguous: false } };
    const estimated = { words: 'The gas is estimated', world, value };
    // Somebody may skip a line of the batch meanwhile.
    return skips ? [estimated, { words: 'No gas is estimated', world, failure }] : [estimated];
  },
  executeContract: alone,
  createTransfer: alone,
  createTransfers: together,
  watchLines: (call, world, scope) =>
    askedBy(call).map(({ ids }) => {
      const final = world.records.flatMap((record, index) => {
        const isWatched = ids.includes(idOf(index));
        return isWatched && record.state !== 'PENDING' ? [recordOf(record, index, scope)] : [];
      });
      const shown = final.map(({ id, state }) => `${indexIn(id) + 1} ${state}`).join(', ');
      const words = `The records that are final: ${shown || 'none'}`;
      return { words, world, value: { final, missing: [], unread: [] } };
    }),
  checkReceipts: (call, world, scope) =>
    combined(askedBy(call), world, ({ search }) =>
      receiptsOf(world.records[indexIn(search.id)], call.askedAtMs, scope).map((receipt) => {
        return { words: `The chain shows ${receipt.found}`, world, value: receipt };
      }),
    ),
  findTransaction: (call, world, scope) =>
    askedBy(call).map(({ named }) => {
      const index = indexIn(named);
      const accepted = { transactionId: named };
      const traces = world.records.slice(index, index + 1).map((one) => {
        return { generation: one.generation, accepted, record: recordOf(one, index, scope) };
      });
      return { words: 'The record is read', world, value: { seen: 1, traces } };
    }),
};

/** Every way in which several questions can be answered together. The answers make a list. */
function combined(
  [one, ...others]: readonly Asked[],
  world: BatchWorld,
  waysOf: (one: Asked, reached: BatchWorld) => Ending[],
): (Ending & { value: unknown[] })[] {
  if (one === undefined) return [{ words: '', world, value: [] }];
  return waysOf(one, world).flatMap((way) =>
    combined(others, way.world, waysOf).map((rest) => {
      const words = [way.words, ...(rest.words === '' ? [] : [rest.words])].join('. ');
      return { words, world: rest.world, value: [way.value, ...rest.value] };
    }),
  );
}

const absent: ReceiptAnswer = { found: 'absent', faults: [] };

/** The chain as it is, and as it was when it was asked before the last grace period. */
function receiptsOf(record: Record | undefined, askedAtMs: number, scope: BatchScope) {
  if (record === undefined) return [absent];
  const isLate = record.paidFor === 1 && askedAtMs < nowMs;
  return [receiptOf(record, scope), ...(isLate ? [absent] : [])];
}

/** Each payment is proven by a log that no payment before it has claimed. */
function receiptOf({ state, pays, paid, isLoose }: Record, { lines }: BatchScope): ReceiptAnswer {
  if (paid.length === 0) {
    return isLoose || state === 'COMPLETE' ? absent : { found: 'reverted', faults: [] };
  }
  const letters = paid.map((line) => lines[line]);
  const unpaid = pays.flatMap(([line], at) => {
    const log = letters.indexOf(lines[line]);
    if (log < 0) return [{ at }];
    letters.splice(log, 1);
    return [];
  });
  return { found: 'success', faults: [], ...(unpaid.length > 0 ? { unpaid } : {}) };
}

function alone(call: PartCall, world: BatchWorld, scope: BatchScope): Ending[] {
  return askedBy(call).flatMap((one) => attempts(one, { isOld: call.isOld, world, scope }));
}

/** Several lines that one activity sends. Each has an outcome of its own. */
function together(call: PartCall, world: BatchWorld, scope: BatchScope): Ending[] {
  return combined(askedBy(call), world, (one, reached) =>
    attempts(one, { isOld: call.isOld, world: reached, scope }).map(
      ({ failure, value: accepted, ...ending }) => {
        const { facts: details, ...stopped } = failure ?? {};
        const value = failure
          ? { kind: 'stopped', failure: { ...stopped, details } }
          : { kind: 'accepted', accepted };
        return { ...ending, value };
      },
    ),
  );
}

/** The writer has run for long, though not since before Temporal was restored. */
const writerWaited = { uptimeMs: 1_000 * graceMs, queuedMs: 0, lookupGraceMs: 0 };

/** The type of a failure, and if the service may have accepted the attempt. */
type Why = readonly [type: string, ambiguous: boolean];
const again: Why = ['Again', true];

type Sending = { isOld: boolean; world: BatchWorld; scope: BatchScope };

/** The outcomes of one attempt. */
function attempts(asked: Asked, { isOld, world, scope }: Sending): Ending[] {
  const request = requestOf(asked);
  const name = `The attempt at ${wordsOf(request)}`;
  const isDoubted = asked.earlierTries === 'ambiguous';
  const fails = (words: string, [type, ambiguous]: Why, reached = world): Ending => {
    const failure = { type, message: type, facts: { ambiguous } };
    return { words: `${name} ${words}`, world: reached, failure };
  };
  if (isOld) return [fails('of the old run is not made', ['Reset', true])];
  if (outdatedWords(asked, writerWaited) !== undefined) {
    const outdated = fails('is outdated', ['Outdated', isDoubted]);
    return [outdated, fails('is lost with its worker', again)];
  }
  const { world: reached, id: transactionId } = deliver(world, request, scope);
  const late = underWay(world, request, scope);
  return [
    { words: `${name} is accepted`, world: reached, value: { transactionId, key: '' } },
    ...(scope.loses ? [fails('is accepted, and the answer is lost', again, reached)] : []),
    ...(scope.loses && !isDoubted ? [fails('is lost', again)] : []),
    ...(scope.refuses ? [fails('is refused', ['Refused', isDoubted])] : []),
    ...late.map((after) => fails('is late', again, after)),
  ];
}
