import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seeded } from '../../test/support/seeded';
import { audit, type Finding } from './audit';
import { nameOf } from './boundary';
import { bundleWorkflows } from './bundle';
import { type Flow, isAlone } from './flows/flow';
import { flows as allFlows, flowsNamed } from './flows/flows';
import { type Lane, type Product, startLane } from './lane';
import { planPairs, planWaves, shuffled, type Target, type Wave } from './plan';
import { type ProcessName, processNames } from './proxies/gate';
import { recordFlows, recordTwice } from './reference';
import { mark } from './stage';
import { type Outcome, placeOf, runWave, type WaveResult } from './wave';

export type SweepOptions = {
  /** Repeats the choice of waves, samples and pairs. */
  seed: number;
  /** The folder of the product that is swept. The default is this one. */
  root: string;
  /** Names of flows, or parts of several names. The default is all flows. */
  only?: readonly string[];
  /** Sweeps the flows that a receiver hears of, and kills it too. The others have no receiver. */
  isTold?: boolean;
  processes?: readonly ProcessName[];
  /** Names of boundaries, or parts of them, such as "createTransfer · between"; all by default. */
  at?: readonly string[];
  /** The number of boundaries, chosen by the seed. The default is all of them. */
  sample?: number;
  /** The number of waves in which two processes are killed at once. */
  pairs: number;
  /** The number of orders that are held for one kill. */
  ordersPerKill: number;
  /** The number of stacks that are swept side by side. */
  lanes: number;
  onProgress?: (progress: Progress) => void;
  /** Hears of each finding as soon as it is made. */
  onFinding?: (finding: Finding) => void;
};

export type Progress = { wavesDone: number; wavesAll: number; findings: number };

export type SweepResult = {
  /** Every boundary of every flow that was swept, and for which processes. */
  targets: readonly Target[];
  processes: readonly ProcessName[];
  outcomes: readonly Outcome[];
  findings: readonly Finding[];
  kills: number;
  /** The last lines of processes that ended or hung without a kill. */
  ended: readonly string[];
  seconds: number;
};

/** The number of tries for a boundary that orders miss. Some runs alone come by some of them. */
const triesMax = 12;

/**
 * Finds the boundaries of every flow by running it once, kills every process at every one of them,
 * and judges each order by the chain. Nothing is left running.
 */
export async function runSweep(options: SweepOptions): Promise<SweepResult> {
  const startedAtMs = Date.now();
  const { root } = options;
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-sweep-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    const bundle = await bundleWorkflows(root, folder);
    const sweep = newSweep(options, { root, bundle, folder });
    const first = await startStack(sweep);
    await planSweep(sweep, first).catch(async (error) => {
      await first.stop();
      throw error;
    });
    const others = Array.from({ length: options.lanes - 1 }, () => sweepLane(sweep));
    await Promise.all([sweepLane(sweep, first), ...others]);
    const { targets, processes, outcomes, findings, kills, ended } = sweep;
    const seconds = Math.round((Date.now() - startedAtMs) / 1000);
    return { targets, processes, outcomes, findings, kills, ended, seconds };
  } finally {
    process.off('exit', remove);
    remove();
  }
}

type Sweep = Omit<SweepResult, 'targets' | 'outcomes' | 'findings' | 'ended' | 'seconds'> & {
  product: Product;
  options: SweepOptions;
  flows: ReadonlyMap<string, Flow>;
  targets: Target[];
  waves: Wave[];
  wavesAll: number;
  tries: Map<string, number>;
  outcomes: Outcome[];
  findings: Finding[];
  ended: string[];
  /** The number of stacks that had to be replaced. */
  failures: number;
};

function newSweep(options: SweepOptions, product: Product): Sweep {
  const { only = [], isTold = false, processes = processNames } = options;
  return {
    product,
    options,
    flows: new Map([...flowsNamed(only)].filter(([, flow]) => (flow.isTold ?? false) === isTold)),
    processes: processes.filter((name) => isTold || name !== 'receiver'),
    targets: [],
    waves: [],
    wavesAll: 0,
    kills: 0,
    tries: new Map(),
    outcomes: [],
    findings: [],
    ended: [],
    failures: 0,
  };
}

