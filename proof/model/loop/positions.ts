import type { WriteState } from '../../../workflows/write/machine/writeState';
import { aged, carried as decisive, graceMs, nowMs, oldTicks } from '../world';
import { path, workflowId } from './order';
import type { Carried, Given } from './state';
import type { Player } from './temporal/player';
import { type HeardAt, type Place, type Played, Positions } from './temporal/positions';

type Seen = { isCancelled: boolean; write: WriteState | undefined };

/** The place of the run of an order. */
export type Position = Place<Carried, Given, Seen>;
export type Heard = HeardAt<Position>;
export type Orders = Positions<Carried, Given, Seen>;

/** The places of the runs of an order. */
export function ordersOf(play: Player): Orders {
  return new Positions(play, transfer);
}

const transfer: Played<Carried, Given, Seen> = {
  workflow: 'transferStablecoin',
  workflowId,
  momentous: new Set(['createTransfer', 'checkReceipt', 'findTransaction']),
  ticksMax: oldTicks,
  // Temporal closes a cancelled run, which tells nothing new.
  plain: { cancelRun: undefined },
  shortened,
  older,
  seenIn: ({ carried }, isTold) => {
    const write = carried?.writes[path];
    return {
      isCancelled: carried?.cancelAsked === true || isTold('cancel'),
      write: write && decisive(write),
    };
  },
};

/** A later moment of a timer. It fires at any time. */
const laterMs = nowMs + 1_000;

/** The part of a state that decides. What people read of it does not. */
function shortened(state: Carried): Carried & { progress: [] } {
  const { opened, writes, done, over, made, cancelAsked, hasLooked, doubtedAtMs } = state;
  const isKnown = path in writes;
  const known = opened && { ...opened, ...(isKnown ? { earlier: unborn(opened) } : {}) };
  if (known !== undefined && hasLooked) delete known.firstLook;
  return {
    done,
    over,
    made,
    cancelAsked,
    progress: [],
    ...(known && { opened: known }),
    writes: mapped(writes, decisive),
    ...(hasLooked ? { hasLooked } : { openedAtMs: nowMs }),
    ...(doubtedAtMs === undefined ? {} : { doubtedAtMs: nowMs }),
  };
}

/** A write that is known has its own moments. */
function unborn({ earlier }: NonNullable<Carried['opened']>) {
  return { ...earlier, bornAtMs: nowMs };
}

function mapped(
  writes: Carried['writes'],
  as: (write: WriteState) => WriteState,
): Carried['writes'] {
  const waits = ({ notBeforeMs = 0 }: WriteState): Partial<WriteState> =>
    notBeforeMs > nowMs ? { notBeforeMs: laterMs } : {};
  const entries = Object.entries(writes).map(([name, write]) => {
    return [name, { ...as(write), ...waits(write) }] as const;
  });
  return Object.fromEntries(entries);
}

/** The same state one tick later. */
function older(state: Carried): Carried {
  const { opened, writes } = state;
  const { bornAtMs = nowMs } = opened?.earlier ?? {};
  const bornBefore = Math.max(bornAtMs - graceMs, nowMs - oldTicks * graceMs);
  const earlier = opened && { ...opened.earlier, bornAtMs: bornBefore };
  return {
    ...state,
    ...(opened && earlier ? { opened: { ...opened, earlier } } : {}),
    writes: mapped(writes, (write) => aged(decisive(write))),
  };
}
