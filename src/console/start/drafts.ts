import { Refusal } from '../refusal';
import { newToken } from '../signIn/sessions';
import type { Draft } from './draft';

const keptMs = 1_800_000;
/** Drafts of one session, drafts of all sessions, and the lines of all these. */
const ownMax = 2;
const allMax = 40;
const linesMax = 200_000;

/** A statement that a passkey was asked about, and the moment of that. */
type AskedAbout = { statement: string; at: string };

type Kept = { owner: string; untilMs: number; draft: Draft; asked?: AskedAbout };

/**
 * Drafts between the page that fills them in and the one that requests them. They live in the
 * memory for half an hour. Only the session that has made one can use it. Where there are too many,
 * the oldest is forgotten.
 */
export function createDrafts(now = Date.now) {
  const kept = new Map<string, Kept>();
  const own = (owner: string) => [...kept].filter(([, one]) => one.owner === owner);
  const lines = (): number =>
    [...kept.values()].reduce((sum, { draft }) => sum + (draft.lines?.all.length ?? 0), 0);
  const forgetOldest = (all: Iterable<[name: string, Kept]>): void => {
    for (const [name] of all) return void kept.delete(name);
  };
  const find = (name: string, owner: string): Kept => {
    const found = kept.get(name);
    if (found !== undefined && found.owner === owner && found.untilMs > now()) return found;
    const words = 'This draft is over, or of another session. Nothing was requested. Fill it in';
    throw new Refusal(404, `${words} again.`);
  };
  return {
    /** Keeps a draft of a session. Returns its name. */
    keep: (owner: string, draft: Draft): string => {
      for (const [name, { untilMs }] of kept) if (untilMs <= now()) kept.delete(name);
      const name = newToken();
      kept.set(name, { owner, untilMs: now() + keptMs, draft });
      if (own(owner).length > ownMax) forgetOldest(own(owner));
      while (kept.size > 1 && (kept.size > allMax || lines() > linesMax)) forgetOldest(kept);
      return name;
    },
    draftOf: (name: string, owner: string): Draft => find(name, owner).draft,
    /** Notes what a passkey is asked about. It takes the place of an earlier question. */
    ask: (name: string, owner: string, asked: AskedAbout): void => {
      find(name, owner).asked = asked;
    },
    /** Takes what a passkey was asked about. It is answered once, whatever comes of it. */
    takeAsked: (name: string, owner: string): AskedAbout | undefined => {
      const one = find(name, owner);
      const { asked } = one;
      delete one.asked;
      return asked;
    },
    drop: (name: string): void => void kept.delete(name),
  };
}
