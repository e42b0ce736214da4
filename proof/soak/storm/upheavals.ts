import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from '../../../test/support/seeded';
import { forgetId } from '../../kill/forget';
import type { Mortal } from '../../kill/mortal';
import type { TemporalBackup } from '../../kill/temporalBackup';
import type { Office } from '../carryOut';
import type { Load, RunningErrand } from '../load';
import type { Lies } from './lies';

/** Counts of events that happen to orders beside kills and faults. */
export type Upheavals = Record<'terminated' | 'forgotten' | 'aged' | 'restored', number>;

export type UpheavalOptions = Office & {
  load: Load;
  seed: number;
  controlUrl: string;
  backup: TemporalBackup;
  lies: Lies;
  /** The variables of the workers, read at each start. */
  workerEnv: Record<string, string>;
};

const calmMs = { least: 3_000, spread: 5_000 };
const atOnceMax = 5;
const forgetMsMax = 60_000;
/** Longer than the service remembers a key. */
const monthDays = 31;

/** Ends orders from outside, and has everybody forget some that are done, until it is over. */
export function upheave(options: UpheavalOptions, isOver: () => boolean): Promise<Upheavals> {
  const random = seeded(options.seed + 1);
  const told: Upheavals = { terminated: 0, forgotten: 0, aged: 0, restored: 0 };
  const some = (errands: RunningErrand[]): RunningErrand[] =>
    Array.from({ length: Math.min(atOnceMax, errands.length) }, () =>
      errands.splice(random(errands.length), 1),
    ).flat();
  const act = async (): Promise<void> => {
    const { load } = options;
    if (random(2) === 0) {
      for (const { errand } of some(load.open())) {
        await options.client.workflow
          .getHandle(errand.id)
          .terminate('the soak')
          .catch(() => {});
        told.terminated += 1;
      }
      return;
    }
    const isAged = random(2) === 0;
    const done = some(load.ended().filter(isForgettable));
    await Promise.all(done.map((running) => forget(options, running, { isAged, told })));
  };
  return (async () => {
    while (!isOver()) {
      await sleep(calmMs.least + random(calmMs.spread));
      // Temporal may be away.
      if (!isOver()) await act().catch(() => {});
    }
    return told;
  })();
}

/** Completed as a whole. The order of a period would not be started by its schedule again. */
function isForgettable({ errand, payments }: RunningErrand): boolean {
  const isDone = payments.every(({ end }) => end?.outcome === 'completed');
  return isDone && errand.kind !== 'period';
}

/** Temporal forgets an order that is done, and the service maybe too. Then it is started again. */
async function forget(
  { client, load, controlUrl, backup, lies }: UpheavalOptions,
  running: RunningErrand,
  { isAged, told }: { isAged: boolean; told: Upheavals },
): Promise<void> {
  const { errand, payments } = running;
  const ids = errand.kind === 'payout' ? [errand.id, `${errand.id}:shard:1`] : [errand.id];
  for (const id of ids) {
    if (!(await forgetId(client, id, Date.now() + forgetMsMax))) return;
  }
  told.forgotten += 1;
  // A backup from before the month would have to be restored a month later.
  if (isAged) backup.drop();
  for (const { end } of isAged ? payments : []) {
    if (end?.outcome !== 'completed') continue;
    lies.spare(end.transactionId);
    await fetch(`${controlUrl}/transactions/${end.transactionId}/age`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ days: monthDays }),
    }).catch(() => {});
    told.aged += 1;
  }
  load.repeat(running);
}

const hourMs = 3_600_000;
const clocks = [0, -3 * hourMs, 3 * hourMs, -60_000];
const restoredPercent = 30;

/** Changes something while a process is away: a worker's clock, or Temporal's memory. */
export function changeWhileAway(
  { load, backup, workerEnv, seed }: UpheavalOptions,
  { workers, mayKillWorkers }: { workers: readonly Mortal[]; mayKillWorkers: () => boolean },
): {
  whileAway(victim: Mortal): Promise<void>;
  restored(): number;
} {
  const random = seeded(seed + 2);
  let takenAtMs = 0;
  let restored = 0;
  return {
    restored: () => restored,
    whileAway: async ({ name }) => {
      if (name.startsWith('worker')) {
        workerEnv.PROOF_CLOCK_SHIFT_MS = String(clocks[random(clocks.length)]);
      }
      if (name !== 'temporal') return;
      const isWished = random(100) < restoredPercent;
      if (!backup.isTaken() || !isWished || !mayKillWorkers()) {
        backup.take();
        takenAtMs = Date.now();
        return;
      }
      // A worker that lives on would continue its workflows from memory, which the restored
      // histories do not have. An operator who restores a database stops the workers first.
      await Promise.all(workers.map((worker) => worker.kill()));
      backup.restore();
      restored += 1;
      // Temporal shows these again as they were at the time of the backup.
      for (const running of load.ended()) {
        const isLater = running.payments.some(({ endedAtMs = 0 }) => endedAtMs >= takenAtMs);
        if (isLater) load.repeat(running);
      }
    },
  };
}
