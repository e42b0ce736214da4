import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pythonPackages } from '../package/pythonPackages';

/** One booked entry, as a program of somebody else reads it. Empty texts are none. */
export type ReadEntry = {
  account: string;
  /** It has a sign where the program gives it one. */
  amount: string;
  currency: string;
  direction: string;
  id: string;
  booked: string;
  value: string;
  party: string;
  words: string;
};

const packages = ['bankstatementparser==0.0.29', 'pycamt==1.1.1', 'camt053==0.0.23'];
export const readers = ['bankstatementparser', 'pycamt', 'camt053'] as const;
export type Reader = (typeof readers)[number];

/**
 * Programs from PyPI that read statements of banks. Undefined, with a line that says why, where
 * Python, pip or a package index is missing.
 */
export function bankReaders():
  | ((file: string) => Record<Reader, ReadEntry[]> & { csv: ReadEntry[] })
  | undefined {
  const python = pythonPackages('bank-readers', packages);
  if (python === undefined) return undefined;
  return (file) => {
    const env = { ...process.env, ...python.env };
    const told = execFileSync(python.program, [join(__dirname, 'readBank.py'), file], {
      encoding: 'utf8',
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return JSON.parse(told);
  };
}
