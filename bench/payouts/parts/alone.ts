import type { PartOptions } from '../../parts';
import type { Hosted, Results } from '../results';
import type { Service } from '../startService';
import { inRounds, usualPayers as payers, raceSteadfast, usualSettleMs } from './options';

type Measured<Name extends keyof Results, Field extends keyof Required<Results>[Name]> = Promise<
  Pick<Required<Results>[Name], Field>
>;

const growthLines = [1_000, 3_000, 10_000];
const growthOpen = 1_000;

/** Measures the cost of a line in small and in large payouts. */
export async function measureGrowth(options: PartOptions): Measured<'growth', 'sizes'> {
  const sizes = [];
  for (const size of growthLines) {
    const lines = Math.min(size, options.linesMax);
    const rules = { settleMs: usualSettleMs };
    const course = { rules, payers, run: { lines, open: growthOpen } };
    const rounds = await inRounds(options, `${lines} lines`, () =>
      raceSteadfast(course, (_, race) => race()),
    );
    sizes.push({ lines, rounds });
  }
  return { sizes };
}

const lagSettleMs = [2_000, 5_000, 20_000];
const lagRun = { lines: 400, open: 200 };

/** Measures the time from a settling until Steadfast knows of it. */
export async function measureLag(options: PartOptions): Measured<'lag', 'times'> {
  const times = [];
  for (const settleMs of lagSettleMs) {
    const lines = Math.min(lagRun.lines, options.linesMax);
    const course = { rules: { settleMs }, payers, run: { ...lagRun, lines } };
    const rounds = await inRounds(options, `settling in ${settleMs / 1_000} s`, () =>
      raceSteadfast(course, (_, race) => race()),
    );
    times.push({ settleMs, rounds });
  }
  return { times };
}

const scaWallets = 20;
const scaLines = 400;

/** Measures with wallets that can have only one transfer in flight each. */
export async function measureSca(options: PartOptions): Measured<'sca', 'wallets' | 'rounds'> {
  const lines = Math.min(scaLines, options.linesMax);
  const course = {
    rules: { settleMs: usualSettleMs },
    payers: scaWallets,
    accountType: 'SCA' as const,
    run: { lines, open: 1_000 },
  };
  const rounds = await inRounds(options, `${scaWallets} SCA wallets`, () =>
    raceSteadfast(course, (_, race) => race()),
  );
  return { wallets: scaWallets, rounds };
}

const hostedLines = 300;
const hostedSettleMs = 2_000;
/** The time after which the first burst is over and the pace is steady. */
const steadyAfterMs = 10_000;

/** Measures the pace at the limits of the hosted service, and the refusals. */
export async function measureHosted(options: PartOptions): Measured<'hosted', 'lines' | 'rounds'> {
  const lines = Math.min(hostedLines, options.linesMax);
  const rules = { settleMs: hostedSettleMs, limit: 'hosted' as const };
  const course = { rules, payers, run: { lines, open: 1_000, warmUp: 10 } };
  const rounds = await inRounds(options, 'at the hosted limits', () =>
    raceSteadfast(course, async ({ service }, race): Promise<Hosted> => {
      const watched = watchRefusals(service);
      const figures = await race();
      const refusals = await watched.stop();
      const times = (await service.transfers()).slice(-lines).map((one) => one.receivedAtMs);
      const first = times[0] ?? 0;
      const last = times.at(-1) ?? 0;
      const fromMs = first + Math.min(steadyAfterMs, (last - first) / 2);
      const steady = times.filter((atMs) => atMs >= fromMs);
      const between = (atMs: number) => refusals.findLast((one) => one.atMs <= atMs) ?? refusals[0];
      const { reads = 0, writes = 0 } = refusals.at(-1) ?? {};
      return {
        ...figures,
        writesPerS: ((steady.length - 1) * 1_000) / (last - (steady[0] ?? 0)),
        refusedWrites: writes - (between(fromMs)?.writes ?? 0),
        refusedReads: reads - (between(fromMs)?.reads ?? 0),
      };
    }),
  );
  return { lines, rounds };
}

type Refusals = { atMs: number; reads: number; writes: number };

/** Notes every second how many calls the rate limits have refused so far. */
function watchRefusals(service: Service): { stop(): Promise<Refusals[]> } {
  const noted: Refusals[] = [];
  const note = async (): Promise<void> => {
    const { limited } = await service.counts();
    noted.push({ atMs: Date.now(), reads: limited.reads, writes: limited.writes });
  };
  const timer = setInterval(() => void note(), 1_000);
  return {
    stop: async () => {
      clearInterval(timer);
      await note();
      return noted;
    },
  };
}
