import { outdatedWords, sendRefusal } from '../../../activities/sendRefusal';
import { answersOf, foreignId, mayStray, recordOf } from '../order';
import { deliver, strayed } from '../service';
import { keyLifetimeMs, nowMs, writerWaited } from '../world';
import { openedBy, type orderOf, recordFields } from './guard';
import type { Call, Failure } from './told';
import type { LoopScope, LoopWorld } from './world';

/** One way in which a call can end, told as a sentence, with the world as it is then. */
export type Ending = { words: string; value?: unknown; failure?: Failure; world?: LoopWorld };

/** The ways in which a call of an order can end in a world. */
export function endingsOf(call: Call, world: LoopWorld, scope: LoopScope): Ending[] {
  const ways = activities[call.name];
  if (ways === undefined) throw new Error(`The model has no activity ${call.name}.`);
  return ways(call, world, scope);
}

const activities: Record<string, (call: Call, world: LoopWorld, scope: LoopScope) => Ending[]> = {
  openOrder: ({ given }, world, scope) => {
    const { order } = given as { order: ReturnType<typeof orderOf> };
    return [{ words: 'The guard opens the order', value: openedBy(world, order, scope) }];
  },
  findTransaction: ({ given }, world) => {
    const { named, parts } = given as { named?: string; parts: { generation: number } };
    if (named !== undefined)
      return [{ words: 'The record is read', value: foundAs(world, named, parts.generation) }];
    return [{ words: `A look-up shows ${shownIn(world)}`, value: listed(world) }, unread];
  },
  createTransfer: attempts,
  getTransaction: ({ given }, world) => {
    const { id } = given as { id: string };
    const record = recordWith(world, id);
    const words = `The record says ${record?.state ?? 'nothing'}`;
    return [{ words, value: record }, unread];
  },
  checkReceipt: ({ given }, { transactions }) => {
    const { search } = given as { search: { id: string } };
    return answersOf(transactions[indexIn(search.id)]).map(([words, value]) => {
      return { words: `The chain shows ${words}`, value };
    });
  },
  cancelTransaction: () => [
    { words: 'The service is asked to cancel it' },
    { words: 'The service does not cancel it', failure: failed('Refused', { ambiguous: false }) },
    unread,
  ],
  readDecided: (_, { findings }) => [{ words: 'Temporal tells the findings', value: { findings } }],
};

const unread: Ending = { words: 'Nothing is answered', failure: { message: 'away', facts: {} } };

function failed(type: string, facts: object): Failure {
  return { type, message: type, facts };
}

/** The body of an attempt, as much as decides. */
type Attempt = {
  parts: { step: string; generation: number };
  earlierTries: 'clean' | 'ambiguous';
  bornAtMs: number;
  lookedUpAgoMs?: number;
  baseUrl: string;
};

function attempts({ given, isOld }: Call, world: LoopWorld, scope: LoopScope): Ending[] {
  const write = given as Attempt;
  const { generation } = write.parts;
  const isDoubted = write.earlierTries === 'ambiguous';
  const ambiguous = { ambiguous: true };
  if (isOld) {
    const words = 'The attempt of the run before the reset is not made';
    return [{ words, failure: failed('Reset', ambiguous) }];
  }
  const lost = { message: 'lost', facts: {} };
  const outdated = outdatedWords(write, writerWaited);
  if (outdated !== undefined) {
    const failure = failed('Outdated', { ambiguous: isDoubted });
    return [{ words: 'The writer has begun since the look-up', failure }];
  }
  const refusal = sendRefusal(write, { baseUrl: '', keyLifetimeMs, nowMs });
  if (refusal !== undefined) {
    const failure = failed(refusal.type, { ambiguous: isDoubted });
    return [{ words: 'The activity does not send under an old key', failure }];
  }
  const name = `Attempt #${generation}`;
  const { world: reached, index } = deliver(world, generation);
  const value = { transactionId: idOf(index), key: `key ${generation}` };
  return [
    { words: `${name} is not sent`, failure: failed('Again', { ambiguous: isDoubted }) },
    {
      words: `${name} is refused`,
      failure: failed(isDoubted ? 'Unknown' : 'Refused', { ambiguous: isDoubted }),
    },
    { words: `${name} is lost with its worker`, failure: lost },
    {
      words: `${name} is not accepted, since its key is used`,
      failure: failed('Unknown', ambiguous),
    },
    { words: `${name} is accepted`, value, world: reached },
    { words: `${name} is accepted, and the answer is lost`, failure: lost, world: reached },
    ...(mayStray(world, scope)
      ? [{ words: `${name} is late`, failure: lost, world: strayed(world, generation, 1) }]
      : []),
  ];
}

/** The record of an id. Undefined while the service does not know it. */
function recordWith(world: LoopWorld, id: string) {
  const { transactions } = world;
  const index = indexIn(id);
  const one = transactions[index];
  if (one?.isLost) return undefined;
  if (one !== undefined)
    return { ...recordOf(one, index), id, ...recordFields(one.isOther ? '2' : '1') };
  const strange = foreign.find((record) => record.id === id);
  return strange && { ...strange, ...recordFields(strange.amount), txHash: '0xf' };
}

/** Records that carry no reference of ours. The first one is of another write. */
export const foreign = [
  { name: 'a record of another write', id: idOf(90), state: 'COMPLETE', amount: '1' },
  { name: 'a record of another amount', id: idOf(91), state: 'COMPLETE', amount: '2' },
  { name: foreignId, id: idOf(92), state: 'COMPLETE', amount: '1' },
  { name: 'a failure without our reference', id: idOf(93), state: 'FAILED', amount: '1' },
];

/** The list of the service. */
export function listed(world: LoopWorld) {
  const { transactions } = world;
  const traces = transactions.flatMap((one, index) =>
    one.isListed ? [traceOf(world, idOf(index), one.generation)] : [],
  );
  return { seen: traces.length, traces };
}

function foundAs(world: LoopWorld, id: string, generation: number) {
  const one = world.transactions[indexIn(id)];
  const [ofOther] = foreign;
  const isThere = id !== ofOther?.id && recordWith(world, id) !== undefined;
  const trace = traceOf(world, id, one?.generation ?? generation);
  return { seen: 1, traces: isThere ? [trace] : [] };
}

function traceOf(world: LoopWorld, id: string, generation: number) {
  const accepted = { transactionId: id, key: `key ${generation}`, amount: '1' };
  return { generation, accepted, record: recordWith(world, id) };
}

function shownIn({ transactions }: LoopWorld): string {
  const shown = transactions.filter(({ isListed }) => isListed);
  return shown.map(({ generation, state }) => `#${generation} ${state}`).join(', ') || 'nothing';
}

export function idOf(index: number): string {
  return `00000000-0000-0000-0000-${String(index).padStart(12, '0')}`;
}

function indexIn(id: string): number {
  return Number(id.slice(-12));
}
