import type { Measure } from '../measure';
import { startToldStage } from './toldStage';
import { pay } from './transfers';

const ordersMin = 200;
const atATime = 4;
const settleMs = 2_000;

/** Measures how long after its transaction each of many single orders knows that it has settled. */
export async function measureSingles(rounds: number): Promise<Measure[]> {
  const stage = await startToldStage();
  try {
    await stage.use('told');
    for (let order = 0; order < 3; order++) await pay(stage, settleMs);
    const lags: number[] = [];
    let left = Math.max(ordersMin, rounds);
    const payer = async (): Promise<void> => {
      for (; left > 0; ) {
        left -= 1;
        lags.push((await pay(stage, settleMs)).lagMs);
        if (lags.length % 20 === 0) console.error(`notices: ${lags.length} single orders`);
      }
    };
    await Promise.all(Array.from({ length: atATime }, payer));
    lags.sort((one, other) => one - other);
    const at = (share: number): number => lags[Math.ceil(lags.length * share) - 1] ?? Number.NaN;
    const name = `settled to known, ${lags.length} single orders, ${atATime} at a time`;
    return [
      { name: `${name}: p50`, unit: 'ms', values: [at(0.5)], goal: { atMost: 100 } },
      { name: `${name}: p99`, unit: 'ms', values: [at(0.99)], goal: { atMost: 500 } },
    ];
  } finally {
    await stage.stop();
  }
}
