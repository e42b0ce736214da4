import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { goInstall } from '../../scripts/getTemporal';
import { withLock } from '../../scripts/lock';
import { progress } from '../../scripts/progress';
import { run } from '../../scripts/run';
import { cacheDir } from '../../scripts/temporalServer';

/** The server that is run in production, as its makers publish it, and what sets up its database. */
export type TemporalPrograms = { server: string; sqlTool: string };

const version = '1.29.1';
const packages = {
  server: 'go.temporal.io/server/cmd/server',
  sqlTool: 'go.temporal.io/server/cmd/tools/sql',
};

/** Builds both with Go, once for all checkouts: two minutes. Undefined where there is no Go. */
export async function temporalPrograms(): Promise<TemporalPrograms | undefined> {
  const folder = join(cacheDir(), 'bin');
  const programs = {
    server: join(folder, `temporal-server-${version}`),
    sqlTool: join(folder, `temporal-sql-tool-${version}`),
  };
  const areThere = (): boolean => Object.values(programs).every((path) => existsSync(path));
  if (areThere()) return programs;
  const { code } = await run(['go', 'version'], { quiet: true });
  if (code !== 0) return undefined;
  await withLock(join(cacheDir(), 'temporal-programs.lock'), async () => {
    if (areThere()) return;
    const work = build(folder, programs);
    await progress(`Building Temporal's server ${version} with Go (2 minutes, once)`, work);
  });
  return programs;
}

async function build(folder: string, programs: TemporalPrograms): Promise<void> {
  for (const name of ['server', 'sqlTool'] as const) {
    renameSync(await goInstall(`${packages[name]}@v${version}`, folder), programs[name]);
  }
}
