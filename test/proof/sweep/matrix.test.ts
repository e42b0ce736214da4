import { isClean, rowsOf, showResult, totalOf } from '../../../proof/sweep/matrix';
import type { Target } from '../../../proof/sweep/plan';
import type { SweepResult } from '../../../proof/sweep/runSweep';
import type { Outcome } from '../../../proof/sweep/wave';

const targets: Target[] = ['before', 'after'].map((point) => ({
  flow: 'pay',
  boundary: { call: 'send', nth: 1, point: point === 'before' ? 'before' : 'after', atMs: 0 },
}));

function outcomesOf(kills: Outcome['kills'], crashed = true): Outcome[] {
  return targets.map((target, index) => ({
    target,
    kills,
    crashed,
    order: `${kills.join()}-${index}`,
    complaints: [],
  }));
}

function resultOf(change: Partial<SweepResult>): SweepResult {
  return {
    targets,
    processes: ['worker', 'chain'],
    findings: [],
    ended: [],
    kills: 2,
    seconds: 61,
    outcomes: [...outcomesOf(['worker']), ...outcomesOf(['chain'])],
    ...change,
  };
}

describe('the matrix', () => {
  test('has a row for each flow and process, and is clean when all were crashed', () => {
    const rows = rowsOf(resultOf({}));
    expect(rows.map(({ flow, killed, crashed }) => [flow, killed, crashed])).toEqual([
      ['pay', 'worker', 2],
      ['pay', 'chain', 2],
    ]);
    expect(totalOf(rows)).toMatchObject({ boundaries: 4, crashed: 4, duplicates: 0 });
    expect(isClean(resultOf({}))).toBe(true);
  });

  test('is not clean when one boundary was not crashed', () => {
    const outcomes = [...outcomesOf(['worker']), ...outcomesOf(['chain'], false)];
    expect(isClean(resultOf({ outcomes }))).toBe(false);
    expect(isClean(resultOf({ outcomes: outcomesOf(['worker']) }))).toBe(false);
    expect(isClean(resultOf({ targets: [], outcomes: [] }))).toBe(false);
  });

  test('counts a boundary that was missed and crashed later as crashed, once', () => {
    const result = resultOf({
      outcomes: [
        ...outcomesOf(['worker'], false),
        ...outcomesOf(['worker']),
        ...outcomesOf(['chain']),
      ],
    });
    expect(totalOf(rowsOf(result)).crashed).toBe(4);
    expect(isClean(result)).toBe(true);
  });

  test('counts what was found where it was found, pairs by themselves', () => {
    const outcomes = [...resultOf({}).outcomes, ...outcomesOf(['worker', 'chain'])];
    const place = 'pay · send · before · worker and chain killed';
    const findings = ['worker,chain-0', 'worker,chain-1'].map((order) => ({
      place,
      fault: 'duplicate' as const,
      order,
      evidence: 'Two logs.',
    }));
    const result = resultOf({ outcomes, findings });
    expect(rowsOf(result).map(({ killed, duplicates }) => [killed, duplicates])).toEqual([
      ['worker', 0],
      ['chain', 0],
      ['worker + chain', 2],
    ]);
    expect(isClean(result)).toBe(false);
    expect(showResult(result)).toContain(`duplicate: ${place} (order worker,chain-0)`);
    expect(showResult(result)).toContain('2 kills, 6 orders, 2 findings, in 1 min 1 s');
  });
});
