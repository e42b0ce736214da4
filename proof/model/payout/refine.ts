import type { Happening, WriteState } from '../../../workflows/write/machine/writeState';
import type { Rules } from '../order';
import { beforeWriterMs, isVoid, type Transaction, type World } from '../world';
import { events, type Line, type Record } from './line';

/** The kinds of events of a line that an event of the machine may be. */
const kinds: { [kind in Happening['kind']]: readonly (keyof typeof events)[] } = {
  looked: ['looked'],
  unread: ['unread', 'lost'],
  sending: ['sending'],
  answered: ['answered'],
  record: ['settled', 'proven', 'confirmed'],
  lost: ['settled', 'lost'],
  receipt: ['settled', 'proven', 'confirmed'],
  found: ['found'],
  cancel: ['cancel'],
  forgot: ['forgot'],
  // Only lines of a payout have these. The layer of batches explores them.
  lookAgain: [],
  hurry: [],
  recalled: [],
  inherited: [],
  adopted: [],
  endedIn: [],
  again: [],
  continued: [],
};

/** Checks that each transition is one of the abstract write, or changes nothing of it. */
export function refining(): { hears: NonNullable<Rules['hears']>; checked: () => number } {
  const known = new Map<WriteState, Set<string>>();
  let checked = 0;
  const hears = (world: World, happening: Happening, after: WriteState): void => {
    const { write, isMisled } = world;
    // A wrong answer that no look-up can refute is no part of the abstract write.
    if (write === undefined || write === after || isMisled) return;
    const before = lineOf(write);
    const own = textOf(lineOf(after));
    if (own === textOf(before)) return;
    const records = world.transactions.map(recordOf);
    const asked = known.get(write) ?? new Set<string>();
    known.set(write, asked);
    const question = [happening.kind, own, ...records.map(codeOf)].join(' ');
    if (asked.has(question)) return;
    asked.add(question);
    checked += 1;
    const allowed = kinds[happening.kind].flatMap((kind) => events[kind](before, records));
    if (allowed.some((line) => textOf(line) === own)) return;
    const told = [before, happening, lineOf(after), records].map((one) => JSON.stringify(one));
    throw new Error(`The abstract write does not do this: ${told.join('\n')}`);
  };
  return { hears, checked: () => checked };
}

/** A write as its payout sees it. While an earlier generation is confirmed, it is not looked up. */
export function lineOf(write: WriteState): Line {
  const { goesOnAs, generation, tries } = write;
  const { isProven = false, isCancelled = false, isRefused = false } = write;
  const waits = goesOnAs !== undefined && write.stage !== 'disputed';
  const stage = waits ? 'unseen' : stages[write.stage];
  const isClean = tries === 'clean';
  const at = waits ? goesOnAs : generation;
  const now = { generation: at, isClean, isProven, isCancelled, isRefused };
  const isOutdated = write.lookedUpAtMs === beforeWriterMs;
  return { stage, ...now, isOld: false, isOutdated };
}

const stages: { [stage in WriteState['stage']]: Line['stage'] } = {
  unseen: 'unseen',
  ready: 'ready',
  sending: 'sending',
  doubt: 'doubt',
  unknown: 'asking',
  disputed: 'asking',
  accepted: 'accepted',
  completed: 'paid',
  failed: 'failed',
  refused: 'failed',
  stopped: 'skipped',
  givenUp: 'givenUp',
};

function recordOf(one: Transaction): Record {
  const { generation, isListed, isKeyKnown, isMoved } = one;
  const state = isMoved ? 'paid' : isVoid(one) ? 'void' : 'pending';
  return { generation, isListed, isKeyKnown, state };
}

function codeOf({ generation, state, isListed }: Record): string {
  return `${generation}${state}${isListed}`;
}

/** Only what decides. An end has no proofs any more. */
function textOf({ stage, generation, isCancelled, ...line }: Line): string {
  const { isClean, isProven } = line;
  const isRefused = stage === 'unseen' && line.isRefused;
  const isOutdated = (stage === 'ready' || stage === 'sending') && line.isOutdated;
  const isSent = ['accepted', 'paid', 'failed', 'skipped', 'givenUp'].includes(stage);
  return JSON.stringify([
    stage,
    generation,
    isCancelled,
    isRefused,
    isOutdated,
    ...(isSent ? [] : [isClean, isProven]),
  ]);
}
