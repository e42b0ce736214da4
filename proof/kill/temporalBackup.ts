import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A backup of the database of a stack's Temporal server. The server must be away meanwhile. */
export type TemporalBackup = {
  /** Copies the database. A later copy replaces it. */
  take(): void;
  /** Replaces the database by the copy. */
  restore(): void;
  isTaken(): boolean;
  /** Removes the copy. */
  drop(): void;
};

/** Keeps a backup beside the state of a stack, in the stack's folder. */
export function temporalBackup(folder: string): TemporalBackup {
  const [state, copy] = [join(folder, 'temporal'), join(folder, 'temporal-backup')];
  const replace = (from: string, to: string): void => {
    rmSync(to, { recursive: true, force: true });
    cpSync(from, to, { recursive: true });
  };
  return {
    take: () => replace(state, copy),
    restore: () => replace(copy, state),
    isTaken: () => existsSync(copy),
    drop: () => rmSync(copy, { recursive: true, force: true }),
  };
}
