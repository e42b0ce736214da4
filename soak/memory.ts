import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
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
    const [, middle, last] = floorsOf(stretch);
    const growth = last / middle;
    const words = `the floor of the last third is ${growth.toFixed(3)} of the middle third's`;
    if (growth <= growthMax) agreements.push(`memory of ${name} is flat: ${words}`);
    else findings.push(`memory of ${name} grows: ${words}`);
  }
  return { agreements, findings };
}

/**
 * What a process never held less than in each third of its samples, in MiB. A heap is a sawtooth:
 * what it holds between two collections says how busy it is, and only what is left after one says
 * whether anything is kept. One sample in ten may lie below: a collection that gave more back.
 */
export function floorsOf(samples: readonly Sample[]): [number, number, number] {
  const third = Math.floor(samples.length / 3);
  const floor = (part: readonly Sample[]): number =>
    part.map(({ mebibytes }) => mebibytes).toSorted((one, other) => one - other)[
      Math.floor(part.length / 10)
    ] ?? Number.NaN;
  const last = samples.length - third;
  const middle = last - third;
  return [
    floor(samples.slice(0, middle)),
    floor(samples.slice(middle, last)),
    floor(samples.slice(last)),
  ];
}
