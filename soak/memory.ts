import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { median } from '../bench/measure';
import type { Mortal } from '../crash/mortal';
import type { Verdict } from './books';

/** What one process held at a moment. */
export type Sample = { pid: number; atMs: number; mebibytes: number; handles: number | undefined };

export type Memory = {
  /** Looks at all of them now. */
  sample(): Promise<void>;
  /** By the name of the process, oldest first; one that was started again begins anew. */
  samples: ReadonlyMap<string, Sample[]>;
};

/** Watches what processes hold in memory, and how many files and sockets they have open. */
export function watchMemory(processes: readonly Mortal[]): Memory {
  const samples = new Map<string, Sample[]>();
  return {
    samples,
    sample: async () => {
      const table = await processTable().catch(() => []);
      for (const process of processes) {
        const leader = await process.pid();
        const program = largest(table.filter(({ parent }) => parent === leader));
        if (program === undefined) continue;
        const { pid, kibibytes } = program;
        const handles = await openHandles(pid);
        const sample = { pid, atMs: Date.now(), mebibytes: kibibytes / 1_024, handles };
        const before = samples.get(process.name)?.filter((earlier) => earlier.pid === pid);
        samples.set(process.name, [...(before ?? []), sample]);
      }
    },
  };
}

type Row = { pid: number; parent: number; kibibytes: number };

async function processTable(): Promise<Row[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,rss=']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [pid = 0, parent = 0, kibibytes = 0] = line.trim().split(/\s+/).map(Number);
      return { pid, parent, kibibytes };
    });
}

/** Beside the program its shell has only a small one that guards it. */
function largest(rows: readonly Row[]): Row | undefined {
  return rows.toSorted((one, other) => other.kibibytes - one.kibibytes)[0];
}

/** Where the system tells; elsewhere it is not known. */
async function openHandles(pid: number): Promise<number | undefined> {
  return readdir(`/proc/${pid}/fd`).then(
    (entries) => entries.length,
    () => undefined,
  );
}

/** Five minutes of looks: what grows for less is a process that has just been started. */
const samplesToJudge = 30;
const growthMax = 1.1;

/** Held in the last third of a stretch without kills against the third before it. */
export function judgeMemory({ samples }: Pick<Memory, 'samples'>): Verdict {
  const agreements: string[] = [];
  const findings: string[] = [];
  for (const [name, stretch] of samples) {
    if (stretch.length < samplesToJudge) continue;
    const growth = growthOf(stretch);
    const words = `the last third holds ${growth.toFixed(3)} of what the middle third did`;
    if (growth <= growthMax) agreements.push(`memory of ${name} is flat: ${words}`);
    else findings.push(`memory of ${name} grows: ${words}`);
  }
  return { agreements, findings };
}

/** How much the last third of the samples holds more than the third before it, as a ratio. */
export function growthOf(samples: readonly Sample[]): number {
  const third = Math.floor(samples.length / 3);
  if (third === 0) return Number.NaN;
  const of = (from: number, to?: number): number =>
    median(samples.slice(from, to).map(({ mebibytes }) => mebibytes));
  return of(samples.length - third) / of(samples.length - 2 * third, samples.length - third);
}
