import type { Bench, Measure } from './measure';
import { measureLost } from './notices/lost';
import { measureReceiver } from './notices/receiver';
import { measureSingles } from './notices/singles';
import { measureTransfers } from './notices/transfers';

type Part = (rounds: number) => Promise<Measure[]>;

const parts: Readonly<Record<string, Part>> = {
  receiver: measureReceiver,
  told: measureTransfers,
  singles: measureSingles,
  lost: measureLost,
};

export const noticeParts: readonly string[] = Object.keys(parts);

/** The speed of the receiver, and of orders that hear of their end beside those that poll. */
export const benchNotices: Bench = async ({ rounds, only }) => {
  const measures: Measure[] = [];
  for (const [name, part] of Object.entries(parts)) {
    if (only.length === 0 || only.includes(name)) measures.push(...(await part(rounds)));
  }
  return measures;
};
