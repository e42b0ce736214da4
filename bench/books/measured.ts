import { readFileSync } from 'node:fs';
import { type ChildOptions, startChild } from '../../src/local/childProcess';
import { cpuSeconds } from '../payouts/cpu';

/** The cost of one run of a program. */
export type Cost = { seconds: number; cpuSeconds: number; peakMebibytes: number };

const lookEveryMs = 200;

/** Runs a program to its end. Its memory is the most that it ever had resident. */
export async function measured(
  options: ChildOptions,
): Promise<Cost & { code: number | null; last: string[] }> {
  const startedAtMs = performance.now();
  const child = startChild(options);
  const cost = { cpuSeconds: 0, peakMebibytes: 0 };
  const look = (): void => {
    cost.peakMebibytes = Math.max(cost.peakMebibytes, peakMebibytes(child.pid));
    cost.cpuSeconds = Math.max(cost.cpuSeconds, cpuSeconds(child.pid));
  };
  const timer = setInterval(look, lookEveryMs);
  const code = await child.exited;
  clearInterval(timer);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  return { ...cost, code, last: child.lastLines(), seconds };
}

/** The child is a shell that waits for the program. The larger of both counts. */
function peakMebibytes(pid: number): number {
  const family = [pid, ...childrenOf(pid)];
  return Math.max(0, ...family.map(peakOf));
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function peakOf(pid: number): number {
  try {
    const [, kibibytes = '0'] =
      /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kibibytes) / 1_024;
  } catch {
    return 0;
  }
}
