import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareEnvironment } from '../../../src/local/bareEnvironment';
import { type Child, startChild } from '../../../src/local/childProcess';

const root = join(__dirname, '..', '..', '..');

/** A process of a writer that spends. */
export type Spender = {
  child: Child;
  /** Waits until its ledger is open. It tries nothing before `begin`. */
  isReady(): Promise<unknown>;
  /** Lets it begin. */
  begin(): void;
  /** The payments that it was allowed so far. */
  paid(): number;
  /** Waits for the first of them. */
  hasPaid(): Promise<unknown>;
  /** Waits until it has made all of its tries. Rejects where it has failed. */
  done(): Promise<void>;
};

const timeMsMax = 60_000;

/** Starts a writer process that tries to pay 1 USDC so many times. */
export function startSpender(place: string, times: number): Spender {
  let paid = 0;
  const signalFile = join(mkdtempSync(join(tmpdir(), 'steadfast-spender-')), 'begin');
  const program = join(__dirname, 'spender.ts');
  const child = startChild({
    name: 'spender',
    command: [process.execPath, '--import', 'tsx', program, place, String(times), signalFile],
    cwd: root,
    env: bareEnvironment(),
    onLine: (line) => {
      if (line === 'paid') paid += 1;
    },
  });
  const ready = child.waitForLine(/^ready$/, timeMsMax);
  const first = child.waitForLine(/^paid$/, timeMsMax);
  // The end of the process tells the same to a test that does not wait for it.
  for (const line of [ready, first]) line.catch(() => {});
  return {
    child,
    isReady: () => ready,
    begin: () => writeFileSync(signalFile, ''),
    paid: () => paid,
    hasPaid: () => first,
    done: async () => {
      const code = await child.exited;
      if (code !== 0) throw new Error(`A spender ended with ${code}: ${child.lastLines()}`);
    },
  };
}
