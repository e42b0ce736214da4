import { showTable } from '../../../bench/measure';
import type { Figures } from '../../../bench/payouts/judge';
import { goalsOf } from '../../../bench/payouts/report/goals';
import { plotOf } from '../../../bench/payouts/report/plot';
import { tablesOf } from '../../../bench/payouts/report/tables';
import type { Results } from '../../../bench/payouts/results';

const taken = { date: '2026-01-31', machine: '2 cores <of some kind>', command: 'npm run bench' };

function figures(linesPerS: number, eventsPerLine = 4): Figures {
  return {
    linesPerS,
    eventsPerLine,
    actionsPerLine: 1.2,
    bytesPerLine: 900,
    largestEvents: 3_000,
    submitToKnownMs: { p50: 1_500, p99: 2_000 },
    lagMs: { p50: 500, p99: 1_000 },
    serverCpuMs: 5,
    workerCpuMs: 3,
  };
}

function column(contender: string, paces: number[]) {
  const way = { window: 200, method: 'some' };
  return { contender, open: 200, way, lines: 1_000, rounds: paces.map((pace) => figures(pace)) };
}

const results: Results = {
  columns: {
    ...taken,
    columns: [
      column('one Temporal workflow per transfer', [30, 20, 40]),
      column('Steadfast', [100, 110, 130]),
      { ...column('plain script', []), failed: 'The race took longer than 300 s.' },
    ],
    skipped: [{ contender: 'DBOS on Postgres', why: 'initdb and postgres are not on PATH' }],
  },
  growth: {
    ...taken,
    sizes: [
      { lines: 1_000, rounds: [figures(100)] },
      { lines: 10_000, rounds: [figures(80)] },
    ],
  },
  policy: {
    ...taken,
    courses: [
      {
        limit: 'hosted',
        lines: 300,
        plain: [figures(4), figures(5)],
        limited: [figures(4), figures(4.4)],
      },
      { limit: 'off', lines: 3_000, plain: [figures(200)], limited: [figures(90)] },
    ],
  },
  killed: {
    ...taken,
    lines: 10_000,
    rounds: [
      {
        once: 9_998,
        twice: 1,
        lost: 1,
        otherwise: 0,
        seconds: 100,
        linesPerS: 100,
        kills: { 'worker-1': 3, temporal: 2 },
        largestEvents: 2_000,
        largestBytes: 1_048_576,
        largestEventBytes: 102_400,
        memory: {
          peakMebibytes: 400,
          finalMebibytes: 350,
          heapMebibytes: { middle: 100, end: 120 },
          residentMebibytes: { middle: 340, end: 345 },
        },
      },
    ],
  },
  single: { ...taken, times: [{ settleMs: 5_000, steadfastMs: [6_000], scriptMs: [5_500] }] },
};

/** The lines of the table of goals, by their names. */
function judged(name: string): string | undefined {
  return showTable(goalsOf(results))
    .split('\n')
    .find((line) => line.startsWith(name));
}

describe('the report of payouts', () => {
  it('holds each goal against the round in which both were measured', () => {
    // 100/30, 110/20 and 130/40: the middle of them is below 4.
    expect(judged('lines, 200 open')).toMatch(/3\.33\s+≥ 4\s+NO$/);
    expect(judged('events a line, 200 open')).toMatch(/≤ 5\s+yes$/);
    expect(judged('lines, 10000 in one payout')).toMatch(/0\.80\s+≥ 0\.85\s+NO$/);
    expect(judged('one transfer, settling in 5 s')).toMatch(/1\.09\s+≤ 1\.1\s+yes$/);
    expect(judged('lines with a policy, at the hosted limits')).toMatch(/0\.94\s+≥ 0\.95\s+NO$/);
    expect(judged('lines with a policy, without limits')).toMatch(/0\.45$/);
    expect(judged('lines paid twice, under kills')).toMatch(/≤ 0\s+NO$/);
    expect(judged('bytes of the largest history, under kills')).toMatch(/≤ 4194304\s+yes$/);
    expect(judged('growth of the heap, under kills')).toMatch(/≤ 1\.1\s+NO$/);
  });

  it('leaves out the goals of what was not measured', () => {
    expect(showTable(goalsOf(results))).not.toMatch(/DBOS|SCA|429|lag|1000 open/);
    expect(goalsOf({})).toEqual([]);
  });

  it('has a table for each part, with who was skipped and what has failed', () => {
    const tables = tablesOf(results);
    expect(tables.match(/^### .+$/gm)).toEqual([
      '### Four ways to pay the same lines',
      '### Growth',
      '### With a policy',
      '### Killed on the way',
      '### One transfer',
    ]);
    expect(tables).toContain('| 200 | Steadfast | 200, some | 1000 | 110 |');
    expect(tables).toContain(
      '| 10000 | worker-1 3, temporal 2 | 9998 | 1 | 1 | 0 | 100 | 2000 | 1024 | 100 | 400 |',
    );
    expect(tables).toContain('| off | 3000 | with | 90 |');
    expect(tables).toContain('DBOS on Postgres was skipped: initdb and postgres are not on PATH.');
    expect(tables).toContain('plain script (failed: The race took longer than 300 s.)');
  });

  it('draws a bar for each column that was measured', () => {
    const plot = plotOf(results) ?? '';
    // The page, a bar and a mark in the legend for each of the two.
    expect(plot.match(/<rect /g)).toHaveLength(1 + 2 + 2);
    expect(plot).toContain('>110</text>');
    expect(plot).toContain('&lt;of some kind>');
    expect(plotOf({})).toBeUndefined();
  });
});
