import type { Measure } from '../measure';
import { startToldStage } from './toldStage';
import { pay } from './transfers';

const settleTimesMs = [2_000, 5_000];

/**
 * Measures orders whose notices are all lost after some had arrived. One is under way then, and one
 * begins after it. Beside them is one that polls alone.
 */
export async function measureLost(rounds: number): Promise<Measure[]> {
  const stage = await startToldStage();
  try {
    const measures: Measure[] = [];
    for (const settleMs of settleTimesMs) {
      const [underWay, later, polling]: [number[], number[], number[]] = [[], [], []];
      for (let round = 1; round <= rounds; round++) {
        console.error(`notices: lost, settling in ${settleMs / 1_000} s, round ${round}`);
        await stage.use('told');
        for (let order = 0; order < 2; order++) await pay(stage, settleMs);
        await stage.use('polling');
        underWay.push((await pay(stage, settleMs)).ms);
        later.push((await pay(stage, settleMs)).ms);
        polling.push((await pay(stage, settleMs)).ms);
      }
      const bound = { name: 'polls alone', values: polling };
      const name = `notices lost, settling in ${settleMs / 1_000} s`;
      measures.push(
        { name: `${name}: under way then`, unit: 'ms', values: underWay, bound },
        { name: `${name}: begun later`, unit: 'ms', values: later, bound },
      );
    }
    return measures;
  } finally {
    await stage.stop();
  }
}
