import type { Contender, Field, Race } from './contender';
import { type Figures, judge } from './judge';
import { makeLines } from './makeLines';
import type { AccountType } from './service/ledger';
import { type Payer, type Service, type ServiceRules, startService } from './startService';

export type Course = {
  contender: Pick<Contender, 'enter'>;
  rules: ServiceRules;
  payers: number;
  accountType?: AccountType;
};

export type Run = Pick<Race, 'open' | 'way' | 'linesPerS'> & { lines: number; warmUp?: number };

/** A contender on a stub of its own, ready for any number of races. */
export type Track = {
  service: Service;
  race(run: Run): Promise<Figures>;
  leave(): Promise<void>;
};

const warmUpLines = 50;
const raceMsMax = 300_000;

/** Starts the stub and all that the contender needs. */
export async function startTrack(course: Course): Promise<Track> {
  const { contender, rules, payers: count, accountType = 'EOA' } = course;
  const service = await startService(rules);
  try {
    const payers = await service.createPayers(count, accountType);
    const field = await contender.enter(service, payers);
    return {
      service,
      race: (run) => inTime(raceOnce({ service, field, payers }, run)),
      leave: async () => {
        await field.leave();
        await service.stop();
      },
    };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

async function raceOnce(
  { service, field, payers }: { service: Service; field: Field; payers: readonly Payer[] },
  { lines: count, warmUp = warmUpLines, ...run }: Run,
): Promise<Figures> {
  const lines = makeLines(count);
  const race: Race = { ...run, payers, lines, warmUp: makeLines(warmUp) };
  return judge(service, race, await field.race(race));
}

/** Gives up a race that hangs. Its processes end with its field. */
async function inTime<T>(racing: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`The race took longer than ${raceMsMax / 1_000} s.`);
    timer = setTimeout(() => reject(error), raceMsMax);
  });
  return Promise.race([racing, late]).finally(() => clearTimeout(timer));
}
