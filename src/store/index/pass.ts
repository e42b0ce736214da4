import { PlaceLostError, passing, type Walk } from '../../custody/list';
import type { Transaction } from '../../custody/objects/transaction';
import { sharing } from '../../custody/sharing';

type PassOptions = {
  /** A new walk from the beginning of the list. */
  walk: () => Walk<Transaction>;
  tick: () => number;
  /** Keeps what was read at a moment, by a pass that began at a time. An empty page is its end. */
  keep: (found: readonly Transaction[], read: { at: number; beganMs: number }) => Promise<void>;
};

/** The moment to which a pass goes back that reads the whole list. */
export const wholeList = 0;

/** A pass that has come to its end, and when it began. */
type Passed = { began: number; backToMs: number };

type Passing = Passed & {
  beganMs: number;
  walk: Walk<Transaction>;
  isPast: ReturnType<typeof passing>;
};

/**
 * Reads the list from its newest record back to a moment, whatever was read of it before. So it
 * finds what all readings have left out. One pass is under way at a time, and who asks shares it.
 */
export function createPass({ walk, tick, keep }: PassOptions) {
  let passed: Passed | undefined;
  let now: Passing | undefined;

  const begin = (backToMs: number): Passing => {
    return {
      began: tick(),
      beganMs: Date.now(),
      backToMs,
      walk: walk(),
      isPast: passing(backToMs),
    };
  };

  const readNext = async (own: Passing): Promise<void> => {
    const at = tick();
    const found = await own.walk.next().catch((error: unknown) => {
      if (error instanceof PlaceLostError && now === own) now = undefined;
      throw error;
    });
    await keep(found, { at, beganMs: own.beganMs });
    const isWhole = found.length === 0;
    if (!isWhole && !own.isPast(found)) return;
    passed = { began: own.began, backToMs: isWhole ? wholeList : own.backToMs };
    if (now === own) now = undefined;
  };
  const readPage = sharing(async () => (now === undefined ? undefined : readNext(now)));

  return {
    /** True once a pass has ended that began later than a moment, and goes back far enough. */
    hasEnded: (moment: number, backToMs: number): boolean =>
      passed !== undefined && passed.began > moment && passed.backToMs <= backToMs,
    /** Reads one more page, of a pass that goes back to a moment at least. */
    readPage: async (backToMs: number): Promise<void> => {
      if (now === undefined || now.backToMs > backToMs) now = begin(backToMs);
      await readPage();
    },
  };
}
