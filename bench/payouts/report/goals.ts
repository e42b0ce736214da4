import type { Measure } from '../../measure';
import type { Figures } from '../judge';
import type { Column, Killed, Results } from '../results';
import { dbos } from '../rivals/dbos';
import { oneEach } from '../rivals/oneEach';
import { steadfast } from '../steadfast';

/** The goals of payouts, each with its measured values and its bound. */
export function goalsOf(results: Results): Measure[] {
  return [
    ...columnGoals(results.columns?.columns ?? []),
    ...growthGoals(results.growth),
    ...lagGoals(results.lag),
    ...hostedGoals(results.hosted),
    ...scaGoals(results.sca),
    ...policyGoals(results.policy),
    ...killedGoals(results.killed),
    ...singleGoals(results.single),
  ].filter(({ values, bound }) => values.length > 0 && bound?.values.length !== 0);
}

const least = { 200: { oneEach: 4, dbos: 1 }, 1000: { oneEach: 7, dbos: 1.25 } };
const eoaCosts = { eventsPerLine: 5, actionsPerLine: 1.5 };
const scaCosts = { eventsPerLine: 10, actionsPerLine: 4 };

function columnGoals(columns: readonly Column[]): Measure[] {
  const of = (name: string, open: number): Figures[] =>
    columns.find((one) => one.contender === name && one.open === open)?.rounds ?? [];
  const perS = (name: string, open: number) => of(name, open).map((one) => one.linesPerS);
  return Object.entries(least).flatMap(([level, ratios]) => {
    const open = Number(level);
    const pace = { name: `lines, ${open} open`, unit: '/s', values: perS(steadfast.name, open) };
    const against = (name: string, atLeast: number): Measure => ({
      ...pace,
      bound: { name, values: perS(name, open) },
      goal: { atLeast },
    });
    return [
      against(oneEach.name, ratios.oneEach),
      against(dbos.name, ratios.dbos),
      ...costGoals(`${open} open`, of(steadfast.name, open), eoaCosts),
    ];
  });
}

function costGoals(where: string, rounds: readonly Figures[], most: typeof eoaCosts): Measure[] {
  const values = (pick: (one: Figures) => number | undefined) =>
    rounds.flatMap((one) => pick(one) ?? []);
  return [
    {
      name: `events a line, ${where}`,
      unit: '',
      goal: { atMost: most.eventsPerLine },
      values: values((one) => one.eventsPerLine),
    },
    {
      name: `actions a line, ${where}`,
      unit: '',
      goal: { atMost: most.actionsPerLine },
      values: values((one) => one.actionsPerLine),
    },
  ];
}

const growthLeast = 0.85;

function growthGoals(growth: Results['growth']): Measure[] {
  const [small, large] = [growth?.sizes[0], growth?.sizes.at(-1)];
  if (small === undefined || large === undefined || small === large) return [];
  const perS = ({ rounds }: typeof small) => rounds.map((one) => one.linesPerS);
  return [
    {
      name: `lines, ${large.lines} in one payout`,
      unit: '/s',
      values: perS(large),
      bound: { name: `${small.lines} lines`, values: perS(small) },
      goal: { atLeast: growthLeast },
    },
  ];
}

const lagMostMs = 1_000;
const lagMostShare = 0.2;
/** Up to this settle time the lag is compared with a second, beyond it with the settle time. */
const shortSettleMs = 2_000;

function lagGoals(lag: Results['lag']): Measure[] {
  return (lag?.times ?? []).map(({ settleMs, rounds }) => ({
    name: `lag p50, settling in ${settleMs / 1_000} s`,
    unit: 'ms',
    values: rounds.map((one) => one.lagMs.p50),
    goal: { atMost: settleMs <= shortSettleMs ? lagMostMs : settleMs * lagMostShare },
  }));
}

const hostedWritesPerS = 5;
const hostedLeast = 0.95;

function hostedGoals(hosted: Results['hosted']): Measure[] {
  const rounds = hosted?.rounds ?? [];
  const allowed = { name: 'allowed', values: rounds.map(() => hostedWritesPerS) };
  return [
    {
      name: 'writes at the hosted limits',
      unit: '/s',
      bound: allowed,
      values: rounds.map((one) => one.writesPerS),
      goal: { atLeast: hostedLeast },
    },
    {
      name: '429s at the hosted limits, when steady',
      unit: '',
      goal: { atMost: 0 },
      values: rounds.map((one) => one.refusedWrites + one.refusedReads),
    },
    ...costGoals('at the hosted limits', rounds, eoaCosts),
  ];
}

function scaGoals(sca: Results['sca']): Measure[] {
  return costGoals(`${sca?.wallets} SCA wallets`, sca?.rounds ?? [], scaCosts);
}

/** A policy may cost a twentieth of the pace at the hosted limits. */
const limitedLeast = 0.95;

function policyGoals(policy: Results['policy']): Measure[] {
  const perS = (rounds: readonly Figures[]) => rounds.map((one) => one.linesPerS);
  return (policy?.courses ?? []).map(({ limit, plain, limited }) => ({
    name: `lines with a policy, ${limit === 'hosted' ? 'at the hosted limits' : 'without limits'}`,
    unit: '/s',
    values: perS(limited),
    bound: { name: 'without a policy', values: perS(plain) },
    ...(limit === 'hosted' ? { goal: { atLeast: limitedLeast } } : {}),
  }));
}

const mebibyte = 1_048_576;
const killedMost = {
  events: 4_096,
  historyBytes: 4 * mebibyte,
  eventBytes: mebibyte / 2,
  heapGrowth: 1.1,
};

function killedGoals(killed: Results['killed']): Measure[] {
  const goal = (name: string, atMost: number, value: (one: Killed) => number): Measure => ({
    name: `${name}, under kills`,
    unit: '',
    goal: { atMost },
    values: (killed?.rounds ?? []).map(value),
  });
  const { events, historyBytes, eventBytes, heapGrowth } = killedMost;
  return [
    goal('lines paid twice', 0, (one) => one.twice),
    goal('lines lost', 0, (one) => one.lost),
    goal('transfers nobody ordered', 0, (one) => one.otherwise),
    goal('events of the longest history', events, (one) => one.largestEvents),
    goal('bytes of the largest history', historyBytes, (one) => one.largestBytes),
    goal('bytes of the largest event', eventBytes, (one) => one.largestEventBytes),
    goal('growth of the heap', heapGrowth, ({ memory: { heapMebibytes: heap } }) => {
      return heap.end / heap.middle;
    }),
  ];
}

const singleMost = 1.1;
/** From this settle time on, a single transfer is compared with the bare script. */
const singleFromMs = 5_000;

function singleGoals(single: Results['single']): Measure[] {
  return (single?.times ?? []).map(({ settleMs, steadfastMs, scriptMs }) => ({
    name: `one transfer, settling in ${settleMs / 1_000} s`,
    unit: 'ms',
    values: steadfastMs,
    bound: { name: 'bare script', values: scriptMs },
    ...(settleMs < singleFromMs ? {} : { goal: { atMost: singleMost } }),
  }));
}
