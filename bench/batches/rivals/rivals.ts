import { startPostgres } from '../../../proof/kill/postgres';
import type { Raced } from '../../payouts/contender';
import { dbos as singles } from '../../payouts/rivals/dbos';
import { type JobParts, startJob } from '../../payouts/rivals/job';
import type { BatchContender, BatchRace } from '../contender';
import { sameBatches } from './sameBatches';

/** More batches than the hosted limits let settle at a time. */
const window = 200;

/** A plain program that makes the same batches. It keeps nothing, so a crash forgets all. */
export const script: BatchContender = {
  name: 'plain script, same batches',
  enter: async (service) => {
    const parts = { service, path: require.resolve('./scriptProgram') };
    return { race: (race) => raceBatches(race, parts), leave: async () => {} };
  },
};

/** A workflow for each batch on Postgres. */
export const dbos: BatchContender = {
  name: 'DBOS on Postgres, same batches',
  absent: async () => singles.absent?.(),
  enter: async (service) => {
    const { child: server, url, stop } = await startPostgres();
    const parts = { service, path: require.resolve('./dbosProgram'), url, server };
    return { race: (race) => raceBatches(race, parts), leave: stop };
  },
};

async function raceBatches(race: BatchRace, parts: JobParts): Promise<Raced> {
  const { payers, warmUp, lines } = race;
  return startJob(parts, {
    walletIds: payers.map(({ id }) => id),
    warmUp: sameBatches(warmUp, race),
    payments: sameBatches(lines, race),
    window,
    method: 'batches',
  });
}
