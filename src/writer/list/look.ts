import { setTimeout as sleep } from 'node:timers/promises';
import { RefusedError, WithheldError } from '../../custody/errors';
import type { TransactionList } from '../../custody/outbound';
import { sharing } from '../../custody/sharing';
import { type Ledger, LedgerError } from '../ledger/ledger';
import { readBack } from './pages';

/** A look at the list counts this long. Others may pay meanwhile: the next one counts them. */
const freshMs = 10_000;
/** So that writes that follow one another wait for no look. */
const aheadMs = 5_000;
/** A call waits this long for a look. Then it is tried again later. */
const waitUsualMs = 5_000;
/** Records of one moment come in any order, and one may show up late. */
const overlapMs = 60_000;

/** The looks of a process at the list of all that the account has sent. */
export type Looks = {
  /** Waits until this process has looked. Then each reference that the service has is known. */
  once(): Promise<void>;
  /** Waits for a look that has begun a few seconds ago at most. */
  fresh(): Promise<void>;
};

/**
 * Reads the list from its newest record back to what any writer of the ledger has read before. The
 * policed list notes what passes by: it settles reservations, and counts what others have paid. The
 * first look of a ledger reads everything.
 */
export function looksAt(
  list: TransactionList,
  ledger: Pick<Ledger, 'readUntil' | 'hasRead'>,
  { passedMs = () => performance.now(), waitMs = waitUsualMs } = {},
): Looks {
  let lookedMs = Number.NEGATIVE_INFINITY;
  const look = sharing(async () => {
    const beganMs = passedMs();
    const untilMs = await ledger.readUntil();
    const { newestMs } = await readBack(list, (untilMs ?? Number.NEGATIVE_INFINITY) - overlapMs);
    await ledger.hasRead({ untilMs, newestMs });
    lookedMs = beganMs;
  });
  const waited = async (): Promise<void> => {
    const isOver = look().then(() => true);
    if (await Promise.race([isOver, sleep(waitMs, false, { ref: false })])) return;
    const words = 'The list of what the account has sent is being read. Nothing was sent.';
    throw new WithheldError(words, { next: 'again', afterMs: waitMs });
  };
  return {
    once: async () => {
      if (!Number.isFinite(lookedMs)) await waited();
    },
    fresh: async () => {
      // The look that is under way may have begun too long ago.
      while (passedMs() - lookedMs > freshMs) await waited().catch(refuseUnread);
      // Its failure is told to those who wait for a look.
      if (passedMs() - lookedMs > aheadMs) void look().catch(() => {});
    },
  };
}

/** Tells why the list cannot be read. A fault of the ledger or of the key has its own words. */
function refuseUnread(error: unknown): never {
  const isOfKey = error instanceof RefusedError && [401, 403, 429].includes(error.status);
  if (isOfKey || error instanceof LedgerError || error instanceof WithheldError) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  throw new WithheldError(
    'What others have paid counts in the windows, and the list of the service cannot be read: ' +
      `${reason}. Nothing was sent.`,
    { next: 'again', afterMs: waitUsualMs, cause: error },
  );
}
