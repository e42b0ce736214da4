import type { PayoutLine } from '../../src/orders/payout';
import { type AccountType, onCourse } from './batches/course';
import { type Batching, type Figures, pay, payUnderKills } from './batches/pay';
import { payByScript } from './batches/script';
import type { Bench, Goal, Measure } from './measure';
import { makeLines } from './payouts/makeLines';

/** Lines in a batch. The first are single transfers, with which the others are compared. */
const sizes: readonly Batching[] = [undefined, 25, 100, 200];
/** The hosted service accepts five writes a second, so single transfers take a while. */
const singlesMax = 150;
const types: readonly AccountType[] = ['EOA', 'SCA'];
const killedSize = 100;
const killCount = 24;
const wholeLines = 10_000;

const linesPerS = { EOA: { atLeast: 300 }, SCA: { atLeast: 100 } } as const;
const [events, actions, gas] = [{ atMost: 0.2 }, { atMost: 0.05 }, { atMost: 0.65 }];
/** Seconds for all lines. */
const whole = { atMost: 120 };

/** Payouts in batches on the sandbox's real chain, at the limits of the hosted service. */
export const benchBatches: Bench = async ({ rounds, lines, only, isEarly }) => {
  const measures: Measure[] = [];
  for (const type of types) {
    if (wants(only, type)) measures.push(...(await benchSizes(type, { rounds, lines, isEarly })));
  }
  for (const type of types) {
    if (wants(only, `${type}-killed`)) measures.push(...(await benchKilled(type, lines)));
  }
  return measures;
};

export const batchParts: readonly string[] = types.flatMap((type) => [type, `${type}-killed`]);

function wants(only: readonly string[], part: string): boolean {
  return only.length === 0 || only.includes(part);
}

type Rounds = { rounds: number; lines: number; isEarly: () => boolean };

async function benchSizes(type: AccountType, { rounds, lines, isEarly }: Rounds) {
  const found = new Map<Batching, Figures[]>(sizes.map((size) => [size, []]));
  const script: number[] = [];
  await onCourse(type, async (course) => {
    for (let round = 1; round <= rounds && isEarly(); round += 1) {
      for (const batching of sizes) {
        const count = batching === undefined ? Math.min(lines, singlesMax) : lines;
        const figures = await pay(course, { lines: linesOf(count), batching });
        tell(`${nameOf(type, batching)}, round ${round} of ${rounds}`, figures);
        if (figures.once !== count) throw new Error(`Of ${count} lines ${figures.once} are paid.`);
        found.get(batching)?.push(figures);
        if (batching !== killedSize) continue;
        // In the same round, so that a slow machine is slow for both.
        const rivalLines = linesOf(count);
        const seconds = await payByScript(course, { lines: rivalLines, linesMax: batching });
        console.error(`batches: a plain script, the same batches: ${seconds.toFixed(1)} s`);
        script.push(count / seconds);
      }
    }
  });
  return sizes
    .flatMap((batching) => measuresOf(type, { lines, batching, found }))
    .concat({
      name: `${nameOf(type, killedSize)}: lines`,
      unit: '/s',
      values: (found.get(killedSize) ?? []).map(({ linesPerS }) => linesPerS),
      bound: { name: 'plain script, the same batches', values: script },
    });
}

type Found = { lines: number; batching: Batching; found: ReadonlyMap<Batching, Figures[]> };

function measuresOf(type: AccountType, { lines, batching, found }: Found): Measure[] {
  const name = nameOf(type, batching);
  const of = (key: keyof Figures, size = batching): number[] =>
    (found.get(size) ?? []).map((figures) => figures[key]);
  const isJudged = batching === killedSize;
  const goal = (of: Goal) => (isJudged ? { goal: of } : {});
  const alone = { name: 'alone', values: of('gasPerLine', undefined) };
  const isWhole = isJudged && lines === wholeLines;
  return [
    { name: `${name}: lines`, unit: '/s', values: of('linesPerS'), ...goal(linesPerS[type]) },
    { name: `${name}: events a line`, unit: '', values: of('eventsPerLine'), ...goal(events) },
    { name: `${name}: actions a line`, unit: '', values: of('actionsPerLine'), ...goal(actions) },
    {
      name: `${name}: gas a line`,
      unit: '',
      values: of('gasPerLine'),
      ...(batching === undefined ? {} : { bound: alone, ...goal(gas) }),
    },
    ...(isWhole
      ? [{ name: `${name}: all lines`, unit: 's', values: of('seconds'), goal: whole }]
      : []),
  ];
}

/** Once: what is judged is each line, and not the speed. */
async function benchKilled(type: AccountType, count: number): Promise<Measure[]> {
  return onCourse(type, async (course) => {
    const lines = linesOf(count);
    const plan = { lines, batching: killedSize, kills: killCount, seed: count };
    const { kills, ...figures } = await payUnderKills(course, plan);
    const name = `${nameOf(type, killedSize)}, under kills`;
    const told = [...kills].map(([victim, times]) => `${victim} ${times}`).join(', ');
    tell(`${name} (${told})`, figures);
    const none = { atMost: 0 };
    return [
      { name: `${name}: lines paid once`, unit: '', values: [figures.once] },
      { name: `${name}: lines paid twice`, unit: '', values: [figures.twice], goal: none },
      { name: `${name}: lines lost`, unit: '', values: [figures.lost], goal: none },
      { name: `${name}: not ordered`, unit: '', values: [figures.otherwise], goal: none },
      { name: `${name}: time`, unit: 's', values: [figures.seconds] },
    ];
  });
}

/** Lines of so little that the faucet pays for all of them. */
function linesOf(count: number): PayoutLine[] {
  return makeLines(count).map((line) => ({ ...line, amount: '0.0001' }));
}

function nameOf(type: AccountType, batching: Batching): string {
  return batching === undefined ? `${type} alone` : `${type} in batches of ${batching}`;
}

/** Tells what the chain has logged. */
function tell(what: string, figures: Figures): void {
  const { once, twice, lost, otherwise, transactions, seconds, linesPerS } = figures;
  console.error(
    `batches: ${what}: ${once} lines paid once, ${twice} twice, ${lost} lost, ` +
      `${otherwise} not ordered, ${transactions} transactions, ${seconds.toFixed(1)} s, ` +
      `${linesPerS.toFixed(1)} lines/s`,
  );
}