/** Runs each flow once, and makes waves of the boundaries that it reached. */
async function planSweep(sweep: Sweep, lane: Lane): Promise<void> {
  const { options, flows, processes } = sweep;
  const random = seeded(options.seed);
  // A worker that has written before: what only its first write needs is behind it.
  await recordFlows(lane, allFlows.slice(0, 1));
  const { at = [''] } = options;
  const { targets: recorded, left } = await recordTwice(lane, [...flows.values()]);
  if (left > 0) sweep.ended.push(`Not every run comes by ${left} other boundaries of later polls.`);
  sweep.targets = recorded.filter(({ boundary }) =>
    at.some((part) => nameOf(boundary).includes(part)),
  );
  const { sample, ordersPerKill: size } = options;
  const mixed = shuffled(sweep.targets, random);
  const chosen = [...flows.values()].flatMap(({ name, sweptMax }) =>
    mixed.filter(({ flow }) => flow === name).slice(0, sweptMax),
  );
  sweep.targets = shuffled(chosen, random).slice(0, sample);
  const needsAll = ({ flow }: Target): boolean => isAlone(flows.get(flow) ?? { name: flow });
  const together = sweep.targets.filter((target) => !needsAll(target));
  const alone = sweep.targets.filter(needsAll);
  const singles = processes.flatMap((name) => [
    ...planWaves(together, { kills: [name], size, random }),
    ...planWaves(alone, { kills: [name], size: 1, random }),
  ]);
  const pairs = planPairs(together, { processes, count: options.pairs, size, random });
  sweep.waves.push(...shuffled(singles, random), ...pairs);
  sweep.wavesAll = sweep.waves.length;
}

/** The most stacks that are replaced in a whole sweep. */
const failuresMax = 5;

/** A chain gets slower with its height, and is rebuilt from its first block when it is lost. */
const wavesPerStack = 20;

/** Takes waves until there are none left, on one stack after another. */
async function sweepLane(sweep: Sweep, given?: Lane): Promise<void> {
  let lane = given ?? (await startStack(sweep));
  while (!(await takeWaves(sweep, lane))) lane = await startStack(sweep);
}

function startStack({ product, options }: Sweep): Promise<Lane> {
  return startLane(product, { hasReceiver: options.isTold === true });
}

/**
 * Plays waves on one stack. Returns true when none are left, and false when the stack is broken.
 */
async function takeWaves(sweep: Sweep, lane: Lane): Promise<boolean> {
  const results: WaveResult[] = [];
  let isWell = true;
  try {
    const marked = await mark(lane);
    while (isWell && results.length < wavesPerStack) {
      const wave = sweep.waves.shift();
      if (wave === undefined) break;
      try {
        const result = await runWave(lane, wave, sweep.flows);
        results.push(result);
        take(sweep, wave, result);
      } catch (error) {
        sweep.failures += 1;
        if (sweep.failures > failuresMax) throw error;
        sweep.waves.push(wave);
        sweep.ended.push(`A stack failed in a wave, which was run again on another: ${error}`);
        isWell = false;
      }
    }
    const { findings } = sweep;
    const found = await audit(marked, results, { bundle: sweep.product.bundle, findings });
    for (const finding of found) report(sweep, finding);
    return isWell && sweep.waves.length === 0;
  } finally {
    sweep.ended.push(...lane.ended);
    await lane.stop();
  }
}

/** Notes the outcomes of a wave. A missed boundary goes into another wave, a few times. */
function take(sweep: Sweep, wave: Wave, { outcomes }: WaveResult): void {
  const { tries, waves, options } = sweep;
  sweep.kills += 1;
  sweep.outcomes.push(...outcomes);
  const missed: Target[] = [];
  for (const outcome of outcomes) {
    const place = placeOf(outcome);
    for (const complaint of outcome.complaints) {
      report(sweep, { place, order: outcome.order, ...complaint });
    }
    if (outcome.crashed) continue;
    const count = (tries.get(place) ?? 0) + 1;
    tries.set(place, count);
    if (count < triesMax) missed.push(outcome.target);
    else
      sweep.findings.push({ place, order: outcome.order, fault: 'unreached', evidence: notHeld });
  }
  if (missed.length > 0) {
    // Not all together again: they may have disturbed each other.
    const halves = [missed.slice(0, missed.length / 2), missed.slice(missed.length / 2)];
    const again = halves.filter(({ length }) => length > 0);
    waves.push(...again.map((targets) => ({ kills: wave.kills, targets })));
    sweep.wavesAll += again.length;
  }
  const wavesDone = sweep.wavesAll - waves.length;
  const { length: findings } = sweep.findings;
  options.onProgress?.({ wavesDone, wavesAll: sweep.wavesAll, findings });
}

const notHeld = `No order of ${triesMax} has come by there.`;

function report(sweep: Sweep, finding: Finding): void {
  sweep.findings.push(finding);
  sweep.options.onFinding?.(finding);
}
