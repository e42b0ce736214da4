import { readdir } from 'node:fs/promises';
import { WebSocket } from 'undici';
import { z } from 'zod';
import type { Verdict } from './books';

/** The memory of one process at a moment. */
export type Sample = {
  pid: number;
  atMs: number;
  /** The heap after a full collection. */
  heapMebibytes: number;
  /** The whole process, with caches of the database and what the heap has not given back. */
  residentMebibytes: number;
  handles: number | undefined;
};

export type Memory = {
  /** Measures all processes now. */
  sample(): Promise<void>;
  /**
   * By the name of the process, oldest first. A process that was started again begins a new list.
   */
  samples: ReadonlyMap<string, Sample[]>;
};

/** Set for every process whose memory is watched: it opens an inspector, and says where. */
export const inspected = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/**
 * The URL of a process's inspector, from the line in which it prints it. Undefined for any other
 * line.
 */
export function inspectorIn(line: string): string | undefined {
  return /^Debugger listening on (ws:\S+)$/.exec(line)?.[1];
}

/** Watches what processes hold in memory, and how many files and sockets they have open. */
export function watchMemory(inspectors: ReadonlyMap<string, string>): Memory {
  const samples = new Map<string, Sample[]>();
  return {
    samples,
    sample: async () => {
      for (const [name, url] of inspectors) {
        // A process that is away is measured again when it is back.
        const sample = await inspect(url).catch(() => undefined);
        if (sample === undefined) continue;
        const before = samples.get(name)?.filter(({ pid }) => pid === sample.pid);
        samples.set(name, [...(before ?? []), sample]);
      }
    },
  };
}

const usageSchema = z.object({
  result: z.object({ result: z.object({ value: z.string() }) }),
});
const heldSchema = z.object({ pid: z.number(), heapUsed: z.number(), rss: z.number() });
const bytesPerMebibyte = 1_048_576;

/** Collects all garbage of a process, and asks what is left. */
async function inspect(url: string): Promise<Sample> {
  const expression = 'JSON.stringify({ pid: process.pid, ...process.memoryUsage() })';
  const answers = await ask(url, [
    { method: 'HeapProfiler.collectGarbage' },
    { method: 'Runtime.evaluate', params: { expression } },
  ]);
  const { value } = usageSchema.parse(answers.at(-1)).result.result;
  const { pid, heapUsed, rss } = heldSchema.parse(JSON.parse(value));
  return {
    pid,
    atMs: Date.now(),
    heapMebibytes: heapUsed / bytesPerMebibyte,
    residentMebibytes: rss / bytesPerMebibyte,
    handles: await openHandles(pid),
  };
}

const askMsMax = 5_000;

/** Asks an inspector one thing after another. Rejects when it does not answer in time. */
async function ask(
  url: string,
  questions: readonly { method: string; params?: object }[],
): Promise<unknown[]> {
  const socket = new WebSocket(url);
  const answers: unknown[] = [];
  const send = (): void =>
    socket.send(JSON.stringify({ id: answers.length, ...questions[answers.length] }));
  try {
    return await new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${url} does not answer.`)), askMsMax);
      socket.addEventListener('close', () => {
        clearTimeout(late);
        reject(new Error(`${url} has gone.`));
      });
      socket.addEventListener('error', () => reject(new Error(`${url} is not there.`)));
      socket.addEventListener('open', send);
      socket.addEventListener('message', ({ data }) => {
        answers.push(JSON.parse(String(data)));
        if (answers.length < questions.length) return send();
        clearTimeout(late);
        resolve(answers);
      });
    });
  } finally {
    socket.close();
  }
}

/** The number of open handles. Undefined on a system that does not tell. */
async function openHandles(pid: number): Promise<number | undefined> {
  return readdir(`/proc/${pid}/fd`).then(
    (entries) => entries.length,
    () => undefined,
  );
}

/** Five minutes of samples. Shorter growth is only a process that has just been started. */
const samplesToJudge = 30;
const heapGrowthMax = 1.1;
/** The maximum growth outside of the heap: the pages of a store that fills. */
const residentGrowthMaxMebibytes = 64;

/** Compares the last third of a stretch without kills with the third before it. */
export function judgeMemory({ samples }: Pick<Memory, 'samples'>): Verdict {
  const agreements: string[] = [];
  const findings: string[] = [];
  for (const [name, stretch] of samples) {
    if (stretch.length < samplesToJudge) continue;
    const [, middle, last] = floorsOf(stretch, 'heapMebibytes');
    const [, residentMiddle, residentLast] = floorsOf(stretch, 'residentMebibytes');
    const heapGrowth = last / middle;
    const residentGrowth = residentLast - residentMiddle;
    const words =
      `its heap holds ${heapGrowth.toFixed(3)} in the last third of what it did in the middle ` +
      `one, and all of it ${residentGrowth.toFixed(0)} MiB more`;
    const isFlat = heapGrowth <= heapGrowthMax && residentGrowth <= residentGrowthMaxMebibytes;
    if (isFlat) agreements.push(`memory of ${name} is flat: ${words}`);
    else findings.push(`memory of ${name} grows: ${words}`);
  }
  return { agreements, findings };
}

type Measure = 'heapMebibytes' | 'residentMebibytes';

/**
 * The least memory of a process in each third of its samples, in MiB. After a collection a heap
 * holds kept data and data in use: the floor is the kept data. One sample in ten may lie below it.
 */
export function floorsOf(samples: readonly Sample[], measure: Measure): [number, number, number] {
  const third = Math.floor(samples.length / 3);
  const floor = (part: readonly Sample[]): number =>
    part.map((sample) => sample[measure]).toSorted((one, other) => one - other)[
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
