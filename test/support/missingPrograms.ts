import { execFileSync } from 'node:child_process';

/** The programs that are not installed. Tests that need them are not run, and say so. */
export function missingPrograms(names: readonly string[]): string[] {
  const missing = names.filter((name) => {
    try {
      execFileSync('which', [name]);
      return false;
    } catch {
      return true;
    }
  });
  if (missing.length > 0) process.stdout.write(`Not run: ${missing.join(', ')} not on PATH.\n`);
  return missing;
}
