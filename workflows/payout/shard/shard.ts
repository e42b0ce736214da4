import type { ShardOrder } from '../../../activities/payout/shardOrder';
import type { Sized } from '../../../activities/payout/sizeBatch';
import type { Grounds } from '../../../src/custody/objects/grounds';
import type { LineResult } from '../../../src/orders/payout';
import type { LineBeside } from '../../../src/orders/payout/lineBeside';
import type { Progress } from '../../../src/orders/progress/status';
import type { Stop } from '../../order/activities';
import type { Carried } from '../../order/liveOrder';
import type { Calling } from '../../write/calling';
import type { Left } from '../../write/machine/firstState';
import type { Writes, WritesOwner } from '../../write/writes';
import type { LineQuestion, Steer } from '../records';
import type { Line, Payments, ShardPart } from './payments';

/** The state that a run of a shard hands on to the next one. */
export type ShardCarried = WritesOwner['carried'] &
  ShardPart['carried'] & {
    /** The state that earlier runs left. Unset until it has been read. */
    earlier?: Left;
    steer: Steer;
    /** Its payout has ended: nothing more is sent, and what is pending settles. */
    isClosed: boolean;
    progress: Carried['progress'];
    trouble?: Carried['trouble'];
    /** The reasons for which a policy has let out each line, by its item. */
    grounds?: Record<string, Grounds>;
    /** The place of each line's last receipt, for an archive: its record, and its batch. */
    places?: Record<string, LineResult['place']>;
    /** The names of the batches that were made. Each one is made once. */
    formed?: string[];
    /** Lines whose look-up waits until `untilMs`. No wake-up shortens it. */
    heldBack?: { untilMs: number; items: string[]; strangers?: string[] };
    /** Lines that were looked up once more after they were skipped or given up, by their targets. */
    lookedAgain?: string[];
    /** Lines that carry no memo, since the writer refuses each of them in a batch. */
    plain?: string[];
    /** The batch that a line has ended in. */
    batchOf?: Record<string, string>;
    /** Batches that have paid others and not this line, as the chain has proven. */
    unpaidIn?: Record<string, string[]>;
    /** Lines that a person has skipped, which stay so. */
    skippedAlone?: string[];
    /** The last time that the payout was continued after a cancellation. */
    continued?: number;
    /** Transactions of batches that had no effect, as the chain has proven. */
    voidIds?: string[];
    /** The gas that each line of a batch saves, by the item of the batch. */
    gasSaved?: Record<string, number>;
    /** The end of each line that a receiver of notices is told of, by the line's item. */
    answered?: Record<string, string>;
  };

/** A running shard. It drives the writes of its lines as an order drives its own. */
export type Shard = WritesOwner &
  Calling & {
    writes: Writes;
    payments: Payments;
    order: ShardOrder;
    lines: readonly Line[];
    opened: WritesOwner['opened'] & ShardOrder['terms'];
    carried: ShardCarried;
    payout: NonNullable<WritesOwner['payout']>;
    progress: Progress;
    searchAttributes: boolean;
    /** When the lines that were skipped or given up are looked up again, and how often in vain. */
    again: { times: number; atMs: number };
    /** Polls in a row that brought nothing, and when the next one is due. */
    emptyLooks: number;
    nextLookMs: number;
    /** Wallets that the service or the writer holds back for now, by their ids, and why. */
    held: Map<string, { untilMs: number; stop: Stop }>;
    /** Up to when the pace is used up. */
    paceMs: number;
    /** Until then each line has an activity of its own, since a limit holds calls apart. */
    apartUntilMs: number;
    /** While people have to approve, one line asks for all of them, at this moment. */
    asksAtMs: number;
    /** Lines that people decide about one by one, by their items. */
    asking: Map<string, LineQuestion>;
    /** True once a line of this run was sent. In a signed payout, the first one goes alone. */
    isLetOut: boolean;
    /** When payments that go alone were handed to activities that have not answered yet. */
    handedAtMs: Map<string, number>;
    /** The answers about the gas of batches, by their items, and the last question about it. */
    sizes: Map<string, { atMs: number; sized: Promise<Sized> }>;
    sizing: Promise<unknown>;
    /**
     * When it was last seen to whether lines have ended that the receiver is to be told of. `again`
     * is known after a fault: those lines are told again later.
     */
    answering: { atMs: number; again?: boolean };
    /** The last report, and when. */
    reported?: { pressing: string; counts: string; atMs: number };
    alarmMs?: number | undefined;
  };

/** The fields of a line that decide no payment. */
export function besideOf({ reference, name, source, exchange }: LineBeside): LineBeside {
  return {
    ...(reference === undefined ? {} : { reference }),
    ...(name === undefined ? {} : { name }),
    ...(source === undefined ? {} : { source }),
    ...(exchange === undefined ? {} : { exchange }),
  };
}

/** True once it is known what earlier runs of the part have done. */
export function isOpen({ carried }: Shard): boolean {
  return carried.earlier !== undefined;
}

/**
 * The moment until which a run that was reset sends no line alone: a batch that it has forgotten
 * may be under way. It makes no batches itself.
 */
export function heldUntilMs(shard: Shard): number {
  const { batchesFrom = [], lookupGraceMs } = shard.opened;
  const { doubtedAtMs } = shard.carried;
  return batchesFrom.length === 0 || doubtedAtMs === undefined ? 0 : doubtedAtMs + lookupGraceMs;
}
