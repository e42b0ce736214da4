import { setTimeout as sleep } from 'node:timers/promises';
import {
  floorsOf,
  inspected,
  inspectorIn,
  type Sample,
  watchMemory,
} from '../../../proof/soak/memory';
import type { PartOptions } from '../../parts';
import { raceOn, startGround } from '../../payouts/steadfast';
import { startStub } from '../arena';
import type { Course, Large } from '../results';
import { linesOf } from '../rounds';

const lines = 100_000;
const linesMax = 100;
const sampleMs = 5_000;

/** Pays 100,000 lines in one payout on the stub, at the hosted limits, and watches the worker. */
export async function measureLarge({ tell }: PartOptions): Promise<{ rounds: Large[] }> {
  tell(`${lines} lines`);
  const course: Course = { accountType: 'EOA', wallets: 1, linesMax, lines };
  const arena = await startStub();
  const inspectors = new Map<string, string>();
  const ground = await startGround(arena, {
    env: { CHAIN_RPC_URL: arena.rpcUrl, ...inspected },
    onLine: (line) => {
      const url = inspectorIn(line);
      if (url !== undefined) inspectors.set('worker', url);
    },
  });
  try {
    const payers = await arena.payersOf(course.accountType, course.wallets);
    const terms = { wallets: payers.map(({ id }) => id), batch: { linesMax } };
    const ordered = linesOf(lines);
    const memory = watchMemory(inspectors);
    const over = new AbortController();
    const [{ audit, ...raced }] = await Promise.all([
      arena
        .audited({ lines: ordered, payers }, () => raceOn(ground, terms, ordered))
        .finally(() => over.abort()),
      sampleUntil(over.signal, memory.sample),
    ]);
    const { once, twice, lost } = audit;
    const { knownAtMs, startedAtMs, history } = raced;
    const endedAtMs = Object.values(knownAtMs).reduce((one, other) => Math.max(one, other), 0);
    const seconds = (endedAtMs - startedAtMs) / 1_000;
    const large: Large = {
      ...course,
      once,
      twice,
      lost,
      seconds,
      linesPerS: lines / seconds,
      largestEvents: history?.largestEvents ?? Number.NaN,
      largestBytes: history?.largestBytes ?? Number.NaN,
      ...memoryOf(memory.samples.get('worker') ?? []),
    };
    tell(JSON.stringify(large));
    return { rounds: [large] };
  } finally {
    await ground.leave();
    await arena.leave();
  }
}

async function sampleUntil(over: AbortSignal, sample: () => Promise<void>): Promise<void> {
  while (!over.aborted) {
    await sample();
    await sleep(sampleMs);
  }
}

/** The memory that remains after a collection: the minimum in each third of the time. */
function memoryOf(samples: readonly Sample[]): Pick<Large, 'heapMebibytes' | 'residentMebibytes'> {
  const [, middle, end] = floorsOf(samples, 'heapMebibytes');
  const [, residentMiddle, residentEnd] = floorsOf(samples, 'residentMebibytes');
  return {
    heapMebibytes: { middle, end },
    residentMebibytes: { middle: residentMiddle, end: residentEnd },
  };
}
