import type { Goal, Measure } from '../../measure';
import type { BatchColumn, BatchFigures, BatchResults, KilledBatches, Large } from '../results';
import { dbos, script } from '../rivals/rivals';
import { nameOf } from '../rounds';
import { steadfast } from '../steadfast';

const judgedSize = 100;
const wholeLines = 10_000;
const least = { EOA: 300, SCA: 100 };
const most = { events: 0.2, actions: 0.05, seconds: 120, gas: 0.65, heapGrowth: 1.1 };
const likeDbos = { atLeast: 1 };

/** The goals of batches, each with its measured values and its bound. */
export function batchGoals(results: BatchResults): Measure[] {
  return [
    ...speedGoals('stub', results.stub?.columns ?? []),
    ...speedGoals('chain', results.chain?.columns ?? []),
    ...gasGoals(results.gas?.columns ?? []),
    ...(results.large?.rounds ?? []).flatMap(largeGoals),
    ...[results['EOA-killed'], results['SCA-killed']].flatMap((part) =>
      killedGoals(part?.rounds ?? []),
    ),
  ].filter(({ values, bound }) => values.length > 0 && bound?.values.length !== 0);
}

function speedGoals(place: string, columns: readonly BatchColumn[]): Measure[] {
  const own = columns.filter((one) => one.contender === steadfast.name);
  return own.flatMap((column) => {
    const { accountType, linesMax, lines } = column;
    if (linesMax !== judgedSize) return againstDbos(place, column, columns);
    const value = (name: string, pick: Pick, goal: Goal): Measure => ({
      name: `${name}, ${place}, ${nameOf(column)}`,
      unit: '',
      values: valuesOf(column, pick),
      goal,
    });
    const isWhole = place === 'chain' && accountType === 'EOA' && lines === wholeLines;
    const isPaced = place === 'stub' || accountType === 'SCA';
    return [
      ...(isPaced
        ? [value('lines/s', (one) => one.linesPerS, { atLeast: least[accountType] })]
        : []),
      ...(isWhole ? [value('seconds', (one) => one.seconds, { atMost: most.seconds })] : []),
      // A smart account's batches are smaller: its part is shared by all wallets.
      ...(accountType === 'EOA'
        ? [
            value('events a line', (one) => one.eventsPerLine, { atMost: most.events }),
            value('actions a line', (one) => one.actionsPerLine, { atMost: most.actions }),
          ]
        : []),
      ...againstDbos(place, column, columns),
    ];
  });
}

/** The pace beside the rivals in the same rounds. The script has no goal: it survives nothing. */
function againstDbos(
  place: string,
  column: BatchColumn,
  columns: readonly BatchColumn[],
): Measure[] {
  const pace = (one: BatchFigures) => one.linesPerS;
  return [dbos, script].map(({ name }) => ({
    name: `lines/s, ${place}, ${nameOf(column)}`,
    unit: '',
    values: valuesOf(column, pace),
    bound: { name, values: valuesOf(like(column, columns, name), pace) },
    ...(name === dbos.name ? { goal: likeDbos } : {}),
  }));
}

function like(
  { accountType, wallets, linesMax }: BatchColumn,
  columns: readonly BatchColumn[],
  contender: string,
): BatchColumn | undefined {
  return columns.find(
    (one) =>
      one.contender === contender &&
      one.accountType === accountType &&
      one.wallets === wallets &&
      one.linesMax === linesMax,
  );
}

function gasGoals(columns: readonly BatchColumn[]): Measure[] {
  const gas = (one: BatchFigures) => one.gasPerLine;
  return columns.flatMap((column) => {
    const { accountType, linesMax } = column;
    const alone = columns.find(
      (one) => one.accountType === accountType && one.linesMax === undefined,
    );
    if (linesMax === undefined) return [];
    const isJudged = linesMax === judgedSize;
    return {
      name: `gas a line, ${nameOf(column)}`,
      unit: '',
      values: valuesOf(column, gas),
      bound: { name: 'one by one', values: valuesOf(alone, gas) },
      ...(isJudged ? { goal: { atMost: most.gas } } : {}),
    };
  });
}

function largeGoals(large: Large): Measure[] {
  const { once, twice, lost, lines, heapMebibytes } = large;
  const name = nameOf(large);
  const growth = heapMebibytes.end / heapMebibytes.middle;
  return [
    { name: `paid once, ${name}`, unit: '', values: [once], goal: { atLeast: lines } },
    { name: `paid twice or lost, ${name}`, unit: '', values: [twice + lost], goal: { atMost: 0 } },
    { name: `growth of the heap, ${name}`, unit: '', values: [growth], goal: mostGrowth },
  ];
}

const mostGrowth = { atMost: most.heapGrowth };

function killedGoals(rounds: readonly KilledBatches[]): Measure[] {
  return rounds.flatMap((killed) => {
    const { lines, once, twice, lost, otherwise } = killed;
    const name = `under kills, ${nameOf(killed)}`;
    const wrong = twice + lost + otherwise;
    return [
      { name: `paid once ${name}`, unit: '', values: [once], goal: { atLeast: lines } },
      {
        name: `twice, lost, or not ordered ${name}`,
        unit: '',
        values: [wrong],
        goal: { atMost: 0 },
      },
    ];
  });
}

type Pick = (figures: BatchFigures) => number | undefined;

function valuesOf(column: BatchColumn | undefined, pick: Pick): number[] {
  return column?.rounds.flatMap((one) => pick(one) ?? []) ?? [];
}
