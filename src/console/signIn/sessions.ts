import { createHash, randomBytes } from 'node:crypto';
import type { Viewer } from '../page/frame';

const sessionMs = 3_600_000;
const sessionsMax = 10_000;

/** Somebody who has signed in. */
export type Session = Viewer & {
  untilMs: number;
  /** The passkey that signed in, as its line of the policy. Without it there, the session is over. */
  passkey: string;
};

export type Sessions = ReturnType<typeof createSessions>;

/**
 * The sessions of a console. They live in its memory for an hour, so a restart ends all of them.
 * Tokens are kept as digests.
 */
export function createSessions(now = Date.now) {
  const sessions = new Map<string, Session>();
  return {
    seconds: sessionMs / 1_000,
    /** Begins a session, and returns the token of its cookie. */
    begin: ({ person, passkey }: Pick<Session, 'person' | 'passkey'>): string => {
      for (const [name, { untilMs }] of sessions) if (untilMs <= now()) sessions.delete(name);
      const [oldest] = sessions.keys();
      if (sessions.size >= sessionsMax && oldest !== undefined) sessions.delete(oldest);
      const token = newToken();
      const untilMs = now() + sessionMs;
      sessions.set(tokenDigest(token), { person, passkey, csrf: newToken(), untilMs });
      return token;
    },
    find: (token: string): Session | undefined => {
      const found = sessions.get(tokenDigest(token));
      return found !== undefined && found.untilMs > now() ? found : undefined;
    },
    end: (token: string): void => void sessions.delete(tokenDigest(token)),
  };
}

/** A name that nobody guesses. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The digest under which a token is kept. It is looked up whole, so its time tells nothing. */
export function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
