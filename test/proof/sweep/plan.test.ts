import { isSame, nameOf } from '../../../proof/sweep/boundary';
import { planPairs, planWaves, shuffled, type Target } from '../../../proof/sweep/plan';
import { seeded } from '../../support/seeded';

function target(call: string, atMs: number): Target {
  return { flow: 'pay', boundary: { call, nth: 1, point: 'before', atMs } };
}

const targets = Array.from({ length: 25 }, (_, index) => target(`call ${index}`, index * 400));

describe('a boundary', () => {
  test('is named by its call, by which of them it is, and by its point', () => {
    const boundary = { call: 'service createTransfer', nth: 1, point: 'between' } as const;
    expect(nameOf(boundary)).toBe('service createTransfer · between');
    expect(nameOf({ ...boundary, nth: 2 })).toBe('service createTransfer (2) · between');
    expect(isSame(boundary, { ...boundary })).toBe(true);
    expect(isSame(boundary, { ...boundary, nth: 2 })).toBe(false);
    expect(isSame(boundary, { ...boundary, point: 'after' })).toBe(false);
  });
});

describe('waves', () => {
  const waves = planWaves(targets, { kills: ['worker'], size: 8, random: seeded(7) });

  test('hold every boundary once', () => {
    expect(waves.map(({ targets }) => targets.length)).toEqual([8, 8, 8, 1]);
    expect(new Set(waves.flatMap(({ targets }) => targets))).toEqual(new Set(targets));
  });

  test('have in them what is reached after about as long', () => {
    for (const wave of waves) {
      const times = wave.targets.map(({ boundary }) => boundary.atMs);
      expect(Math.max(...times) - Math.min(...times)).toBeLessThanOrEqual(8 * 400);
    }
  });

  test('are the same for the same seed', () => {
    const again = planWaves(targets, { kills: ['worker'], size: 8, random: seeded(7) });
    expect(again).toEqual(waves);
    const numbers = targets.map((_, index) => index);
    expect(shuffled(numbers, seeded(7))).toEqual(shuffled(numbers, seeded(7)));
    expect(shuffled(numbers, seeded(7))).not.toEqual(shuffled(numbers, seeded(8)));
  });
});

describe('waves in which two are killed', () => {
  const processes = ['worker', 'sandbox', 'chain', 'temporal'] as const;

  test('take each pair in turn', () => {
    const waves = planPairs(targets, { processes, count: 6, size: 4, random: seeded(7) });
    expect(new Set(waves.map(({ kills }) => kills.join(' and '))).size).toBe(6);
    for (const wave of waves) {
      expect(new Set(wave.kills).size).toBe(2);
      expect(new Set(wave.targets).size).toBe(4);
    }
  });

  test('are none where there is no boundary', () => {
    expect(planPairs([], { processes, count: 6, size: 4, random: seeded(7) })).toEqual([]);
  });
});
