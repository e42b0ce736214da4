import { createPublicKey, type KeyObject } from 'node:crypto';
import type { CustodyApi } from '../../custody/endpoints';
import { RefusedError } from '../../custody/errors';
import { createRecent } from '../../custody/sharing';

/** A key by its id. unknown: the service has none. later: nobody could tell yet. */
export type FoundKey = KeyObject | 'unknown' | 'later';

type Limits = {
  /** Time between two look-ups, whatever the number of ids. */
  lookEveryMs: number;
  /** Time for which an unknown id stays unknown. */
  unknownMs: number;
};

const limitsDefault: Limits = { lookEveryMs: 1_000, unknownMs: 300_000 };
const idForm = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const keysMax = 100;
const unknownMax = 10_000;
const waitingMax = 20_000;

/**
 * Finds keys of the service by their ids. Anybody can invent ids, so it asks the service at most
 * once a second. While more ids wait, the one that was seen most often is next: true notices repeat
 * theirs.
 */
export function createNoticeKeys(
  custody: Pick<CustodyApi, 'getNotificationSignature'>,
  { lookEveryMs, unknownMs }: Limits = limitsDefault,
): (id: string) => Promise<FoundKey> {
  const known = createRecent<string, KeyObject>(keysMax);
  const unknownUntilMs = createRecent<string, number>(unknownMax);
  /** Ids that wait for a look-up, the newest last, and how often each was seen. */
  const waiting = new Map<string, number>();
  let nextLookMs = 0;
  let looking: { id: string; found: Promise<FoundKey> } | undefined;

  const look = async (id: string): Promise<FoundKey> => {
    const found = await readKey(custody, id);
    if (found === 'unknown') unknownUntilMs.set(id, Date.now() + unknownMs);
    else if (found !== 'later') known.set(id, found);
    looking = undefined;
    return found;
  };
  const note = (id: string): void => {
    const seen = (waiting.get(id) ?? 0) + 1;
    waiting.delete(id);
    waiting.set(id, seen);
    const [oldest] = waiting.keys();
    if (waiting.size > waitingMax && oldest !== undefined) waiting.delete(oldest);
  };
  const lookForNext = (): void => {
    if (looking !== undefined || Date.now() < nextLookMs) return;
    const id = mostSeen(waiting);
    if (id === undefined) return;
    waiting.delete(id);
    nextLookMs = Date.now() + lookEveryMs;
    looking = { id, found: look(id) };
  };
  return async (id) => {
    if (!idForm.test(id)) return 'unknown';
    const key = known.get(id);
    if (key !== undefined) return key;
    if ((unknownUntilMs.get(id) ?? 0) > Date.now()) return 'unknown';
    if (looking?.id !== id) {
      note(id);
      lookForNext();
    }
    return looking?.id === id ? looking.found : 'later';
  };
}

function mostSeen(waiting: ReadonlyMap<string, number>): string | undefined {
  let most: [id: string | undefined, seen: number] = [undefined, 0];
  for (const [id, seen] of waiting) if (seen > most[1]) most = [id, seen];
  return most[0];
}

async function readKey(
  custody: Pick<CustodyApi, 'getNotificationSignature'>,
  id: string,
): Promise<FoundKey> {
  try {
    const { publicKey } = await custody.getNotificationSignature({ id });
    const key = Buffer.from(publicKey, 'base64');
    return createPublicKey({ key, format: 'der', type: 'spki' });
  } catch (error) {
    const isUnknown = error instanceof RefusedError && [400, 404].includes(error.status);
    return isUnknown ? 'unknown' : 'later';
  }
}
