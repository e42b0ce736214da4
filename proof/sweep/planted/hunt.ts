import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWorkflows } from '../bundle';
import type { Complaint } from '../judge/judge';
import { type Product, startLane } from '../lane';
import { placeOf, playScene, type Scene } from '../scenes/scene';
import { type SceneName, scenes } from '../scenes/scenes';
import type { Bug } from './bugs';
import { plant } from './plant';

/** A scene that was played, and the judge's complaints about its order. */
export type Played = { place: string; complaints: readonly Complaint[] };

/** A bug and the results of its scenes. Without a bug: the product as it is. */
export type Hunted = { bug: Bug | undefined; played: readonly Played[]; seconds: number };

type Hunt = {
  root: string;
  /** The bugs to plant, each in a copy of its own. */
  bugs: readonly Bug[];
  /** The number of stacks that run side by side. */
  lanes: number;
  onHunted: (hunted: Hunted) => void;
};

/**
 * Plays the scenes of each bug in a copy that has it. The same scenes are played once without a bug
 * and must find nothing there. Leaves no process running.
 */
export async function hunt({ root, bugs, lanes, onHunted }: Hunt): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-planted-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const wanted: (Bug | undefined)[] = [undefined, ...bugs];
  const takeNext = async (): Promise<void> => {
    while (wanted.length > 0) {
      const bug = wanted.shift();
      const names = new Set((bug === undefined ? bugs : [bug]).flatMap((one) => one.scenes));
      const startedAtMs = Date.now();
      const product = await build(bug, { root, folder });
      const played = await playAll(product, [...names]);
      onHunted({ bug, played, seconds: Math.round((Date.now() - startedAtMs) / 1_000) });
    }
  };
  try {
    await Promise.all(Array.from({ length: lanes }, takeNext));
  } finally {
    process.off('exit', remove);
    remove();
  }
}

async function build(
  bug: Bug | undefined,
  { root, folder }: { root: string; folder: string },
): Promise<Product> {
  const own = mkdtempSync(join(folder, 'product-'));
  if (bug === undefined) return { root, bundle: await bundleWorkflows(root, own), folder: own };
  const planted = join(own, 'planted');
  plant(bug, { root, folder: planted });
  return { root: planted, bundle: await bundleWorkflows(planted, own), folder: own };
}

/** Plays scenes one after another. Scenes with the same options share a stack. */
async function playAll(product: Product, names: readonly SceneName[]): Promise<Played[]> {
  const wanted: Scene[] = names.map((name) => scenes[name]);
  const played: Played[] = [];
  for (const options of new Set(wanted.map(({ stack }) => stack))) {
    const alike = wanted.filter(({ stack }) => stack === options);
    const lane = await startLane(product, options);
    try {
      for (const scene of alike) {
        played.push({ place: placeOf(scene), complaints: await playScene(lane, scene) });
      }
    } finally {
      await lane.stop();
    }
  }
  return played;
}
