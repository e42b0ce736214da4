/** What one check of the doctor found. */
export type Finding = {
  /** What was looked at, such as "Temporal". */
  name: string;
  /**
   * fixed: it was a fault, and the doctor has mended it. skipped: something else has to be mended
   * before this can be told.
   */
  state: 'fine' | 'fixed' | 'fault' | 'skipped';
  /** What was found. */
  words: string;
  /** How to mend a fault, as a sentence; a command to copy stands at its end, without a stop. */
  mend?: string;
  /** A fault of the environment, or one of the world outside that somebody has to mend. */
  belongsTo?: 'configuration' | 'operator';
};

/** All is well. */
export function fine(name: string, words: string): Finding {
  return { name, state: 'fine', words };
}

/** All is well from now on. */
export function fixed(name: string, words: string): Finding {
  return { name, state: 'fixed', words };
}

/** Cannot be told yet. */
export function skipped(name: string, words: string): Finding {
  return { name, state: 'skipped', words };
}

/** Something that the environment says is wrong or missing. */
export function misconfigured(name: string, words: string, mend: string): Finding {
  return { name, state: 'fault', words, mend, belongsTo: 'configuration' };
}

/** Something outside of the environment that somebody has to mend. */
export function broken(name: string, words: string, mend: string): Finding {
  return { name, state: 'fault', words, mend, belongsTo: 'operator' };
}

/** The first line of whatever was thrown, without its full stop. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const line = (message.split('\n')[0] ?? message).replace(/\.$/, '');
  // Node's fetch says "fetch failed" and keeps what happened to itself.
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return line.includes(code) ? line : `${line} (${code})`;
}
