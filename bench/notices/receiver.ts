import { readFileSync } from 'node:fs';
import { type Post, type Stage, startStage } from '../../proof/hostile/stage';
import type { Measure } from '../measure';

const orders = 1_000;
const noticesEach = 2_000;
const atATime = 48;
/** Linux counts a process's time in hundredths of a second. */
const tickMs = 10;

/** Measures how many notices a receiver verifies and hands on, by the clock and by the processor. */
export async function measureReceiver(rounds: number): Promise<Measure[]> {
  const stage = await startStage(orders);
  try {
    await sendAll(stage, make(stage.notice, 200));
    const [perS, perCoreS, forgedPerCoreS]: number[][] = [[], [], []];
    for (let round = 1; round <= rounds; round++) {
      console.error(`notices: receiver, round ${round} of ${rounds}`);
      const genuine = await timed(stage, make(stage.notice, noticesEach));
      perS?.push(noticesEach / genuine.seconds);
      perCoreS?.push(noticesEach / genuine.coreSeconds);
      const forged = await timed(stage, make(stage.forged, noticesEach));
      forgedPerCoreS?.push(noticesEach / forged.coreSeconds);
    }
    return [
      { name: 'notices verified and handed on', unit: '/s', values: perS ?? [] },
      {
        name: 'the same, for each second of a core',
        unit: '/s',
        values: perCoreS ?? [],
        goal: { atLeast: 500 },
      },
      {
        name: 'forged notices refused, for each second of a core',
        unit: '/s',
        values: forgedPerCoreS ?? [],
      },
    ];
  } finally {
    await stage.stop();
  }
}

function make(one: (order: number) => Post, count: number): Post[] {
  return Array.from({ length: count }, (_, order) => one(order % orders));
}

async function timed(stage: Stage, posts: readonly Post[]) {
  const [startedMs, busyMs] = [performance.now(), processorMs(stage.receiver.pid)];
  await sendAll(stage, posts);
  return {
    seconds: (performance.now() - startedMs) / 1_000,
    coreSeconds: (processorMs(stage.receiver.pid) - busyMs) / 1_000,
  };
}

async function sendAll(stage: Stage, posts: readonly Post[]): Promise<void> {
  const left = [...posts];
  const sender = async (): Promise<void> => {
    for (let post = left.pop(); post !== undefined; post = left.pop()) {
      const status = await stage.send(post);
      if (status !== 200 && status !== 401) throw new Error(`A notice was answered ${status}.`);
    }
  };
  await Promise.all(Array.from({ length: atATime }, sender));
}

/** Time on a processor, of a process and its children. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const own = (Number(fields[11]) + Number(fields[12])) * tickMs;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return children
    .filter(Boolean)
    .map(Number)
    .reduce((sum, child) => sum + processorMs(child), own);
}
