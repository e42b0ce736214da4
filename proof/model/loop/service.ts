import { outdatedWords, sendRefusal } from '../../../activities/sendRefusal';
import { answersOf, mayStray } from '../order';
import { deliver, strayed } from '../service';
import { keyLifetimeMs, nowMs, writerWaited } from '../world';
import { openedBy } from './guard';
import { foundAs, idOf, indexIn, listed, recordWith } from './records';
import type { Given } from './state';
import type { Call, Failure } from './temporal/told';
import type { LoopScope, LoopWorld } from './world';

/** One way in which a call can end, told as a sentence, with the world as it is then. */
export type Ending = { words: string; value?: unknown; failure?: Failure; world?: LoopWorld };

/** The ways in which a call of an order can end in a world. */
export function endingsOf(call: Call<Given>, world: LoopWorld, scope: LoopScope): Ending[] {
  const ways = activities[call.name];
  if (ways === undefined) throw new Error(`The model has no activity ${call.name}.`);
  return ways(call, world, scope);
}

const activities: Record<
  string,
  (call: Call<Given>, world: LoopWorld, scope: LoopScope) => Ending[]
> = {
  openOrder: ({ given }, world, scope) => {
    const { order } = given;
    return [{ words: 'The guard opens the order', value: openedBy(world, order, scope) }];
  },
  findTransaction: ({ given, askedAtMs }, world) => {
    const { named, parts } = given;
    if (named !== undefined)
      return [{ words: 'The record is read', value: foundAs(world, named, parts.generation) }];
    const late = { words: 'A late look-up shows nothing', value: { seen: 0, traces: [] } };
    const shown = { words: `A look-up shows ${shownIn(world)}`, value: listed(world) };
    return [shown, ...(askedAtMs < nowMs ? [late] : []), unread];
  },
  createTransfer: attempts,
  getTransaction: ({ given }, world) => {
    const { id } = given;
    const record = recordWith(world, id);
    const words = `The record says ${record?.state ?? 'nothing'}`;
    return [{ words, value: record }, unread];
  },
  checkReceipt: ({ given, askedAtMs }, { transactions }) => {
    const { search } = given;
    return answersOf(transactions[indexIn(search.id)])
      .filter(([, , atMs = nowMs]) => askedAtMs <= atMs)
      .map(([words, value]) => ({ words: `The chain shows ${words}`, value }));
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

function attempts(
  { given: write, isOld }: Call<Given>,
  world: LoopWorld,
  scope: LoopScope,
): Ending[] {
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

function shownIn({ transactions }: LoopWorld): string {
  const shown = transactions.filter(({ isListed }) => isListed);
  return shown.map(({ generation, state }) => `#${generation} ${state}`).join(', ') || 'nothing';
}
