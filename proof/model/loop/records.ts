import { foreignId, recordOf } from '../order';
import { recordFields } from './order';
import type { LoopWorld } from './world';

/** The record of an id. Undefined while the service does not know it. */
export function recordWith(world: LoopWorld, id: string) {
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

/** The answer to a look-up of one record. The first foreign one is of another write. */
export function foundAs(world: LoopWorld, id: string, generation: number) {
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

export function idOf(index: number): string {
  return `00000000-0000-0000-0000-${String(index).padStart(12, '0')}`;
}

export function indexIn(id: string): number {
  return Number(id.slice(-12));
}
