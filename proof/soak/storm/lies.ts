import { setTimeout as sleep } from 'node:timers/promises';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { seeded } from '../../../test/support/seeded';
import type { About, Lie, LyingService } from '../../../test/support/service/lyingService';

/** The lies of a soak's service, told to the workers alone. */
export type Lies = {
  /**
   * Leaves a record where it is. Once Temporal and the keys of the service have forgotten a
   * payment, its record is all that is left of it, and promises say so.
   */
  spare(transactionId: string): void;
  /** Tells the truth from now on. */
  stop(): Promise<void>;
  /** The number of times that each kind was told. */
  told(): Record<string, number>;
};

type LiesOptions = {
  service: LyingService;
  /** The service itself, which tells the truth. */
  custody: CustodyApi;
  seed: number;
};

/** Two lies are told at a time, each about some records, and for some seconds. */
const lanes = 2;
const pauseMsMax = 2_000;
/** Some lies outlive the grace period, which is 20 seconds here. */
const lastMsMax = 30_000;
const sharePercent = 25;
const lateMs = 6_000;
const farMs = 400 * 86_400_000;
const smallPage = 3;

type Telling = {
  service: LyingService;
  about: About;
  txHash: string;
  mayLose: (id: string) => boolean;
};

/**
 * Every kind of lie about records and their list. A reason that precedes signing is in none of
 * them: an order believes it at once where the chain shows nothing, as the promises say.
 */
const kinds: Readonly<Record<string, (telling: Telling) => Lie>> = {
  'false FAILED': ({ service, about }) => service.saysFalsely('FAILED', about),
  'false CANCELLED': ({ service, about }) => service.saysFalsely('CANCELLED', about),
  'false COMPLETE': ({ service, about }) => service.saysFalsely('COMPLETE', about),
  'hash dropped': ({ service, about }) => service.hides('txHash', about),
  'hash of another': ({ service, about, txHash }) => service.givesHash(txHash, about),
  'record lost': ({ service, about, mayLose }) =>
    service.loses((record) => about(record) && mayLose(record.id)),
  'listed late': ({ service, about, mayLose }) =>
    service.listsLate(lateMs, (record) => about(record) && mayLose(record.id)),
  'dated in the future': ({ service, about }) => service.dates(new Date(Date.now() + farMs), about),
  'dated in the past': ({ service, about }) => service.dates(new Date(Date.now() - farMs), about),
  'other spelling': ({ service }) => service.spells('CANCELLED', 'CANCELED'),
  'hole in the list': ({ service }) => service.leavesHole(),
  'cursor lost': ({ service, mayLose }) => service.losesCursor(mayLose),
  'no links': ({ service }) => service.dropsLinks(),
  'small pages': ({ service }) => service.listsBy(smallPage),
};

/** Begins to tell lies at random, by a seed. */
export function tellLies({ service, custody, seed }: LiesOptions): Lies {
  const random = seeded(seed * 3_000_017);
  const counts: Record<string, number> = {};
  const spared = new Set<string>();
  const mayLose = (id: string): boolean => !spared.has(id);
  const over = new AbortController();
  const wait = (ms: number): Promise<void> =>
    sleep(ms, undefined, { signal: over.signal }).catch(() => {});
  const tellNext = async (): Promise<void> => {
    const [name, tell] = Object.entries(kinds)[random(Object.keys(kinds).length)] ?? [];
    if (name === undefined || tell === undefined) return;
    const from = random(100);
    const about: About = ({ id }) =>
      (Number.parseInt(id.slice(0, 8), 16) + from) % 100 < sharePercent;
    const lie = tell({ service, about, mayLose, txHash: await someHash(custody) });
    await wait(random(lastMsMax));
    lie.withdraw();
    counts[name] = (counts[name] ?? 0) + lie.told();
    await wait(random(pauseMsMax));
  };
  const lane = async (): Promise<void> => {
    while (!over.signal.aborted) await tellNext();
  };
  const all = Promise.all(Array.from({ length: lanes }, lane));
  return {
    spare: (transactionId) => spared.add(transactionId),
    stop: async () => {
      over.abort();
      await all;
      service.tellsTruth();
    },
    told: () => counts,
  };
}

/** The hash of the newest transaction of the account, which is not of the record that gets it. */
async function someHash({ listTransactions }: CustodyApi): Promise<string> {
  const asked = { state: 'COMPLETE', pageSize: 1, order: 'DESC', includeAll: true } as const;
  const answer = await listTransactions(asked).catch(() => undefined);
  return answer?.transactions[0]?.txHash ?? `0x${'1'.repeat(64)}`;
}
