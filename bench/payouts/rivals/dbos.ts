import { join } from 'node:path';
import { hasPostgres, startPostgres } from '../../../proof/kill/postgres';
import { run } from '../../../scripts/run';
import { type Contender, fullRace } from '../contender';
import { isInstalled } from './dbos/sdk';
import { raceJob } from './job';

const folder = join(__dirname, 'dbos');
const installMsMax = 600_000;

/** One workflow for each transfer on Postgres, with the queue that the rival's docs advise. */
export const dbos: Contender = {
  name: 'DBOS on Postgres',
  absent: async () => {
    if (!(await hasPostgres())) return 'initdb and postgres are not on PATH';
    if (isInstalled()) return undefined;
    console.error('payouts: installing DBOS, for this bench alone');
    const { code } = await run(['npm', 'ci'], {
      cwd: folder,
      timeoutMs: installMsMax,
      quiet: true,
    });
    return code === 0 ? undefined : `npm ci in ${folder} ended with code ${code}`;
  },
  lines: fullRace,
  ways: (open) => [
    { window: open, method: 'list' },
    ...(open > 200 ? [{ window: 500, method: 'list' }] : [{ window: open, method: 'get' }]),
  ],
  enter: async (service) => {
    const { child: server, url, stop } = await startPostgres();
    const path = require.resolve('./dbos/program');
    return { race: (race) => raceJob(race, { service, path, url, server }), leave: stop };
  },
};
