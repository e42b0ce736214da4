import type { WriteState } from '../../../workflows/write/machine/writeState';
import { carried as decisive, graceMs, laterMs, nowMs, oldTicks } from '../world';
import { path, workflowId } from './order';
import type { Carried, Given } from './state';
import type { Player } from './temporal/player';
import { type Heard as HeardOf, type Place, type Played, Positions } from './temporal/positions';

type Order = {
  carried: Carried;
  given: Given;
  seen: { isCancelled: boolean; write: WriteState | undefined };
};

/** The place of the run of an order. */
export type Position = Place<Order>;
export type Heard = HeardOf<Order>;
export type Orders = Positions<Order>;

/** The places of the runs of an order. */
export function ordersOf(play: Player): Orders {
  return new Positions(play, transfer);
}

const transfer: Played<Order> = {
  workflow: 'transferStablecoin',
  workflowId,
  momentous: new Set(['createTransfer', 'checkReceipt', 'findTransaction']),
  ticksMax: oldTicks,
  // Temporal closes a cancelled run, which tells nothing new.
  plain: { cancelRun: undefined },
  shortened,
  seenIn: ({ carried }, isTold) => {
    const write = carried?.writes[path];
    return {
      isCancelled: carried?.cancelAsked === true || isTold('cancel'),
      write: write && decisive(write),
    };
  },
};

/** The part of a state that decides. What people read of it does not. */
function shortened(state: Carried): Carried & { progress: [] } {
  const { opened, writes, done, over, made, cancelAsked, hasLooked, doubtedAtMs } = state;
  const isKnown = path in writes;
  const known = opened && { ...opened, earlier: bornIn(opened, isKnown) };
  if (known !== undefined && hasLooked) delete known.firstLook;
  return {
    done,
    over,
    made,
    cancelAsked,
    progress: [],
    ...(known && { opened: known }),
    writes: mapped(writes),
    ...(hasLooked ? { hasLooked } : { openedAtMs: nowMs }),
    ...(doubtedAtMs === undefined ? {} : { doubtedAtMs: nowMs }),
  };
}

/** A write that is known has its own moments. */
function bornIn({ earlier }: NonNullable<Carried['opened']>, isKnown: boolean) {
  const bornAtMs = Math.max(earlier.bornAtMs, nowMs - oldTicks * graceMs);
  return { ...earlier, bornAtMs: isKnown ? nowMs : bornAtMs };
}

function mapped(writes: Carried['writes']): Carried['writes'] {
  const waits = ({ notBeforeMs = 0 }: WriteState): Partial<WriteState> =>
    notBeforeMs > nowMs ? { notBeforeMs: laterMs } : {};
  const entries = Object.entries(writes).map(([name, write]) => {
    return [name, { ...decisive(write), ...waits(write) }] as const;
  });
  return Object.fromEntries(entries);
}
