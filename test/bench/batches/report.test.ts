import { batchGoals } from '../../../bench/batches/report/goals';
import { batchTables } from '../../../bench/batches/report/tables';
import type { BatchColumn, BatchResults } from '../../../bench/batches/results';
import { figuresOf } from '../../../bench/batches/rounds';
import { showTable } from '../../../bench/measure';

const taken = { date: '2026-01-31', machine: '2 cores', command: 'npm run bench' };
const eoa = { accountType: 'EOA', wallets: 1, linesMax: 100, lines: 10_000 } as const;

function column(contender: string, paces: number[], gasPerLine = 30_000): BatchColumn {
  const rounds = paces.map((linesPerS) => ({
    linesPerS,
    seconds: eoa.lines / linesPerS,
    transactions: 100,
    gasPerLine,
    eventsPerLine: 0.3,
    actionsPerLine: 0.04,
    serverCpuMs: 1,
    workerCpuMs: 2,
  }));
  return { ...eoa, contender, rounds };
}

const columns = [
  column('Steadfast', [400, 300, 350]),
  column('DBOS on Postgres, same batches', [350, 310, 300]),
  column('plain script, same batches', [420, 410, 400]),
];
const { linesMax: _, ...alone } = eoa;
const results: BatchResults = {
  stub: { ...taken, columns, skipped: [] },
  chain: { ...taken, columns: columns.slice(0, 1), skipped: [] },
  gas: {
    ...taken,
    columns: [
      { ...alone, contender: 'Steadfast', rounds: column('', [4], 50_000).rounds },
      column('Steadfast', [400], 30_000),
    ],
  },
  'SCA-killed': {
    ...taken,
    rounds: [
      {
        ...eoa,
        accountType: 'SCA',
        wallets: 20,
        kills: { 'worker-1': 6, chain: 5 },
        once: 9_999,
        twice: 1,
        lost: 0,
        otherwise: 0,
        seconds: 100,
      },
    ],
  },
};

function judged(start: string, end: RegExp): string[] {
  const lines = showTable(batchGoals(results)).split('\n');
  return lines.filter((line) => line.startsWith(start) && end.test(line));
}

describe('the report of batches', () => {
  it('compares each goal with the rivals of the same rounds', () => {
    // 400/350, 300/310 and 350/300.
    expect(judged('lines/s, stub', /DBOS.*1\.14\s+≥ 1\s+yes$/)).toHaveLength(1);
    expect(judged('lines/s, stub', /script.*0\.88$/)).toHaveLength(1);
    expect(judged('lines/s, stub', /≥ 300\s+yes$/)).toHaveLength(1);
    expect(judged('events a line, stub', /≤ 0\.2\s+NO$/)).toHaveLength(1);
    expect(judged('actions a line, stub', /≤ 0\.05\s+yes$/)).toHaveLength(1);
    expect(judged('seconds, chain', /≤ 120\s+yes$/)).toHaveLength(1);
    expect(judged('gas a line', /0\.60\s+≤ 0\.65\s+yes$/)).toHaveLength(1);
    expect(judged('paid once under kills', /≥ 10000\s+NO$/)).toHaveLength(1);
  });

  it('leaves out what was not measured', () => {
    expect(showTable(batchGoals(results))).not.toMatch(/growth of the heap|chain.*DBOS/);
    expect(batchGoals({})).toEqual([]);
  });

  it('has a table for each part, with number and type of the wallets', () => {
    const tables = batchTables(results);
    expect(tables.match(/^### .+$/gm)).toEqual([
      '### Batches on the stub',
      "### Batches on the sandbox's real chain",
      '### Gas of a line on the real chain',
      '### Batches of SCA wallets under kills',
    ]);
    expect(tables).toContain('| 1 EOA wallet, 10000 lines in batches of 100 | Steadfast | 350.0 |');
    expect(tables).toContain(
      '| 20 SCA wallets, 10000 lines in batches of 100 | worker-1 6, chain 5',
    );
  });

  it('refuses a race that has lost a line', () => {
    const largest = { largestEvents: 1, largestBytes: 1, largestEventBytes: 1 };
    const history = { events: 40, bytes: 10, actions: 12, ...largest };
    const raced = {
      startedAtMs: 0,
      knownAtMs: { a: 2_000 },
      cpuS: { server: 1, worker: 1 },
      history,
    };
    const audit = { once: 10, twice: 0, lost: 0, otherwise: 0, transactions: 1 };
    expect(figuresOf(10, { raced, audit })).toMatchObject({ linesPerS: 5, eventsPerLine: 4 });
    const lost = { ...audit, once: 9, lost: 1 };
    expect(() => figuresOf(10, { raced, audit: lost })).toThrow('Of 10 lines 9 are paid once');
  });
});
