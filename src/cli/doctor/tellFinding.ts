import type { HealthFinding } from '../../health/finding';
import { pc } from '../show/colors';

const marks = {
  fine: pc.green('✓'),
  fixed: pc.green('✓'),
  fault: pc.red('✗'),
  skipped: pc.dim('-'),
} as const;

/** A finding, and how to mend it below. */
export function tellFinding({ name, state, words, mend }: HealthFinding): string[] {
  const line = `${marks[state]} ${name}: ${words}`;
  return mend === undefined ? [line] : [line, `    ${mend}`];
}
