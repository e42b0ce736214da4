import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import pLimit from 'p-limit';
import type { Steadfast } from '../../src/client/client';
import type { CustodyApi } from '../../src/custody/endpoints';
import type { LyingService } from '../../test/support/service/lyingService';
import type { Mortal } from '../kill/mortal';
import type { MortalStack } from '../kill/processes';
import { temporalBackup } from '../kill/temporalBackup';
import type { Opening } from './books';
import type { ChainReader } from './chain';
import { type Running, startLoad } from './load';
import { type Memory, watchMemory } from './memory';
import type { Cast } from './order';
import { createFaults, type Faults } from './storm/faults';
import { killAgainAndAgain } from './storm/kills';
import { tellLies } from './storm/lies';
import { type Deeds, type OperatorOptions, operate } from './storm/operator';
import { changeWhileAway, type UpheavalOptions, type Upheavals, upheave } from './storm/upheavals';

export type SoakOptions = {
  minutes: number;
  seed: number;
  /** The number of orders that are open at a time. */
  atOnce: number;
  /** The number of wallets of each account type. */
  walletsEach: number;
  /** Says on the way how far it is. */
  tell: (line: string) => void;
};

/** Everything a soak needs before anything goes wrong. */
export type Scene = {
  stack: MortalStack;
  workers: readonly Mortal[];
  client: Client;
  custody: CustodyApi;
  /** The service as the workers see it. */
  lying: LyingService;
  steadfast: Steadfast;
  cast: Cast;
  chain: ChainReader;
  opening: Opening;
  /** The folder of the stack's state. */
  folder: string;
  /** The store of the workers, which keeps the receipts. */
  store: string;
  /** The variables of the workers, read at each start. */
  workerEnv: Record<string, string>;
  /** The URLs of the processes' inspectors, by the names of the processes. */
  inspectors: ReadonlyMap<string, string>;
};

/** The events of a soak. */
export type Played = {
  orders: readonly Running[];
  /** The number of kills of each process. */
  kills: ReadonlyMap<string, number>;
  upheavals: Upheavals;
  /** The number of hits of each kind of fault. */
  faults: Record<string, number>;
  /** The number of times that each kind of lie was told. */
  lies: Record<string, number>;
  deeds: Deeds;
  samples: Memory['samples'];
  /** The number of orders that had ended when everything began to heal. */
  endedInStorm: number;
  stormMs: number;
  healMs: number;
};

/** No look and no back-off takes longer, once nothing goes wrong any more. */
const quietMsMax = 6 * 60_000;
const countMs = 1_000;
const sampleMsMax = 10_000;
const stopMsMax = 20_000;
/** A short soak is looked at this often at least. */
const samplesMin = 12;

/** Orders under kills and faults, and then without, until all have ended. */
export async function play(scene: Scene, options: SoakOptions): Promise<Played> {
  const { stack } = scene;
  const { seed, tell } = options;
  const faults = createFaults(stack.controlUrl, seed);
  const memory = watchMemory(scene.inspectors);
  await faults.impose();
  const lies = tellLies({ service: scene.lying, custody: scene.custody, seed });
  tell('wallets are funded, 2 workers serve: orders, faults and kills begin');
  const startedAtMs = Date.now();
  const load = startLoad({ ...scene, ...options });
  let isHealed = false;
  const inTurn = pLimit(1);
  const operated = operate({
    ...scene,
    temporal: stack.temporal,
    inTurn,
    orders: load.orders,
    seed,
    isOver: () => isHealed,
  });
  const changing = {
    ...scene,
    load,
    seed,
    lies,
    controlUrl: stack.controlUrl,
    backup: temporalBackup(scene.folder),
  };
  const { kills, upheavals } = await storm({ scene, faults, memory, options, changing, inTurn });
  const stormMs = Date.now() - startedAtMs;
  const endedInStorm = [...load.orders.values()].filter(({ end }) => end !== undefined).length;
  tell(`${load.orders.size} orders were started, ${endedInStorm} have ended: everything heals`);
  await Promise.all([faults.lift(), lies.stop(), setClocksRight(scene)]);
  await load.finish(quietMsMax);
  const healMs = Date.now() - startedAtMs - stormMs;
  isHealed = true;
  const deeds = await operated;
  const orders = [...load.orders.values()];
  const { samples } = memory;
  const told = { kills, upheavals, faults: faults.hits(), lies: lies.told(), deeds };
  return { orders, ...told, samples, endedInStorm, stormMs, healMs };
}

/** To workers whose clocks are hours ahead, every block is too old to prove anything. */
async function setClocksRight({ workers, workerEnv }: Scene): Promise<void> {
  workerEnv.PROOF_CLOCK_SHIFT_MS = '0';
  await Promise.all(
    workers.map(async (worker) => {
      await worker.stop(stopMsMax);
      await worker.start();
    }),
  );
}

type Storm = {
  scene: Scene;
  faults: Faults;
  memory: Memory;
  options: SoakOptions;
  changing: UpheavalOptions;
  inTurn: OperatorOptions['inTurn'];
};

/**
 * Kills for as long as the soak is to last. Workers and sandbox are spared from half-time on, so
 * that it can be seen what they hold in memory.
 */
async function storm({
  scene,
  faults,
  memory,
  options,
  changing,
  inTurn,
}: Storm): Promise<Pick<Played, 'kills' | 'upheavals'>> {
  const { workers, stack } = scene;
  const { temporal, chain, sandbox } = stack;
  const lastsMs = options.minutes * 60_000;
  const startedAtMs = Date.now();
  const pastMs = (): number => Date.now() - startedAtMs;
  let isOver = false;
  const ticking = [
    again(() => faults.count(), countMs),
    again(() => memory.sample(), Math.min(sampleMsMax, lastsMs / samplesMin)),
  ];
  async function again(act: () => Promise<void>, everyMs: number): Promise<void> {
    while (!isOver) {
      await act();
      await sleep(everyMs);
    }
  }
  const mayKillWorkers = (): boolean => pastMs() < lastsMs / 2;
  const { whileAway, restored } = changeWhileAway(changing, { workers, mayKillWorkers });
  const upheaved = upheave(changing, () => isOver);
  const isSandbox = (victim: Mortal): boolean => victim === sandbox;
  const kills = await killAgainAndAgain({
    seed: options.seed,
    inTurn,
    victims: () => (mayKillWorkers() ? [...workers, sandbox, temporal, chain] : [temporal, chain]),
    isOver: () => pastMs() >= lastsMs,
    // A sandbox forgets its faults and their count when it ends.
    before: async (victim) => (isSandbox(victim) ? faults.count() : undefined),
    after: async (victim) => {
      if (isSandbox(victim)) await faults.impose();
      // A restored database has stopped them.
      if (victim === temporal) await Promise.all(workers.map((worker) => worker.start()));
    },
    whileAway,
  });
  isOver = true;
  await Promise.all(ticking);
  await faults.count();
  return { kills, upheavals: { ...(await upheaved), restored: restored() } };
}
