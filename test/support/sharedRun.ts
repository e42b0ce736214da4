import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { enterPrivateEnvironment } from '../../scripts/environment';
import { startTemporal } from '../../src/local/startTemporal';
import { addressVariable, bundleVariable, httpVariable } from './temporal';

/** Stops what the start created. The global set-up and tear-down share this module. */
let stop: (() => Promise<void>) | undefined;

/** Starts one Temporal server and builds one workflow bundle for all test files of the run. */
export async function startSharedRun(): Promise<void> {
  enterPrivateEnvironment();
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-jest-'));
  const [temporal, code] = await Promise.all([
    startTemporal({ port: 0, headless: true }),
    bundleWorkflows(),
  ]);
  stop = async () => {
    await temporal.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const file = join(folder, 'workflows.js');
  writeFileSync(file, code);
  process.env[addressVariable] = temporal.address;
  process.env[httpVariable] = temporal.httpUrl;
  process.env[bundleVariable] = file;
  // A workflow thread for each worker costs more than most tests, so workflows run in this thread.
  process.env.TEMPORAL_DEBUG = '1';
}

/** Stops everything that the run shared. */
export async function stopSharedRun(): Promise<void> {
  await stop?.();
}

/** Bundles our workflows, and the few that only tests run. */
async function bundleWorkflows(): Promise<string> {
  const workflowsPath = require.resolve('./testWorkflows');
  const workflowInterceptorModules = [require.resolve('../../workflows/order/interceptors')];
  const logger = new DefaultLogger('WARN');
  const { code } = await bundleWorkflowCode({ workflowsPath, workflowInterceptorModules, logger });
  return code;
}
