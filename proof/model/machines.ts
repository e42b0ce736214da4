import { createRequire } from 'node:module';
import { join } from 'node:path';
import { noopMetricMeter } from '@temporalio/common';
import * as workflow from '@temporalio/workflow';
import { outdatedWords, sendRefusal } from '../../activities/sendRefusal';
import * as finding from '../../workflows/write/machine/finding';
import { firstState } from '../../workflows/write/machine/firstState';
import * as state from '../../workflows/write/machine/machine';
import * as writeState from '../../workflows/write/machine/writeState';
import type { Edit } from '../sweep/planted/edit';
import type { PartMachine } from './batch/part';
import { bundled } from './bundle';
import type { LedgerRules } from './ledger/world';
import { type Machine, nowMs } from './world';

const writer = { sendRefusal, outdatedWords };
export const product: Machine = { ...state, ...writeState, ...finding, firstState, ...writer };

const machineFiles = [
  ...['finding', 'machine', 'writeState', 'firstState'].map(
    (name) => `workflows/write/machine/${name}`,
  ),
  'activities/sendRefusal',
];
const ledgerFiles = ['rules', 'outside', 'claims', 'statements'].map(
  (name) => `src/writer/ledger/${name}`,
);

const shardFiles = [
  ...['open/newShard', 'open/takeUp', 'batches/batches', 'payments', 'reading'],
  ...['people', 'steer', 'send', 'results'],
];
const partFiles = [
  ...shardFiles.map((name) => `workflows/payout/shard/${name}`),
  ...['machine/finding', 'machine/writeState', 'writes'].map((name) => `workflows/write/${name}`),
  'activities/sendRefusal',
];

/** The product's rules with a change in their source. */
export function machineWith(edits: readonly Edit[], root: string): Promise<Machine> {
  return changed<Machine>(machineFiles, edits, root);
}

/** The rules of the product's ledger with a change in their source. */
export function ledgerWith(edits: readonly Edit[], root: string): Promise<LedgerRules> {
  return changed<LedgerRules>(ledgerFiles, edits, root);
}

/** The rules of a payout's part with a change in their source. */
export function partWith(edits: readonly Edit[], root: string): Promise<PartMachine> {
  return changed<PartMachine>(partFiles, edits, root);
}

/** The present of all rules never moves. */
class StillDate extends Date {
  static override now(): number {
    return nowMs;
  }
}

const run = {
  runId: 'run',
  originalExecutionRunId: 'run',
  continuedFromExecutionRunId: 'before',
  attempt: 1,
  unsafe: { isReplaying: false },
};

/** The answers of Temporal to the rules of a part. No run of it was reset, unless its state says so. */
const temporal = {
  ...workflow,
  workflowInfo: () => run,
  metricMeter: noopMetricMeter,
  upsertMemo: () => undefined,
};

async function changed<Exports>(
  files: readonly string[],
  edits: readonly Edit[],
  root: string,
): Promise<Exports> {
  const external = ['@temporalio/workflow'];
  const text = `${await bundled(files, edits, { root, external })} return module.exports;`;
  const load = new Function('module', 'require', '__dirname', 'Date', text);
  const ofNode = createRequire(join(root, 'package.json'));
  const require = (name: string) => (name === '@temporalio/workflow' ? temporal : ofNode(name));
  const exports: Exports = load({ exports: {} }, require, root, StillDate);
  return exports;
}
